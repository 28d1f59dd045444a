import { addDays, localDate, zonedToInstant, dayMs } from '#app/lib/time.ts'
import { listClientOptions, listClients, type ClientRecord } from '#modules/crm/index.ts'
import type { DemoPractice } from '#modules/core/manifest.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import type { Answer } from './booking-fields.ts'
import { NewAppointment, NewAppointments, ScheduleInput, type AppointmentTypeInput } from './forms.ts'
import { listAppointments } from './queries/appointments.ts'
import { listSchedules } from './queries/schedules.ts'
import { saveAgenda } from './services/agendas.ts'
import { createAppointment, insertAppointment } from './services/appointments.ts'
import { updateMessageSettings } from './services/message-settings.ts'
import { saveMessageText } from './services/message-texts.ts'
import { createSchedule } from './services/schedules.ts'
import { createAppointments } from './services/series.ts'
import { createType } from './services/types.ts'
import type { AppointmentStatus } from './fields.ts'
import { getProspects } from './prospects.ts'

const suggested = ['Discovery', 'Coaching', 'Strategy', 'Follow-up', 'Consultation']

/** The type that visitors can book. */
const discoveryBooking = {
  slug: 'discovery-call',
  description: 'Half an hour to see whether we fit. No preparation needed, no obligation.',
  color: '#3B82F6',
  durations: [30, 45],
  locationKind: 'video',
  visibility: 'public',
  bufferAfter: 15,
  minimumNoticeMinutes: 720,
  dailyLimit: 3,
  cancellationNoticeMinutes: 1440,
  questions: [
    { id: 'topic', label: 'What would you like to talk about?', kind: 'long', required: true, options: [] },
    {
      id: 'source',
      label: 'How did you hear about me?',
      kind: 'choice',
      required: false,
      options: ['A friend', 'Search', 'Social media', 'Something else'],
    },
  ],
} satisfies Partial<AppointmentTypeInput>

const demoFollowUp = {
  subject: 'After our session, {{client first name}}',
  body: [
    'Hello {{client first name}},',
    'Thank you for the time on {{date}}. What is the one thing that you take with you?',
    'Until next time\n{{coach name}}',
  ].join('\n\n'),
}

/** The notes of a visitor who booked; none for a call that the coach entered. */
const bookingAnswers: Answer[][] = [
  ['Whether to change jobs now, or to wait for the spring.', 'A friend'].map((answer, index) => ({
    question: discoveryBooking.questions[index]!.label,
    answer,
  })),
  [],
]

type Practice = {
  /** Working hours from Monday to Friday. */
  workingHours: [start: string, end: string][]
  /** The start times, in the order in which clients get them. */
  hours: string[]
  /** The start times of one client on Saturdays, and of another on Sundays. */
  weekend: [saturday: string, sunday: string]
  weeksBetween: number
  minutes: number
  toTitle: (client: ClientRecord, index: number) => string
  meetingRoom: string
  descriptions: string[]
}

const practices: Record<DemoPractice['which'], Practice> = {
  first: {
    workingHours: [
      ['09:00', '12:30'],
      ['13:00', '18:00'],
    ],
    hours: ['10:00', '14:00', '09:00', '15:30', '11:30', '13:00', '16:30'],
    weekend: ['10:00', '17:00'],
    weeksBetween: 2,
    minutes: 60,
    toTitle: ({ program }, index) =>
      index % 7 === 6 ? 'Review: what has changed' : `${program ?? 'Coaching'}, session ${index}`,
    meetingRoom: 'https://meet.example.com/stillwater',
    descriptions: [
      'Begin with what went well since last time, before the list.',
      'Bring the draft, however rough it is.',
      'Look at the calendar of the last two weeks together.',
      'The conversation that was put off: rehearse the first three sentences.',
      'Half an hour on the question, half an hour on the week ahead.',
      'Ask about sleep. Then ask again.',
    ],
  },
  second: {
    workingHours: [
      ['08:00', '10:30'],
      ['16:00', '19:00'],
    ],
    hours: ['08:00', '17:00', '12:00', '09:30', '16:00'],
    weekend: ['09:00', '08:00'],
    weeksBetween: 2,
    minutes: 45,
    toTitle: (_client, index) => (index % 6 === 5 ? 'Running check' : `Training talk ${index}`),
    meetingRoom: 'https://meet.example.com/north-star',
    descriptions: [
      'Bring the log of the last two weeks.',
      'Easy pace means easy: look at the pulse.',
      'Plan the next block, with one week that is lighter.',
    ],
  },
}

