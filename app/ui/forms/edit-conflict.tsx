import type { Fields } from '#app/lib/fields.ts'
import type { FormField, ServerForm } from './use-server-form.ts'
import { FormError } from './field.tsx'
import { DeletedNotice, useTwoTabs } from './merge-conflict.tsx'

/**
 * For an edit form that two tabs may save: the second one sees the differences and chooses field by field. Put `inputs` into the form,
 * `notice` above its fields, and `onInput` on the form. `current`: as saved now; null for a new record.
 */
export function useEditConflict<F extends Fields>(
  { form, fields, sent }: ServerForm<F>,
  { noun, current }: { noun: string; current: { version: number; texts: { [N in keyof F]?: string } } | null },
) {
  const names = Object.keys(current?.texts ?? {})
  const hidden = (name: string) => ({ id: `${form.props.id}-${name}`, name, initialValue: sent?.[name] })
  const field = (name: string): FormField => fields[name as keyof F]
  const tabs = useTwoTabs({
    fields: {
      ...Object.fromEntries(names.map((name) => [name, field(name)])),
      version: hidden('version'),
      was: hidden('was'),
    },
    refused: current !== null && form.error?.code === 'conflict',
    labels: names.map((name) => [name, field(name).label]),
    current: { version: current?.version ?? 0, texts: (current?.texts ?? {}) as Record<string, string> },
    what: `This ${noun}`,
    shown: (name, text) => field(name).choices?.find(({ value }) => value === text)?.label ?? text,
  })
  const isDeleted = current !== null && form.error?.code === 'not_found' && form.error.subject === noun
  return {
    inputs: current && tabs.inputs,
    onInput: tabs.onInput,
    notice:
      tabs.notice ??
      (isDeleted ? (
        <DeletedNotice id={form.errorId} what={`This ${noun}`} />
      ) : (
        <FormError id={form.errorId} errors={form.errors} />
      )),
  }
}
