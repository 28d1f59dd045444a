/** Limits of the tags of a record. A tag is a text without commas, compared without case. */
export const maxTags = 20
export const maxTagLength = 40

/** Tags as people type them, separated by commas: each once, whatever its case. */
export const parseTags = (text: string): string[] => withoutRepeats(text.split(','))

export const isSameTag = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** The tags without blank ones and repeats. */
export function withoutRepeats(tags: readonly string[]): string[] {
  const known = new Set<string>()
  return tags
    .map((tag) => tag.replaceAll(/\s+/g, ' ').trim())
    .filter((tag) => {
      const key = tag.toLowerCase()
      const isNew = tag !== '' && !known.has(key)
      known.add(key)
      return isNew
    })
}
