// When two tabs save the same record, the second one compares three versions of each field: as the form was opened, as
// typed here, and as saved by the other tab. The form sends hashes of the first, so this works without JavaScript too.

/** The values of fields, as stored or as submitted. */
export type FieldValues<Name extends string> = { readonly [N in Name]?: unknown }
export type ConflictSide = 'mine' | 'theirs'
export type FieldConflict<Name extends string> = {
  name: Name
  mine: string
  theirs: string
  /** The version to keep unless the user chooses the other one. */
  initialSide: ConflictSide
}

/** Hashes of the values that a form was opened with, separated by spaces. */
export function fieldHashes<Name extends string>(names: readonly Name[], values: FieldValues<Name>): string {
  return names.map((name) => hashText(toFieldText(values[name]))).join(' ')
}

/** The fields that differ. Fields that the user left alone default to the saved version, the others to their own. */
export function diffFields<Name extends string>(
  names: readonly Name[],
  openedHashes: string,
  submitted: FieldValues<Name>,
  saved: FieldValues<Name>,
): FieldConflict<Name>[] {
  const hashes = openedHashes.split(' ')
  return names.flatMap((name, index) => {
    const [mine, theirs] = [toFieldText(submitted[name]), toFieldText(saved[name])]
    if (mine === theirs) return []
    const isUntouched = hashText(mine) === hashes[index]
    return [{ name, mine, theirs, initialSide: isUntouched ? 'theirs' : 'mine' }]
  })
}

/** The name of the input that chooses a version of a field. */
export const choiceName = (field: string): string => `take-${field}`

/** A value as form fields have it: line breaks are line feeds, null is an empty text. */
export function toFieldText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).replaceAll('\r\n', '\n') : ''
}

/** Two 32-bit hashes in base 36. Not cryptographic. */
function hashText(text: string): string {
  let [first, second] = [0, 0]
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index) + 1
    first = Math.imul(first ^ unit, 2654435761)
    second = Math.imul(second + unit, 1597334677)
  }
  return first.toString(36) + second.toString(36)
}
