import { parseFilterText } from '#app/lib/url.ts'

export const followUps = ['overdue', 'today', 'week', 'none'] as const
export type FollowUp = (typeof followUps)[number]
/** Percent; the thresholds of the badge colors. Source: part-2 §9. */
export const minProbabilities = [75, 50, 25] as const

/** The filters of the board, all in the URL. `stage` and `from` page through one stage without JavaScript. */
export type BoardState = {
  q: string
  source: string
  likely: number
  followUp: FollowUp | ''
  stage: number
  from: number
}

/** Unknown values are ignored. */
export function parseBoardState(params: URLSearchParams): BoardState {
  const likely = Number(params.get('likely'))
  return {
    q: parseFilterText(params.get('q') ?? ''),
    source: parseFilterText(params.get('source') ?? ''),
    likely: minProbabilities.find((least) => least === likely) ?? 0,
    followUp: followUps.find((when) => when === params.get('followup')) ?? '',
    stage: parsePositiveInt(params.get('stage')),
    from: parsePositiveInt(params.get('from')),
  }
}

export const isFiltered = ({ q, source, likely, followUp }: BoardState): boolean =>
  Boolean(q || source || likely || followUp)

/** The URL of the board with these filters; `extra` params open a dialog. */
export function boardHref({ q, source, likely, followUp }: BoardState, extra: Record<string, string> = {}): string {
  const params = new URLSearchParams()
  if (q) params.set('q', q)
  if (source) params.set('source', source)
  if (likely) params.set('likely', String(likely))
  if (followUp) params.set('followup', followUp)
  for (const [name, value] of Object.entries(extra)) params.set(name, value)
  const query = params.toString()
  return query ? `/pipeline?${query}` : '/pipeline'
}

function parsePositiveInt(value: string | null): number {
  return value && /^[1-9]\d{0,14}$/.test(value) ? Number(value) : 0
}
