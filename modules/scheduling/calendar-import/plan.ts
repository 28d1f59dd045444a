import type { Ctx } from '#tenants/context.ts'
import { createHash } from 'node:crypto'
import { dayMs } from '#app/lib/time.ts'
import { listClientContacts } from '#modules/crm/index.ts'
import { isOwnUid } from '../messages/ics.ts'
import type { CalendarFile, FileEvent, LeaveReason } from './read-calendar.ts'

/** An event to add. With a client it becomes an appointment, otherwise a busy time. */
export type PlannedEvent = Omit<FileEvent, 'key' | 'uid' | 'emails' | 'start' | 'end'> & {
  /** The hash of its key, in hexadecimal. */
  hash: string
  clientId: number | null
  start: string
  end: string
}
export type ImportContent = PlannedEvent[]

/** The occurrences of one event, as the preview shows them. */
export type PlannedSeries = {
  title: string
  clientName: string | null
  start: string
  end: string
  isAllDay: boolean
  count: number
}

export type ImportSummary = {
  appointments: number
  busyTimes: number
  series: { appointments: PlannedSeries[]; busyTimes: PlannedSeries[] }
  leftOut: Partial<Record<LeaveReason | PlanReason, number>>
  unknownZones: string[]
}

export const planReasons = {
  known: 'imported before, or from here',
  past: 'over, and of nobody you know as a client',
} as const
export type PlanReason = keyof typeof planReasons

/** How many series of each kind the preview lists. */
const maxListed = 100
/** Longer events, such as a holiday, are no appointments. */
const maxAppointmentMs = dayMs

/** Decides what becomes of the events of a file. */
export async function planImport(
  ctx: Ctx,
  file: CalendarFile,
): Promise<{ content: ImportContent; summary: ImportSummary }> {
  const findClient = createClientSearch(await listClientContacts(ctx), ctx.account.email)
  const known = await listKnownHashes(ctx)
  const leftOut: ImportSummary['leftOut'] = { ...file.leftOut }
  const leave = (reason: PlanReason) => (leftOut[reason] = (leftOut[reason] ?? 0) + 1)
  const content: ImportContent = []
  const series = { appointments: new Map<string, PlannedSeries>(), busyTimes: new Map<string, PlannedSeries>() }
  const events = file.events.toSorted((a, b) => a.start.getTime() - b.start.getTime())
  for (const { key, uid, emails, start, end, ...event } of events) {
    const hash = createHash('sha256').update(key).digest('hex')
    if (known.has(hash) || isOwnUid(ctx.platform.config, uid)) {
      leave('known')
      continue
    }
    const isSession = !event.isAllDay && end.getTime() - start.getTime() <= maxAppointmentMs
    const client = isSession ? findClient(emails, event.title) : null
    if (!client && end <= ctx.now()) {
      leave('past')
      continue
    }
    const times = { start: start.toISOString(), end: end.toISOString() }
    content.push({ ...event, ...times, hash, clientId: client?.id ?? null })
    const listed = client ? series.appointments : series.busyTimes
    const first = listed.get(uid)
    if (first) first.count++
    else {
      const { title, isAllDay } = event
      listed.set(uid, { title, clientName: client?.name ?? null, ...times, isAllDay, count: 1 })
    }
  }
  const appointments = content.filter(({ clientId }) => clientId !== null).length
  return {
    content,
    summary: {
      appointments,
      busyTimes: content.length - appointments,
      series: {
        appointments: [...series.appointments.values()].slice(0, maxListed),
        busyTimes: [...series.busyTimes.values()].slice(0, maxListed),
      },
      leftOut,
      unknownZones: file.unknownZones,
    },
  }
}

type Contact = { id: number; name: string; email: string }

/**
 * Finds the client of an event: the only one who takes part, otherwise the only one whose full name, of two words or
 * more, is in the title.
 */
export function createClientSearch(
  clients: Contact[],
  ownEmail: string,
): (emails: string[], title: string) => Contact | null {
  const byEmail = Map.groupBy(clients, ({ email }) => email.toLowerCase())
  const byName = Map.groupBy(clients, ({ name }) => toWords(name).join(' '))
  return (emails, title) => {
    const others = new Set(emails.filter((email) => email !== ownEmail.toLowerCase()))
    const invited = onlyOne([...others].flatMap((email) => byEmail.get(email) ?? []))
    if (invited) return invited
    const words = toWords(title).slice(0, 40)
    const named = words.flatMap((_, from) =>
      [2, 3, 4, 5].flatMap((count) =>
        from + count <= words.length ? (byName.get(words.slice(from, from + count).join(' ')) ?? []) : [],
      ),
    )
    return onlyOne(named)
  }
}

const onlyOne = (found: Contact[]): Contact | null => {
  const ids = new Set(found.map(({ id }) => id))
  return ids.size === 1 ? found[0]! : null
}

const toWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}'’-]+/u)
    .filter(Boolean)

/** SQL over an imported event `e`: it is not added again. After undoing an import, only while its session exists. */
export const isKnownSql = `(e.calendar_import_id is not null or exists (
  select 1 from appointment a where a.coach_id = $1 and a.id = e.appointment_id and a.deleted_at is null))`

async function listKnownHashes(ctx: Ctx): Promise<Set<string>> {
  const rows = await ctx.query<{ hash: string }>({
    name: 'scheduling.imported-keys',
    text: `select encode(e.key_hash, 'hex') as hash from imported_event e where e.coach_id = $1 and ${isKnownSql}`,
    values: [ctx.coachId],
  })
  return new Set(rows.map(({ hash }) => hash))
}