/** The number of biweekly sessions by program or client, before one every four weeks. Default: always biweekly. */
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

/** Adds the sessions since the clients joined and of the coming weeks, unless there are appointments already. */
export async function seed(ctx: Ctx, { which, now }: DemoPractice): Promise<void> {
  if ((await listAppointments(ctx, { rows: 1 })).length) return
  await ctx.write(async (tx) => {
    const on = (at: number): WriteCtx => ({ ...tx, now: () => new Date(Math.min(at, now.getTime())) })
    const began = now.getTime() - 735 * dayMs
    if (!(await listSchedules(tx, { rows: 1 })).length) {
      await createSchedule(on(began), demoSchedule(practices[which], now, ctx.account.timezone))
      await createSchedule(on(began), eveningSchedule)
    }
    await saveMessageText(on(began), 'follow_up', demoFollowUp)
    await updateMessageSettings(on(began), { followUp: true })
    const types = new Map<string, number>()
    for (const name of suggested) {
      const booking = name === 'Discovery' ? discoveryBooking : {}
      types.set(name, (await createType(on(began), { name, ...booking })).id)
    }
    const clients = (await listClients(tx, { rows: null, after: null })).reverse()
    const [first] = await listClientOptions(tx, { rows: 1 })
    const sessions = demoSessions(which, clients, now, ctx.account.timezone, first?.id)
    for (const { at, minutes, type, ...session } of sessions) {
      const endTime = new Date(at.getTime() + minutes * 60_000)
      // Past sessions are recorded when they end, upcoming ones some days ago.
      const recordedAt = at <= now ? endTime.getTime() : now.getTime() - (1 + (session.clientId % 9)) * dayMs
      await createAppointment(
        on(recordedAt),
        NewAppointment.parse({
          ...session,
          startTime: at.toISOString(),
          endTime: endTime.toISOString(),
          appointmentTypeId: types.get(type),
        }),
      )
    }
    await addDiscoveryCalls(on(now.getTime() - dayMs), practices[which], types.get('Discovery')!, now, sessions)
    await addWeeklyCalls(on(now.getTime() - dayMs), {
      clients,
      appointmentTypeId: types.get('Follow-up')!,
      now,
      sessions,
    })
    await addAgendas(on(now.getTime() - dayMs), now)
  })
}

const demoAgendas = [
  '• Begin with what went well since last time\n• The conversation that was put off\n• What to try until next time',
  '• Look back at the last two weeks\n• One thing that is enough for now',
  '• What has changed since we began?\n• **The next goal**, in one sentence',
]

/** Gives the next sessions with clients an agenda. */
async function addAgendas(ctx: WriteCtx, from: Date): Promise<void> {
  const ahead = await listAppointments(ctx, { from, rows: 20 })
  const shown = ahead.filter(({ clientId, status }) => clientId !== null && status !== 'cancelled')
  for (const [index, { id }] of shown.slice(0, demoAgendas.length).entries())
    await saveAgenda(ctx, id, { content: demoAgendas[index]! })
}

/** Weekdays as usual, a day off in two weeks and a short one in three. */
function demoSchedule({ workingHours }: Practice, now: Date, zone: string): ScheduleInput {
  const today = localDate(now, zone)
  return ScheduleInput.parse({
    name: 'Working hours',
    hours: [1, 2, 3, 4, 5].flatMap((weekday) => workingHours.map(([start, end]) => ({ weekday, start, end }))),
    overrides: [
      { date: onWeekday(addDays(today, 14), 5), ranges: [] },
      { date: onWeekday(addDays(today, 21), 3), ranges: [{ start: '10:00', end: '13:00' }] },
    ],
    minimumNoticeMinutes: 240,
    dailyLimit: 8,
    slotIntervalMinutes: 30,
  })
}

const eveningSchedule = ScheduleInput.parse({
  name: 'Evenings',
  hours: [2, 4].map((weekday) => ({ weekday, start: '18:00', end: '20:30' })),
  bookingWindowDays: 21,
  weeklyLimit: 4,
})

/**
 * The sessions of the clients (oldest first), by start, on every weekday and without overlaps. `portalClientId`: the
 * client whose portal the demo opens, who has a session ahead.
 */
