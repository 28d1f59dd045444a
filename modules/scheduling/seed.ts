import { addDays, dateOf, instantOf } from '#app/lib/time.ts'
import { clientsNewestFirst, type ClientRecord } from '#modules/crm/index.ts'
import type { DemoPractice } from '#modules/core/manifest.ts'
import { prospectsNewestFirst } from '#modules/pipeline/index.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { NewAppointment } from './forms.ts'
import { appointmentsByStart } from './queries/appointments.ts'
import { addAppointment } from './services/appointments.ts'
import { addType } from './services/types.ts'
import type { AppointmentStatus } from './statuses.ts'

const day = 86_400_000
const suggested = ['Discovery', 'Coaching', 'Strategy', 'Follow-up', 'Consultation']

type Practice = {
  /** When on a day sessions begin, in the order in which clients choose. */
  hours: string[]
  /** When one client comes on Saturdays, and another one on Sundays. */
  weekend: [saturday: string, sunday: string]
  weeksBetween: number
  minutes: number
  titleOf: (client: ClientRecord, nth: number) => string
  room: string
  words: string[]
}

const practices: Record<DemoPractice['which'], Practice> = {
  first: {
    hours: ['10:00', '14:00', '09:00', '15:30', '11:30', '13:00', '16:30'],
    weekend: ['10:00', '17:00'],
    weeksBetween: 2,
    minutes: 60,
    titleOf: ({ program }, nth) =>
      nth % 7 === 6 ? 'Review: what has changed' : `${program ?? 'Coaching'}, session ${nth}`,
    room: 'https://meet.example.com/stillwater',
    words: [
      'Begin with what went well since last time, before the list.',
      'Bring the draft, however rough it is.',
      'Look at the calendar of the last two weeks together.',
      'The conversation that was put off: rehearse the first three sentences.',
      'Half an hour on the question, half an hour on the week ahead.',
      'Ask about sleep. Then ask again.',
    ],
  },
  second: {
    hours: ['08:00', '17:00', '12:00', '09:30', '16:00'],
    weekend: ['09:00', '08:00'],
    weeksBetween: 2,
    minutes: 45,
    titleOf: (_client, nth) => (nth % 6 === 5 ? 'Running check' : `Training talk ${nth}`),
    room: 'https://meet.example.com/north-star',
    words: [
      'Bring the log of the last two weeks.',
      'Easy pace means easy: look at the pulse.',
      'Plan the next block, with one week that is lighter.',
    ],
  },
}

/**
 * How many sessions come every other week, and once in four weeks after them, as billing's demo sells them to a program or to one client.
 * Who isn't named comes every other week.
 */
const packages: Record<string, number> = {
  'Career Transition': 12,
  'Life Coaching': 6,
  'Health & Wellness': 6,
  'Relationship Coaching': 3,
  'Startup Mentorship': 5,
  'Ingrid Solheim': 0,
  'Zeynep Şahin': 0,
}

type Session = {
  at: Date
  minutes: number
  title: string
  type: string
  clientId: number
  status: AppointmentStatus
  description: string | null
  meetingUrl: string | null
}

type Taken = Pick<Session, 'at' | 'minutes'>

/** The sessions of the practice since its clients came, and those of the weeks ahead. Nothing where there are appointments already. */
export async function seed(ctx: Ctx, { which, now }: DemoPractice): Promise<void> {
  if ((await appointmentsByStart(ctx, { rows: 1 })).length) return
  await ctx.write(async (tx) => {
    const on = (at: number): WriteCtx => ({ ...tx, now: () => new Date(Math.min(at, now.getTime())) })
    const types = new Map<string, number>()
    for (const name of suggested) types.set(name, (await addType(on(now.getTime() - 735 * day), { name })).id)
    const clients = (await clientsNewestFirst(tx, { rows: null, after: null })).reverse()
    const sessions = demoSessions(which, clients, now, ctx.account.timezone)
    for (const { at, minutes, type, ...session } of sessions) {
      const endTime = new Date(at.getTime() + minutes * 60_000)
      // What is over was written down when it ended, what is ahead some days ago.
      const written = at <= now ? endTime.getTime() : now.getTime() - (1 + (session.clientId % 9)) * day
      await addAppointment(
        on(written),
        NewAppointment.parse({
          ...session,
          startTime: at.toISOString(),
          endTime: endTime.toISOString(),
          appointmentTypeId: types.get(type),
        }),
      )
    }
    await callProspects(on(now.getTime() - day), practices[which], types.get('Discovery')!, now, sessions)
  })
}

