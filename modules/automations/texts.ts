// Texts with placeholders, such as those of emails. No server code: the browser may use it.

const pattern = /\{\{([^{}]*)\}\}/g
const normalize = (name: string): string => name.trim().toLowerCase().replaceAll(/\s+/g, ' ')

/** Placeholders that each trigger has. */
export const commonPlaceholders: Record<string, string> = {
  'client name': 'The full name of the client or prospect',
  'client first name': 'The first part of their name',
  'coach name': 'Your name or that of your business',
}

/** The problem with the placeholders of a text, or null. */
export function findPlaceholderProblem(text: string, known: readonly string[]): string | null {
  const unknown = [...text.matchAll(pattern)].find(([, name = '']) => !known.includes(normalize(name)))
  if (unknown) return `There is no placeholder ${unknown[0]} here`
  return /\{\{|\}\}/.test(text.replaceAll(pattern, '')) ? 'Write placeholders as {{client name}}' : null
}

/** Each placeholder as its value, once: a value is never read as a placeholder. Unknown ones stay. */
const fill = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replaceAll(pattern, (found, name: string) => values.get(normalize(name)) ?? found)

/** One line: a value can't add a header. */
export const fillLine = (text: string, values: ReadonlyMap<string, string>): string =>
  fill(text, values)
    // oxlint-disable-next-line no-control-regex -- what no header may contain
    .replaceAll(/[\s\u0000-\u001f\u007f]+/g, ' ')
    .trim()

/** Leaves out lines whose placeholder has no value, such as the place of a session that has none. */
export function fillText(text: string, values: ReadonlyMap<string, string>): string {
  const lacksValue = (line: string) =>
    [...line.matchAll(pattern)].some(([, name = '']) => values.get(normalize(name)) === '')
  const lines = text.split('\n').filter((line) => !lacksValue(line))
  return fill(lines.join('\n'), values).trim()
}

export const toParagraphs = (text: string): string[] =>
  text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean)
