import { enumParam, idParam, parseId, textParam, urlState } from '#app/lib/url.ts'

export const followUps = ['overdue', 'today', 'week', 'none'] as const
export type FollowUp = (typeof followUps)[number]

/** The board with its filters. `likely`: the least probability; the thresholds of the badge colors (part-2 §9). */
export const boardUrl = urlState('/pipeline', {
  q: textParam,
  source: textParam,
  likely: enumParam(['75', '50', '25']),
  followup: enumParam(followUps),
})
export type BoardFilters = ReturnType<typeof boardUrl.parse>

/** Pages through one stage without JavaScript. */
export const stagePageUrl = urlState('/pipeline', { stage: idParam, from: { parse: parseId, empty: 0 } })

export const isFiltered = (filters: BoardFilters): boolean => boardUrl.href(filters) !== boardUrl.href()
