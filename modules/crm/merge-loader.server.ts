import { ignoreNotFound } from '#app/lib/errors.ts'
import { plainText } from '#app/lib/markup.ts'
import type { Ctx } from '#tenants/context.ts'
import { programLabel } from './components/client-fields.tsx'
import { clientFieldNames, clientFields, type ClientField } from './fields.ts'
import { mergeUrl } from './list-state.ts'
import { isJoinable } from './merge-fields.ts'
import { getClientForEdit, listClientOptions } from './queries/clients.ts'
import { listDuplicates } from './queries/duplicates.ts'
import type { ClientRecord } from './records.ts'
import { countRecords } from './services/merge-records.ts'
import { isReadOnly } from './services/plan-limit.ts'

const maxClients = 100

/** The page that merges another client into this one. Throws not_found for this one. */
export async function loadMergePage(ctx: Ctx, id: number, searchParams: URLSearchParams) {
  const kept = await getClientForEdit(ctx, id)
  const state = mergeUrl(id).parse(`?${searchParams}`)
  const otherId = state.with === id ? null : state.with
  const other = otherId === null ? null : await getClientForEdit(ctx, otherId).catch(ignoreNotFound)
  return {
    kept: { id, name: kept.name, email: kept.email, version: kept.version },
    isReadOnly: (await isReadOnly(ctx, kept)) || (other !== null && (await isReadOnly(ctx, other))),
    isMissing: otherId !== null && !other,
    choice: other ? null : await loadChoice(ctx, kept, state.find),
    comparison: other ? await loadComparison(ctx, kept, other) : null,
  }
}

async function loadChoice(ctx: Ctx, kept: ClientRecord, find: string) {
  const [duplicates, options] = await Promise.all([
    listDuplicates(ctx, kept),
    listClientOptions(ctx, { q: find, rows: maxClients + 1 }),
  ])
  const clients = options.filter(({ id }) => id !== kept.id).map(({ id, name }) => ({ id, name }))
  return { duplicates, clients: clients.slice(0, maxClients), hasMore: options.length > maxClients, find }
}

async function loadComparison(ctx: Ctx, kept: ClientRecord, other: ClientRecord & { version: number }) {
  const differing = clientFieldNames.filter((name) => JSON.stringify(kept[name]) !== JSON.stringify(other[name]))
  return {
    other: { id: other.id, name: other.name, email: other.email, version: other.version },
    fields: differing.map((name) => ({
      name,
      kept: formatValue(kept, name),
      merged: formatValue(other, name),
      isJoinable: isJoinable(name) && !isEmpty(kept[name]) && !isEmpty(other[name]),
      /** Nothing is lost, unless the coach chooses so. */
      source: isEmpty(kept[name]) ? 'merged' : isJoinable(name) && !isEmpty(other[name]) ? 'both' : 'kept',
    })),
    records: (await countRecords(ctx, other.id)).map(({ count, label }) => `${count.toLocaleString('en-US')} ${label}`),
  }
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)

function formatValue(client: ClientRecord, name: ClientField): string {
  const value = client[name]
  if (isEmpty(value)) return ''
  if (Array.isArray(value)) return value.join(', ')
  if (name === 'status') return clientFields.status.choices[client.status]
  if (name === 'progress') return `${client.progress}%`
  if (name === 'program') return programLabel(String(value))
  return clientFields[name].kind === 'markup' ? plainText(String(value)) : String(value)
}