/** All sessions with these clients, by their start: on each day of the week somebody comes, and no two at once. `clients`: the oldest first. */
export function demoSessions(
  which: DemoPractice['which'],
  clients: ClientRecord[],
  now: Date,
  zone: string,
): Session[] {
  // They come at the weekend.
  const [saturdays, sundays] = clients.filter(
    ({ status, createdAt }) => status === 'active' && now.getTime() - Date.parse(createdAt) < 300 * day,
  )
  const taken: Session[] = []
  for (const [nth, client] of clients.entries()) {
    taken.push(
      ...sessionsWith(client, nth, practices[which], now, zone, {
        weekday: client === saturdays ? 6 : client === sundays ? 7 : null,
        taken,
      }),
    )
  }
  const today = dateOf(now, zone)
  if (!taken.some(({ at, status }) => dateOf(at, zone) === today && status !== 'cancelled'))
    taken.push(...extraOn(today, clients, practices[which], now, zone, taken))
  return taken.sort((a, b) => a.at.getTime() - b.at.getTime())
}

/** On a day to which nobody's turn comes: somebody who isn't seen in the days around it. */
function extraOn(
  date: string,
  clients: ClientRecord[],
  { hours, minutes, room }: Practice,
  now: Date,
  zone: string,
  taken: Session[],
): Session[] {
  const at = freeAt(date, hours, minutes, zone, taken)
  const active = clients.filter(({ status }) => status === 'active')
  const client =
    active.find(({ id }) =>
      taken.every((other) => other.clientId !== id || Math.abs(other.at.getTime() - at.getTime()) > 3 * day),
    ) ?? active[0]
  return client
    ? [
        {
          at,
          minutes,
          title: 'An extra session',
          type: 'Follow-up',
          clientId: client.id,
          status: statusOf(at, 0, minutes, now),
          description: null,
          meetingUrl: room,
        },
      ]
    : []
}

/** The first of these times of a day at which nobody else comes. */
function freeAt(date: string, times: string[], minutes: number, zone: string, taken: Taken[]): Date {
  for (const time of times) {
    const at = instantOf(date, time, zone)
    if (
      taken.every(
        (other) =>
          at.getTime() + minutes * 60_000 <= other.at.getTime() ||
          at.getTime() >= other.at.getTime() + other.minutes * 60_000,
      )
    )
      return at
  }
  return instantOf(date, times[0]!, zone)
}

