/** How code and screens write a module's name: the marks of the templates. */
export type Words = Record<(typeof wordNames)[number], string>
export const wordNames = [
  'id',
  'singular',
  'plural',
  'singular-kebab',
  'plural-kebab',
  'table',
  'Type',
  'Types',
  'Title',
  'Title-singular',
  'noun',
  'nouns',
  'Noun',
  'Nouns',
  'a-noun',
  'A-noun',
  'a-Type',
] as const

/** The name in all the ways that code and screens write it: 'session-notes' keeps `SessionNote`s in the table session_note. */
export function wordsOf(id: string): Words {
  const one = lastWord(id, singularOf)
  const many = lastWord(one, pluralOf)
  const [noun, nouns] = [spaced(one), spaced(many)]
  const [Type, Types] = [joined(one), joined(many)]
  return {
    id,
    singular: lowerFirst(Type),
    plural: lowerFirst(Types),
    'singular-kebab': one,
    'plural-kebab': many,
    table: one.replaceAll('-', '_'),
    Type,
    Types,
    Title: titled(id),
    'Title-singular': titled(one),
    noun,
    nouns,
    Noun: upperFirst(noun),
    Nouns: upperFirst(nouns),
    'a-noun': `${article(noun)} ${noun}`,
    'A-noun': `${upperFirst(article(noun))} ${noun}`,
    'a-Type': `${article(noun)} ${Type}`,
  }
}

const lastWord = (id: string, change: (word: string) => string): string => id.replace(/[^-]+$/, change)

function singularOf(word: string): string {
  if (/[^aeiou]ies$/.test(word)) return word.replace(/ies$/, 'y')
  if (/(ch|sh|ss|x)es$/.test(word)) return word.replace(/es$/, '')
  return /[^siu]s$/.test(word) ? word.replace(/s$/, '') : word
}

function pluralOf(word: string): string {
  if (/[^aeiou]y$/.test(word)) return word.replace(/y$/, 'ies')
  return /(ch|sh|s|x)$/.test(word) ? `${word}es` : `${word}s`
}

const spaced = (kebab: string): string => kebab.replaceAll('-', ' ')
const joined = (kebab: string): string => kebab.split('-').map(upperFirst).join('')
const titled = (kebab: string): string => kebab.split('-').map(upperFirst).join(' ')
const article = (noun: string): string => (/^[aeiou]/.test(noun) ? 'an' : 'a')
const upperFirst = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
const lowerFirst = (word: string): string => word.charAt(0).toLowerCase() + word.slice(1)
