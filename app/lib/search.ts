/** The largest number of search results. */
export const searchLimit = 8

/** Parses a search term: at most 200 characters, without those that Postgres can't store. */
export function parseSearchTerm(text: string | null | undefined): string {
  return (text ?? '').toWellFormed().replaceAll('\0', '').slice(0, 200)
}

/** Name matches first, then content matches, without duplicates. */
export function mergeHits<Hit extends { type: string; id: number }>(nameMatches: Hit[], contentMatches: Hit[]): Hit[] {
  const known = new Set(nameMatches.map(({ type, id }) => `${type} ${id}`))
  const others = contentMatches.filter(({ type, id }) => !known.has(`${type} ${id}`))
  return [...nameMatches, ...others].slice(0, searchLimit)
}