export function demoSessions(
  which: DemoPractice['which'],
  clients: ClientRecord[],
  now: Date,
  zone: string,
  portalClientId?: number,
): Session[] {
  const [saturdays, sundays] = clients.filter(
    ({ status, createdAt }) => status === 'active' && now.getTime() - Date.parse(createdAt) < 300 * dayMs,
  )
  const taken: Session[] = []
  for (const [index, client] of clients.entries()) {
    taken.push(
      ...clientSessions(client, index, practices[which], now, zone, {
        weekday: client === saturdays ? 6 : client === sundays ? 7 : null,
        taken,
      }),
    )
  }
  const today = localDate(now, zone)
  if (!taken.some(({ at, status }) => localDate(at, zone) === today && status !== 'cancelled'))
    taken.push(...extraSession(today, clients, practices[which], now, zone, taken))
  const portalClient = clients.find(({ id }) => id === portalClientId)
  const own = taken.filter(({ clientId }) => clientId === portalClientId)
  if (portalClient && !own.some(({ at, status }) => at > now && status !== 'cancelled')) {
    const { hours, minutes, toTitle, meetingRoom, descriptions } = practices[which]
    taken.push({
      at: findFreeTime(onWeekday(addDays(today, 2), 0), [...hours, '18:00', '07:00'], minutes, zone, taken),
      minutes,
      title: toTitle(portalClient, own.length),
      type: 'Coaching',
      clientId: portalClient.id,
      status: 'confirmed',
      description: descriptions[0]!,
      meetingUrl: meetingRoom,
    })
  }
  return taken.sort((a, b) => a.at.getTime() - b.at.getTime())
}

/** A session on a day without one, with a client who has none in the days around it. */
function extraSession(
  date: string,
  clients: ClientRecord[],
  { hours, minutes, meetingRoom }: Practice,
  now: Date,
  zone: string,
  taken: Session[],
): Session[] {
  const at = findFreeTime(date, hours, minutes, zone, taken)
  const active = clients.filter(({ status }) => status === 'active')
  const client =
    active.find(({ id }) =>
      taken.every((other) => other.clientId !== id || Math.abs(other.at.getTime() - at.getTime()) > 3 * dayMs),
    ) ?? active[0]
  return client
    ? [
        {
          at,
          minutes,
          title: 'Extra session',
          type: 'Follow-up',
          clientId: client.id,
          status: demoStatus(at, 0, minutes, now),
          description: null,
          meetingUrl: meetingRoom,
        },
      ]
    : []
}

/** The first of these times without an overlap. */
function findFreeTime(date: string, times: string[], minutes: number, zone: string, taken: Taken[]): Date {
  for (const time of times) {
    const at = zonedToInstant(date, time, zone)
    if (
      taken.every(
        (other) =>
          at.getTime() + minutes * 60_000 <= other.at.getTime() ||
          at.getTime() >= other.at.getTime() + other.minutes * 60_000,
      )
    )
      return at
  }
  return zonedToInstant(date, times[0]!, zone)
}

/** The sessions of one client: a fixed weekday and hour, every other week; two clients come at the weekend (6, 7). */
function clientSessions(
  client: ClientRecord,
  index: number,
  { hours, weekend, weeksBetween, minutes, toTitle, meetingRoom, descriptions }: Practice,
  now: Date,
  zone: string,
  { weekday, taken }: { weekday: 6 | 7 | null; taken: Session[] },
): Session[] {
  const began = localDate(client.createdAt, zone)
  const whole = Math.floor((now.getTime() - Date.parse(client.createdAt)) / dayMs)
  const last = { completed: whole * 0.67, inactive: whole * 0.5, pending: 0, active: whole + 38 }[client.status]
  const time = weekday ? weekend[weekday - 6]! : hours[index % hours.length]!
  const inPackage = packages[client.name] ?? packages[client.program ?? ''] ?? Infinity
  const sessions: Session[] = []
  // The first session is a discovery call, except for converted prospects.
  const isConverted = client.convertedAt !== null
  let date = began
  for (let count = 0; count <= 60; count++) {
    const passed = (Date.parse(date) - Date.parse(began)) / dayMs
    if (count > 0 && passed > last) break
    const chance = pseudoRandom(index, count)
    const first = count === 0
    // Sometimes a session is moved by a day and an hour.
    const moved = !first && !weekday && chance % 11 === 4
    const later = `${String(Number(time.slice(0, 2)) + 1).padStart(2, '0')}${time.slice(2)}`
    const on = moved ? addDays(date, date === onWeekday(date, 5) ? -1 : 1) : date
    const call = first && !isConverted
    const at = findFreeTime(on, [moved ? later : time, ...hours, '18:00', '07:00'], call ? 30 : minutes, zone, taken)
    sessions.push({
      at,
      minutes: call ? 30 : minutes,
      title: call ? 'Discovery call' : toTitle(client, isConverted ? count + 1 : count),
      type: call
        ? 'Discovery'
        : count % 7 === 6
          ? 'Follow-up'
          : client.program === 'Startup Mentorship' || client.program === 'Business Coaching'
            ? 'Strategy'
            : 'Coaching',
      clientId: client.id,
      status: demoStatus(at, weekday ? 0 : chance, minutes, now),
      description: chance % 4 === 1 ? descriptions[chance % descriptions.length]! : null,
      meetingUrl: chance % 3 ? meetingRoom : null,
    })
    date = addDays(date, 7 * (count < inPackage ? weeksBetween : weeksBetween * 2))
    if (first) date = onWeekday(date, weekday ?? 1 + ((index * 3) % 5))
  }
  return sessions
}

