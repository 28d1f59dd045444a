// When two tabs save the same record, the second one compares three versions of each field: as the form was opened, as
// typed here, and as saved by the other tab. The form sends hashes of the first, so this works without JavaScript too.

export type FieldTexts<Name extends string> = Record<Name, string>
export type ConflictSide = 'mine' | 'theirs'
export type FieldConflict<Name extends string> = {
  name: Name
  mine: string
  theirs: string
  /** The version to keep unless the user chooses the other one. */
  initialSide: ConflictSide
}

/** Hashes of the texts that a form was opened with, separated by spaces. */
export function fieldHashes<Name extends string>(names: readonly Name[], texts: FieldTexts<Name>): string {
  return names.map((name) => hashText(texts[name])).join(' ')
}

/** The fields that differ. Fields that the user left alone default to the saved version, the others to their own. */
export function diffFields<Name extends string>(
  names: readonly Name[],
  openedHashes: string,
  mine: FieldTexts<Name>,
  theirs: FieldTexts<Name>,
): FieldConflict<Name>[] {
  const hashes = openedHashes.split(' ')
  return names.flatMap((name, index) => {
    if (mine[name] === theirs[name]) return []
    const isUntouched = hashText(mine[name]) === hashes[index]
    return [{ name, mine: mine[name], theirs: theirs[name], initialSide: isUntouched ? 'theirs' : 'mine' }]
  })
}

/** The name of the input that chooses a version of a field. */
export const choiceName = (field: string): string => `take-${field}`

export type DiffParts = { before: string; mine: string; theirs: string; after: string }

/** Splits two texts into the differing part and up to `context` characters before and after it. */
export function diffText(mine: string, theirs: string, context = 60): DiffParts {
  const [a, b] = [[...mine], [...theirs]]
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && a[start] === b[start]) start++
  let end = 0
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const before = a.slice(0, start)
  const after = end ? a.slice(-end) : []
  return {
    before: before.length > context ? `…${before.slice(-context).join('')}` : before.join(''),
    mine: a.slice(start, a.length - end).join(''),
    theirs: b.slice(start, b.length - end).join(''),
    after: after.length > context ? `${after.slice(0, context).join('')}…` : after.join(''),
  }
}

/** A value as form fields have it: line breaks are line feeds, null is an empty text. */
export function toFieldText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).replaceAll('\r\n', '\n') : ''
}

/** A 53-bit hash (cyrb53) in base 36. Not cryptographic. */
function hashText(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    high = Math.imul(high ^ unit, 2654435761)
    low = Math.imul(low ^ unit, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36)
}
