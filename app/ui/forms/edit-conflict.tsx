import type { Fields } from '#app/lib/fields.ts'
import { FormError } from './field.tsx'
import { DeletedNotice, useMergeConflict } from './merge-conflict.tsx'
import type { FormField, ServerForm } from './use-server-form.ts'

/**
 * For an edit form that two tabs may save: the second one sees the differences and chooses field by field. Put `inputs`
 * into the form, `notice` above its fields, and `onInput` on the form. `current`: the saved version; null for a new
 * record.
 */
export function useEditConflict<F extends Fields>(
  { form, fields, submitted }: ServerForm<F>,
  { noun, current }: { noun: string; current: { version: number; texts: { [N in keyof F]?: string } } | null },
) {
  const names = Object.keys(current?.texts ?? {})
  const hidden = (name: string) => ({ id: `${form.props.id}-${name}`, name, initialValue: submitted?.[name] })
  const field = (name: string): FormField => fields[name as keyof F]
  const subject = `This ${noun}`
  const conflict = useMergeConflict({
    fields: {
      ...Object.fromEntries(names.map((name) => [name, field(name)])),
      version: hidden('version'),
      was: hidden('was'),
    },
    wasRejected: current !== null && form.error?.code === 'conflict',
    labels: names.map((name) => [name, field(name).label]),
    current: { version: current?.version ?? 0, texts: (current?.texts ?? {}) as Record<string, string> },
    subject,
    formatValue: (name, text) => field(name).choices?.find(({ value }) => value === text)?.label ?? text,
  })
  const isDeleted = current !== null && form.error?.code === 'not_found' && form.error.subject === noun
  return {
    inputs: current && conflict.inputs,
    onInput: conflict.onInput,
    notice:
      conflict.notice ??
      (isDeleted ? (
        <DeletedNotice id={form.errorId} subject={subject} />
      ) : (
        <FormError id={form.errorId} errors={form.errors} />
      )),
  }
}
