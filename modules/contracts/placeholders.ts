/** The placeholders of contracts, such as {{client name}}, with what they stand for. */
export const placeholders = {
  'client name': 'the client’s name',
  'client email': 'the client’s email address',
  'coach name': 'your name',
  'coach email': 'your email address',
  'practice name': 'the name of your practice',
  date: 'the day on which it is sent',
  product: 'the product of the contract',
  price: 'the price of the contract',
} as const
export type PlaceholderName = keyof typeof placeholders
export type PlaceholderValues = Record<PlaceholderName, string | null>

const pattern = /\{\{([^{}]*)\}\}/g

const normalize = (name: string): string => name.trim().toLowerCase().replaceAll(/\s+/g, ' ')

const isKnown = (name: string): name is PlaceholderName => Object.hasOwn(placeholders, name)

/** The message about a placeholder that there isn't, or that has no end; null for a text that can be filled. */
export function findPlaceholderProblem(text: string): string | null {
  for (const [whole, name = ''] of text.matchAll(pattern))
    if (!isKnown(normalize(name)))
      return `There is no placeholder ${shorten(whole)}. Use ${Object.keys(placeholders)
        .map((known) => `{{${known}}}`)
        .join(', ')}.`
  const rest = text.replaceAll(pattern, '')
  return rest.includes('{{') || rest.includes('}}')
    ? 'A placeholder needs two braces on each side: {{client name}}.'
    : null
}

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…}}` : text)

/** The names of the placeholders in a text, each once. */
export function listPlaceholders(text: string): PlaceholderName[] {
  const names = [...text.matchAll(pattern)].map(([, name = '']) => normalize(name))
  return [...new Set(names)].filter(isKnown)
}

/** Fills a text, once: a value that looks like a placeholder stays as it is. Those without a value stay, too. */
export function fillPlaceholders(text: string, values: PlaceholderValues): string {
  return text.replaceAll(pattern, (whole, name: string) => {
    const known = normalize(name)
    return isKnown(known) ? (values[known] ?? whole) : whole
  })
}
