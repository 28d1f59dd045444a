/** The forms of a module's name that the templates use. */
export type Names = Record<(typeof nameKeys)[number], string>
export const nameKeys = [
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

/** 'session-notes' → table session_note, type SessionNote, title 'Session Notes'. */
export function inflect(id: string): Names {
  const one = changeLastWord(id, toSingular)
  const many = changeLastWord(one, toPlural)
  const [noun, nouns] = [toWords(one), toWords(many)]
  const [Type, Types] = [toPascalCase(one), toPascalCase(many)]
  return {
    id,
    singular: lowerFirst(Type),
    plural: lowerFirst(Types),
    'singular-kebab': one,
    'plural-kebab': many,
    table: one.replaceAll('-', '_'),
    Type,
    Types,
    Title: toTitle(id),
    'Title-singular': toTitle(one),
    noun,
    nouns,
    Noun: upperFirst(noun),
    Nouns: upperFirst(nouns),
    'a-noun': `${article(noun)} ${noun}`,
    'A-noun': `${upperFirst(article(noun))} ${noun}`,
    'a-Type': `${article(noun)} ${Type}`,
  }
}

const changeLastWord = (id: string, change: (word: string) => string): string => id.replace(/[^-]+$/, change)

function toSingular(word: string): string {
  if (/[^aeiou]ies$/.test(word)) return word.replace(/ies$/, 'y')
  if (/(ch|sh|ss|x)es$/.test(word)) return word.replace(/es$/, '')
  return /[^siu]s$/.test(word) ? word.replace(/s$/, '') : word
}

function toPlural(word: string): string {
  if (/[^aeiou]y$/.test(word)) return word.replace(/y$/, 'ies')
  return /(ch|sh|s|x)$/.test(word) ? `${word}es` : `${word}s`
}

const toWords = (kebab: string): string => kebab.replaceAll('-', ' ')
const toPascalCase = (kebab: string): string => kebab.split('-').map(upperFirst).join('')
const toTitle = (kebab: string): string => kebab.split('-').map(upperFirst).join(' ')
const article = (noun: string): string => (/^[aeiou]/.test(noun) ? 'an' : 'a')
const upperFirst = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
const lowerFirst = (word: string): string => word.charAt(0).toLowerCase() + word.slice(1)
