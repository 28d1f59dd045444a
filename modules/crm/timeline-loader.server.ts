import { excerpt } from '#app/lib/markup.ts'
import { addDays, dateOf, dayOf } from '#app/lib/time.ts'
import { fill } from '#modules/core/slots.ts'
import type { Ctx } from '#tenants/context.ts'
import type { TimelineEntry } from './slots.ts'

export const timelineStep = 15
const most = 500

export type TimelineDay = {
  day: string
  entries: { key: string; kind: string; title: string; text: string | null; to: string | null }[]
}
export type Timeline = {
  /** Those that there are; `kind`: the one that is shown alone. */
  kinds: string[]
  kind: string | null
  days: TimelineDay[]
  /** How many entries the next page has in all; null when there are no more. */
  more: number | null
}

/** All that concerns a client, of all modules, newest first, by the days of the coach. */
export async function timelineOf(ctx: Ctx, clientId: number, params: URLSearchParams): Promise<Timeline> {
  const shown = Math.min(most, Math.max(timelineStep, Number.parseInt(params.get('shown') ?? '', 10) || timelineStep))
  const parts = await fill(ctx, 'client.timeline', { id: String(clientId), rows: String(shown + 1) })
  const all = parts.flatMap(({ data }) => data as TimelineEntry[]).sort(newestFirst)
  const kinds = [...new Set(all.map(({ kind }) => kind))].sort()
  const asked = params.get('kind')
  const kind = asked !== null && kinds.includes(asked) ? asked : null
  const wanted = kind === null ? all : all.filter((entry) => entry.kind === kind)
  return {
    kinds,
    kind,
    days: daysOf(ctx, wanted.slice(0, shown)),
    more: wanted.length > shown && shown < most ? shown + timelineStep : null,
  }
}

function newestFirst(a: TimelineEntry, b: TimelineEntry): number {
  return a.at === b.at ? (a.key < b.key ? 1 : -1) : a.at < b.at ? 1 : -1
}

function daysOf(ctx: Ctx, entries: TimelineEntry[]): TimelineDay[] {
  const zone = ctx.account.timezone
  const today = dateOf(ctx.now(), zone)
  const words: Record<string, string> = { [addDays(today, -1)]: 'Yesterday', [today]: 'Today' }
  const days: TimelineDay[] = []
  for (const { at, key, kind, title, text, to } of entries) {
    const day = words[dateOf(at, zone)] ?? dayOf(at, zone)
    const entry = { key, kind, title, text: text && (excerpt(text, 280) || null), to }
    const last = days.at(-1)
    if (last?.day === day) last.entries.push(entry)
    else days.push({ day, entries: [entry] })
  }
  return days
}
