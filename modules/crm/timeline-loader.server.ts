import { excerpt } from '#app/lib/markup.ts'
import { addDays, localDate, formatDate } from '#app/lib/time.ts'
import { fillSlot } from '#modules/core/slots.ts'
import type { Ctx } from '#tenants/context.ts'
import type { TimelineEntry } from './slots.ts'

export const timelinePageSize = 15
const maxEntries = 500

export type TimelineDay = {
  day: string
  entries: { key: string; kind: string; title: string; text: string | null; to: string | null }[]
}
export type Timeline = {
  /** The kinds that occur. */
  kinds: string[]
  /** The selected filter. */
  kind: string | null
  days: TimelineDay[]
  /** The `shown` param for more entries; null if there are none. */
  nextShown: number | null
}

/** The entries of all modules about a client, newest first, grouped by day in the coach's time zone. */
export async function loadTimeline(ctx: Ctx, clientId: number, params: URLSearchParams): Promise<Timeline> {
  const requested = Number.parseInt(params.get('shown') ?? '', 10) || timelinePageSize
  const shown = Math.min(maxEntries, Math.max(timelinePageSize, requested))
  const contributions = await fillSlot(ctx, 'client.timeline', { id: String(clientId), rows: String(shown + 1) })
  const all = contributions.flatMap(({ data }) => data as TimelineEntry[]).sort(newestFirst)
  const kinds = [...new Set(all.map(({ kind }) => kind))].sort()
  const kind = kinds.find((name) => name === params.get('kind')) ?? null
  const filtered = kind === null ? all : all.filter((entry) => entry.kind === kind)
  return {
    kinds,
    kind,
    days: groupByDay(ctx, filtered.slice(0, shown)),
    nextShown: filtered.length > shown && shown < maxEntries ? shown + timelinePageSize : null,
  }
}

function newestFirst(a: TimelineEntry, b: TimelineEntry): number {
  return a.at === b.at ? (a.key < b.key ? 1 : -1) : a.at < b.at ? 1 : -1
}

function groupByDay(ctx: Ctx, entries: TimelineEntry[]): TimelineDay[] {
  const zone = ctx.account.timezone
  const today = localDate(ctx.now(), zone)
  const dayNames: Record<string, string> = { [addDays(today, -1)]: 'Yesterday', [today]: 'Today' }
  const days: TimelineDay[] = []
  for (const { at, key, kind, title, text, to } of entries) {
    const day = dayNames[localDate(at, zone)] ?? formatDate(at, zone)
    const entry = { key, kind, title, text: text && (excerpt(text, 280) || null), to }
    const last = days.at(-1)
    if (last?.day === day) last.entries.push(entry)
    else days.push({ day, entries: [entry] })
  }
  return days
}
