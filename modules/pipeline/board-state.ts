import { searchLine } from '#app/lib/search-term.ts'

export const followUps = ['overdue', 'today', 'week', 'none'] as const
export type FollowUp = (typeof followUps)[number]
/** Where the color of the badge changes. Source: part-2 §9. */
export const likelihoods = [75, 50, 25] as const

/** What of the board is shown: all of it stands in the address. `from`: where a stage begins, before scripts. */
export type BoardState = {
  q: string
  source: string
  likely: number
  followUp: FollowUp | ''
  stage: number
  from: number
}

/** Reads an address. What isn't known shows all. */
export function boardState(params: URLSearchParams): BoardState {
  const likely = Number(params.get('likely'))
  return {
    q: searchLine(params.get('q') ?? ''),
    source: searchLine(params.get('source') ?? ''),
    likely: likelihoods.find((least) => least === likely) ?? 0,
    followUp: followUps.find((when) => when === params.get('followup')) ?? '',
    stage: whole(params.get('stage')),
    from: whole(params.get('from')),
  }
}

export const isFiltered = ({ q, source, likely, followUp }: BoardState): boolean =>
  Boolean(q || source || likely || followUp)

/** The address of the board in this state; `more` opens a dialog. */
export function boardAddress({ q, source, likely, followUp }: BoardState, more: Record<string, string> = {}): string {
  const params = new URLSearchParams()
  if (q) params.set('q', q)
  if (source) params.set('source', source)
  if (likely) params.set('likely', String(likely))
  if (followUp) params.set('followup', followUp)
  for (const [name, value] of Object.entries(more)) params.set(name, value)
  const query = params.toString()
  return query ? `/pipeline?${query}` : '/pipeline'
}

function whole(value: string | null): number {
  return value && /^[1-9]\d{0,14}$/.test(value) ? Number(value) : 0
}
