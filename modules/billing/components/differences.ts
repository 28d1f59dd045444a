import type { FieldLike } from '#app/ui/field.tsx'
import type { Differing } from '#app/ui/saved-meanwhile.tsx'

/** The fields of a form that hold something else than what was saved meanwhile. */
export function differencesOf<Name extends string>(
  labels: Record<Name, string>,
  fields: Record<NoInfer<Name>, FieldLike>,
  saved: Record<NoInfer<Name>, string>,
  choices: Partial<Record<NoInfer<Name>, readonly { value: string; label: string }[]>> = {},
): Differing[] {
  const names = Object.keys(labels) as Name[]
  return names
    .filter((name) => String(fields[name].initialValue ?? '') !== saved[name])
    .map((name) => ({
      fieldId: fields[name].id,
      label: labels[name],
      value: saved[name],
      shown: choices[name]?.find(({ value }) => value === saved[name])?.label ?? saved[name],
    }))
}
