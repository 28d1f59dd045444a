import { maxSpeakerLength } from './lines.ts'

export type Labelled = { label: string; rest: string }

/** Written before lines without a speaker, where others have one. */
export const unknownSpeaker = 'Unknown speaker'

const start = new RegExp(`^([^:]{1,${maxSpeakerLength}}):(?:\\s|$)`)
const characters = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} .,'’_()/&-]*$/u
const capitalized = /^(?:[^\p{Ll}]|(?:al|bin|da|de|del|den|der|di|dos|du|el|la|le|of|ten|van|von|zu)$)/u
const maxWords = 5

/** Splits `Name: text`. Null if the text doesn't begin with what may be a name. */
export function findLabel(text: string): Labelled | null {
  const match = start.exec(text)
  const label = match?.[1]!.trim()
  if (!match || !label || !characters.test(label) || label.split(' ').length > maxWords) return null
  return { label, rest: text.slice(match[0].length).trim() }
}

/**
 * Reads the names at the beginning of texts. A label counts as a name if its words are capitalized, if it is one word, or
 * if several of `texts` begin with it: "So here is the thing: …" names nobody.
 */
export function createLabelReader(texts: Iterable<string>): (text: string) => Labelled | null {
  const counts = new Map<string, number>()
  for (const text of texts) {
    const label = findLabel(text)?.label
    if (label !== undefined) counts.set(label, (counts.get(label) ?? 0) + 1)
  }
  return (text) => {
    const found = findLabel(text)
    if (!found) return null
    const words = found.label.split(' ')
    const isName =
      words.length === 1 || words.every((word) => capitalized.test(word)) || (counts.get(found.label) ?? 0) > 1
    return isName || found.label.toLowerCase() === unknownSpeaker.toLowerCase() ? found : null
  }
}

export const toSpeaker = (label: string): string | null =>
  label.toLowerCase() === unknownSpeaker.toLowerCase() ? null : label
