/**
 * How well a text matches a search term, best first: at its start, at the start of a word, inside a word, not at all.
 */
export const matchQualities = ['start', 'word', 'inside', 'none'] as const
export type MatchQuality = (typeof matchQualities)[number]

/** Ignores case and accents. */
export function matchQuality(text: string, term: string): MatchQuality {
  const [haystack, needle] = [normalize(text), normalize(term.trim())]
  let quality: MatchQuality = 'none'
  for (let index = haystack.indexOf(needle); index !== -1; index = haystack.indexOf(needle, index + 1)) {
    if (index === 0) return 'start'
    if (!/[\p{L}\p{N}]$/u.test(haystack.slice(0, index))) return 'word'
    quality = 'inside'
  }
  return quality
}

/** Ranks a search hit, lower is better. Any match in the title comes before a match in the subtitle alone. */
export function rankHit({ title, subtitle }: { title: string; subtitle: string | null }, term: string): number {
  const byTitle = matchQuality(title, term)
  if (byTitle !== 'none') return matchQualities.indexOf(byTitle)
  return matchQualities.length + matchQualities.indexOf(matchQuality(subtitle ?? '', term))
}

const normalize = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
