/** What the search finds is at most so much. */
export const searchLimit = 8

/** What is found by its name, and behind it what says it in words, each record once. */
export function foundTogether<Hit extends { type: string; id: number }>(named: Hit[], saying: Hit[]): Hit[] {
  const known = new Set(named.map(({ type, id }) => `${type} ${id}`))
  return [...named, ...saying.filter(({ type, id }) => !known.has(`${type} ${id}`))].slice(0, searchLimit)
}
