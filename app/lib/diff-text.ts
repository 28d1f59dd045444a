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
