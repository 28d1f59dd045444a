// ROUGE (Lin, 2004), without stemming and without a list of stop words.

export type Rouge = { rouge1: number; rouge2: number; rougeL: number }

/** F1 of the overlap of words, of pairs of words, and of the longest common subsequence. */
export function measureRouge(summary: string, reference: string): Rouge {
  const [ours, theirs] = [toTokens(summary), toTokens(reference)]
  return {
    rouge1: overlap(ours, theirs),
    rouge2: overlap(toPairs(ours), toPairs(theirs)),
    rougeL: f1(findCommonLength(ours, theirs), ours.length, theirs.length),
  }
}

export const toTokens = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

const toPairs = (tokens: string[]): string[] => tokens.slice(1).map((token, index) => `${tokens[index]} ${token}`)

function overlap(ours: string[], theirs: string[]): number {
  const left = new Map<string, number>()
  for (const token of theirs) left.set(token, (left.get(token) ?? 0) + 1)
  let matches = 0
  for (const token of ours) {
    const count = left.get(token) ?? 0
    if (count > 0) matches++
    left.set(token, count - 1)
  }
  return f1(matches, ours.length, theirs.length)
}

function findCommonLength(ours: string[], theirs: string[]): number {
  let previous = new Uint32Array(theirs.length + 1)
  for (const token of ours) {
    const current = new Uint32Array(theirs.length + 1)
    for (const [index, other] of theirs.entries())
      current[index + 1] = token === other ? previous[index]! + 1 : Math.max(previous[index + 1]!, current[index]!)
    previous = current
  }
  return previous.at(-1)!
}

function f1(matches: number, ours: number, theirs: number): number {
  return matches === 0 ? 0 : (2 * matches) / (ours + theirs)
}
