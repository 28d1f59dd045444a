import { minPasswordLength } from '#app/lib/password-length.ts'

export const strengthLabels = ['Too short', 'Weak', 'Fair', 'Good', 'Strong'] as const

/** The least bits of an estimate that is fair, good and strong. */
const thresholds = [40, 52, 72]

/**
 * Estimates how hard a password is to guess, as an index of `strengthLabels`. Only a hint: the server also rejects
 * common passwords, names and email addresses.
 */
export function estimateStrength(password: string): number {
  if ([...password].length < minPasswordLength) return 0
  const word = withoutHabits(password)
  const bits = countUnpredictable(word) * Math.log2(countAlphabet(word))
  return 1 + thresholds.filter((threshold) => bits >= threshold).length
}

/** A capital letter at the start and digits after a word are what most people add, so they don't count. */
const withoutHabits = (password: string): string =>
  password.replace(/^\p{Lu}/u, (letter) => letter.toLowerCase()).replace(/^(\p{L}+)[^\p{L}]{1,6}$/u, '$1')

/** Characters that don't repeat the one before and don't continue a sequence such as "abc", "321" or "qwe". */
function countUnpredictable(password: string): number {
  const characters = [...password.toLowerCase()]
  return characters.filter((character, index) => !followsFrom(characters[index - 1], character)).length
}

const keyboardRows = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm']

function followsFrom(previous: string | undefined, character: string): boolean {
  if (previous === undefined) return false
  const step = Math.abs(character.codePointAt(0)! - previous.codePointAt(0)!)
  return step <= 1 || keyboardRows.some((row) => row.includes(previous + character))
}

function countAlphabet(password: string): number {
  const sizes: [RegExp, number][] = [
    [/\p{Ll}|\p{Lo}/u, 26],
    [/\p{Lu}/u, 26],
    [/\p{N}/u, 10],
    [/[^\p{L}\p{N}]/u, 33],
  ]
  return sizes.reduce((sum, [pattern, size]) => sum + (pattern.test(password) ? size : 0), 1)
}