/** One client's sessions: each has a weekday and an hour of their own, every other week; two of them at the weekend (6, 7). */
function sessionsWith(
  client: ClientRecord,
  nth: number,
  { hours, weekend, weeksBetween, minutes, titleOf, room, words }: Practice,
  now: Date,
  zone: string,
  { weekday, taken }: { weekday: 6 | 7 | null; taken: Session[] },
): Session[] {
  const began = dateOf(client.createdAt, zone)
  const whole = Math.floor((now.getTime() - Date.parse(client.createdAt)) / day)
  const last = { completed: whole * 0.67, inactive: whole * 0.5, pending: 0, active: whole + 38 }[client.status]
  const time = weekday ? weekend[weekday - 6]! : hours[nth % hours.length]!
  const inPackage = packages[client.name] ?? packages[client.program ?? ''] ?? Infinity
  const sessions: Session[] = []
  // They begin on the day on which they came: with a call, or with the work where the board saw the calls.
  const knows = client.convertedAt !== null
  let date = began
  for (let count = 0; count <= 60; count++) {
    const passed = (Date.parse(date) - Date.parse(began)) / day
    if (count > 0 && passed > last) break
    const chance = chanceOf(nth, count)
    const first = count === 0
    // Now and then a week doesn't suit: a day later, an hour later.
    const moved = !first && !weekday && chance % 11 === 4
    const later = `${String(Number(time.slice(0, 2)) + 1).padStart(2, '0')}${time.slice(2)}`
    const on = moved ? addDays(date, date === onWeekday(date, 5) ? -1 : 1) : date
    const call = first && !knows
    const at = freeAt(on, [moved ? later : time, ...hours, '18:00', '07:00'], call ? 30 : minutes, zone, taken)
    sessions.push({
      at,
      minutes: call ? 30 : minutes,
      title: call ? 'Discovery call' : titleOf(client, knows ? count + 1 : count),
      type: call
        ? 'Discovery'
        : count % 7 === 6
          ? 'Follow-up'
          : client.program === 'Startup Mentorship' || client.program === 'Business Coaching'
            ? 'Strategy'
            : 'Coaching',
      clientId: client.id,
      status: statusOf(at, weekday ? 0 : chance, minutes, now),
      description: chance % 4 === 1 ? words[chance % words.length]! : null,
      meetingUrl: chance % 3 ? room : null,
    })
    date = addDays(date, 7 * (count < inPackage ? weeksBetween : weeksBetween * 2))
    if (first) date = onWeekday(date, weekday ?? 1 + ((nth * 3) % 5))
  }
  return sessions
}

/** 0 to 96, the same each time. */
function chanceOf(nth: number, count: number): number {
  return ((Math.imul(nth + 1, 40_503) ^ Math.imul(count + 1, 69_621)) >>> 5) % 97
}

function statusOf(at: Date, chance: number, minutes: number, now: Date): AppointmentStatus {
  const ahead = at.getTime() - now.getTime()
  if (chance % 14 === 3) return 'cancelled'
  // The latest ones the coach has yet to mark.
  if (ahead < -(minutes * 60_000 + 3 * 3_600_000)) return 'completed'
  return ahead < 9 * day && chance % 3 !== 0 ? 'confirmed' : 'scheduled'
}

/** When these many are called in the coming days: beside no session, and one after the other. */
export function demoCalls(count: number, now: Date, zone: string, sessions: Taken[]): Date[] {
  const taken = [...sessions]
  return Array.from({ length: count }, (_, nth) => {
    const at = freeAt(
      onWeekday(addDays(dateOf(now, zone), 1 + nth * 2), 0),
      ['12:30', '12:15', '15:00', '17:45', '18:30'],
      30,
      zone,
      taken,
    )
    taken.push({ at, minutes: 30 })
    return at
  })
}

/** Discovery calls with some of those on the board. */
async function callProspects(
  ctx: WriteCtx,
  { room }: Practice,
  appointmentTypeId: number,
  now: Date,
  taken: Session[],
): Promise<void> {
  const prospects = await prospectsNewestFirst(ctx, { rows: 4 })
  const calls = demoCalls(prospects.length, now, ctx.account.timezone, taken)
  for (const [nth, { id, name }] of prospects.entries()) {
    const at = calls[nth]!
    await addAppointment(
      ctx,
      NewAppointment.parse({
        title: `Discovery call with ${name.split(' ')[0]}`,
        prospectId: id,
        appointmentTypeId,
        startTime: at.toISOString(),
        endTime: new Date(at.getTime() + 30 * 60_000).toISOString(),
        meetingUrl: room,
      }),
    )
  }
}

/** The first such weekday (1: Monday, 7: Sunday; 0: whichever is not of the weekend) on or after a day. */
function onWeekday(date: string, weekday: number): string {
  const at = new Date(`${date}T00:00:00Z`).getUTCDay()
  if (weekday === 0) return at === 6 ? addDays(date, 2) : at === 0 ? addDays(date, 1) : date
  return addDays(date, (weekday - at + 7) % 7)
}
