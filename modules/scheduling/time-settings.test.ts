import { beforeEach, expect, test } from 'vitest'
import { fillSlot } from '#modules/core/slots.ts'
import { updateProfile } from '#tenants/accounts/accounts.ts'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { loadAvailability } from './availability-loader.server.ts'
import { showBooking } from './booking/booking-loader.server.ts'
import { loadCalendar } from './calendar-loader.server.ts'
import { createAppointment } from './e2e/factories.ts'
import { AppointmentTypeInput, ScheduleInput } from './forms.ts'
import { formatMessage } from './messages/format.ts'
import { loadSample } from './messages/samples.ts'
import { standardTexts } from './messages/texts.ts'
import { getBookableType } from './queries/bookable-types.ts'
import { createSchedule } from './services/schedules.ts'
import { createType } from './services/types.ts'

const app = createTestApp()
let coach: Coach

/** Tuesday, ten in New York. The coach's weeks start on Monday, and their clock has 24 hours. */
beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  coach = await createCoach({ timezone: 'America/New_York' })
  await inTenant(coach, (tx) => updateProfile(tx, { weekStart: 'monday', timeFormat: '24h' }))
})

const url = (path: string) => new URL(path, 'http://localhost')

test("the calendar's weeks start on the coach's day", async () => {
  const ctx = await contextFor(coach)
  const week = await loadCalendar(ctx, url('/calendar?view=week'))
  expect([week.days[0], week.days.at(-1), week.title]).toEqual(['2026-03-09', '2026-03-15', 'Mar 9 – 15, 2026'])
  const month = await loadCalendar(ctx, url('/calendar'))
  expect([month.days[0], month.days.at(-1), month.days.length]).toEqual(['2026-02-23', '2026-04-05', 42])
  await inTenant(coach, (tx) => updateProfile(tx, { weekStart: 'saturday' }))
  const { days } = await loadCalendar(await contextFor(coach), url('/calendar?view=week'))
  expect([days[0], days.at(-1)]).toEqual(['2026-03-07', '2026-03-13'])
})

test("dashboard, clients and timeline show times in the coach's format", async () => {
  const { id } = await createClient({ coach, name: 'Mara Winter', email: 'mara@example.com' })
  const times = (day: string, start: string, end: string) => ({
    coach,
    clientId: id,
    startTime: `2026-03-${day}T${start}:00Z`,
    endTime: `2026-03-${day}T${end}:00Z`,
  })
  await createAppointment(times('09', '13:00', '14:00'))
  await createAppointment(times('10', '18:30', '19:30'))
  const ctx = await contextFor(coach)
  const load = async (slot: Parameters<typeof fillSlot>[1], params: Record<string, string> = {}) =>
    JSON.stringify(await fillSlot(ctx, slot, params))
  expect(await load('dashboard.greeting')).toContain('Mara Winter is next, at 14:30.')
  expect(await load('dashboard.main')).toContain('"clock":"10:00"')
  expect(await load('dashboard.main')).toContain('"time":"14:30"')
  expect(await load('client.timeline', { id: String(id) })).toContain('09:00 – 10:00')
  expect(await load('client.next', { id: String(id) })).toContain('Tuesday, March 10, 14:30 – 15:30')
  expect(await load('client.row', { ids: String(id) })).toContain('Today, 14:30')
})

test("availability and booking pages show hours, weeks and times in the coach's format", async () => {
  const hours = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '09:00', end: '17:30' }))
  await inTenant(coach, (tx) => createSchedule(tx, ScheduleInput.parse({ name: 'Hours', hours })))
  await inTenant(coach, (tx) => createType(tx, AppointmentTypeInput.parse({ name: 'Talk', visibility: 'public' })))
  const ctx = await contextFor(coach)
  const { week, schedule, preview } = await loadAvailability(ctx, 'http://localhost/calendar/availability')
  expect([week[0], week[6], schedule!.values.monday]).toEqual(['monday', 'sunday', '09:00 – 17:30'])
  expect(preview!.slots.slice(-2)).toEqual(['15:00', '16:00'])

  const type = await getBookableType(ctx, 'talk')
  const visit = (query: string) =>
    showBooking(ctx, {
      nonce: '',
      page: 'talk',
      type,
      types: [],
      person: null,
      coachName: 'Ada',
      url: url(`/book/talk${query}`),
    })
  const { month } = await visit('?zone=Europe/Berlin&day=2026-03-12')
  expect(month!.weekdays).toEqual(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'])
  // March 1 is a Sunday.
  expect(month!.blanks).toBe(6)
  expect(month!.times.map(({ label }) => label).slice(0, 2)).toEqual(['14:00', '15:00'])
  const { details } = await visit('?zone=Europe/Berlin&start=2026-03-12T13:00:00.000Z&step=details')
  expect(details!.when).toBe('Thursday, March 12, 14:00')
})

test("emails to clients have the coach's format", async () => {
  const ctx = await contextFor(coach)
  const [sample] = await loadSample(ctx, 'confirmation', null)
  const email = formatMessage(ctx, { ...sample, from: null, text: standardTexts.confirmation })
  expect(email.paragraphs.join('\n')).toContain('Tuesday, March 17, 10:00 – 11:00')
  const notice = formatMessage(ctx, {
    ...sample,
    message: { ...sample.message, kind: 'coach_booked' },
    from: null,
    text: null,
  })
  expect(notice.subject).toBe('Booked: Ada Lovelace, Tuesday, March 17, 10:00 – 11:00')
})