/** Pseudo-random, 0 to 96, the same on every run. */
function pseudoRandom(index: number, count: number): number {
  return ((Math.imul(index + 1, 40_503) ^ Math.imul(count + 1, 69_621)) >>> 5) % 97
}

function demoStatus(at: Date, chance: number, minutes: number, now: Date): AppointmentStatus {
  const ahead = at.getTime() - now.getTime()
  if (chance % 14 === 3) return 'cancelled'
  // The coach has not completed the latest ones yet.
  if (ahead < -(minutes * 60_000 + 3 * 3_600_000)) return 'completed'
  return ahead < 9 * dayMs && chance % 3 !== 0 ? 'confirmed' : 'scheduled'
}

/** Start times for discovery calls in the coming days, without overlaps. */
export function demoCalls(count: number, now: Date, zone: string, sessions: Taken[]): Date[] {
  const taken = [...sessions]
  return Array.from({ length: count }, (_, index) => {
    const at = findFreeTime(
      onWeekday(addDays(localDate(now, zone), 1 + index * 2), 0),
      ['12:30', '12:15', '15:00', '17:45', '18:30'],
      30,
      zone,
      taken,
    )
    taken.push({ at, minutes: 30 })
    return at
  })
}

/** Adds discovery calls with some prospects. */
async function addDiscoveryCalls(
  ctx: WriteCtx,
  { meetingRoom }: Practice,
  appointmentTypeId: number,
  now: Date,
  taken: Session[],
): Promise<void> {
  const prospects = (await getProspects(ctx)?.list(ctx, { q: '', rows: 4 })) ?? []
  const calls = demoCalls(prospects.length, now, ctx.account.timezone, taken)
  for (const [index, { id, name }] of prospects.entries()) {
    const at = calls[index]!
    const { notify: _notify, ...call } = NewAppointment.parse({
      title: `Discovery call with ${name.split(' ')[0]}`,
      prospectId: id,
      appointmentTypeId,
      startTime: at.toISOString(),
      endTime: new Date(at.getTime() + 30 * 60_000).toISOString(),
      meetingUrl: meetingRoom,
    })
    // Every other prospect booked on the booking page.
    const answers = bookingAnswers[index % 2]!
    await insertAppointment(
      ctx,
      { ...call, bookedOnline: answers.length > 0, location: null, answers },
      { notify: false },
    )
  }
}

/** Adds weekly calls of 20 minutes with one client, before the first sessions of the day. */
async function addWeeklyCalls(
  ctx: WriteCtx,
  {
    clients,
    appointmentTypeId,
    now,
    sessions,
  }: { clients: ClientRecord[]; appointmentTypeId: number; now: Date; sessions: Session[] },
): Promise<void> {
  const zone = ctx.account.timezone
  const first = onWeekday(addDays(localDate(now, zone), 2), 3)
  const client = clients.findLast(({ status }) => status === 'active')
  if (!client) return
  const startTime = findFreeTime(first, ['07:30', '07:15'], 20, zone, sessions)
  await createAppointments(
    ctx,
    NewAppointments.parse({
      title: 'Weekly check-in',
      clientId: client.id,
      appointmentTypeId,
      startTime: startTime.toISOString(),
      endTime: new Date(startTime.getTime() + 20 * 60_000).toISOString(),
      recurrence: { unit: 'week', count: 8 },
    }),
  )
}

/** The first such weekday (1: Monday, 7: Sunday; 0: any from Monday to Friday) on or after a day. */
function onWeekday(date: string, weekday: number): string {
  const at = new Date(`${date}T00:00:00Z`).getUTCDay()
  if (weekday === 0) return at === 6 ? addDays(date, 2) : at === 0 ? addDays(date, 1) : date
  return addDays(date, (weekday - at + 7) % 7)
}
