import type { Field } from '#app/lib/fields.ts'
import { clientFieldNames, clientFields, type ClientField } from './fields.ts'

/** Whether a merge can keep the values of both clients. */
export const isJoinable = (name: ClientField): boolean => ['markup', 'tags'].includes(clientFields[name].kind)

/** For each field of a client, whose value stays. */
export const mergeFields = Object.fromEntries(
  clientFieldNames.map((name): [ClientField, Field] => [
    name,
    {
      kind: 'choice',
      label: clientFields[name].label,
      choices: { kept: 'This client', merged: 'The other client', both: 'Both' },
      message: 'Choose a value',
    },
  ]),
) as Record<ClientField, Field>
