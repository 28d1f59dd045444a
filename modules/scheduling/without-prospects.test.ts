import { beforeEach, expect, test } from 'vitest'
import type { Ctx } from '#tenants/context.ts'
import { contextFor, createCoach, inTenant, setPlan, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { getScheduleDialog } from './dialogs.ts'
import { fillPlan } from './e2e/factories.ts'
import { AppointmentTypeInput, NewAppointment, ScheduleInput } from './forms.ts'
import { createAppointment } from './services/appointments.ts'
import { createSchedule } from './services/schedules.ts'
import { createType } from './services/types.ts'
import { bookAsVisitor } from './services/visitor-bookings.ts'

// As without the module that keeps prospects.

const app = createTestApp()
let coach: Coach

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  coach = await createCoach({ timezone: 'UTC' })
  const hours = [{ weekday: 4, start: '09:00', end: '18:00' }]
  await inTenant(coach, (tx) => createSchedule(tx, ScheduleInput.parse({ name: 'Hours', hours })))
})

const withoutProspects = <T extends Ctx>(ctx: T): T => ({
  ...ctx,
  extensions: { ...ctx.extensions, prospects: null },
  platform: { ...ctx.platform, extensions: { ...ctx.platform.extensions, prospects: null } },
})

async function book(start: string, email: string) {
  const input = AppointmentTypeInput.parse({ name: `At ${start}`, visibility: 'public', newVisitor: 'prospect' })
  return inTenant(coach, async (tx) => {
    const type = await createType(tx, input)
    return bookAsVisitor(
      withoutProspects(tx),
      { ...type, slug: type.slug! },
      {
        start: new Date(start),
        email,
        name: 'Noor Aziz',
        phone: '',
        place: null,
        notes: null,
        answers: [],
        timezone: 'UTC',
      },
    )
  })
}

test('a visitor becomes a client, whatever the type says', async () => {
  const first = await book('2026-03-12T10:00:00Z', 'noor@example.com')
  expect(first).toMatchObject({ clientName: 'Noor Aziz', prospectId: null, prospectName: null })
  const second = await book('2026-03-12T11:00:00Z', 'NOOR@example.com')
  expect(second.clientId).toBe(first.clientId)
})

test('a new visitor is asked to get in touch when the plan has no room for a client', async () => {
  await setPlan(coach, 'free')
  await fillPlan(coach)
  await expect(book('2026-03-12T10:00:00Z', 'noor@example.com')).rejects.toMatchObject({
    code: 'conflict',
    message: 'Online booking is full at the moment. Please get in touch instead.',
  })
})

test('dialogs offer clients only, and no appointment is with a prospect', async () => {
  const { choices } = await getScheduleDialog(withoutProspects(await contextFor(coach)), { prospect: '1' })
  expect(choices).toMatchObject({ prospects: [], addProspectTo: null })
  const input = NewAppointment.parse({
    title: 'First talk',
    prospectId: 1,
    startTime: '2026-03-12T10:00:00Z',
    endTime: '2026-03-12T11:00:00Z',
  })
  await expect(inTenant(coach, (tx) => createAppointment(withoutProspects(tx), input))).rejects.toMatchObject({
    code: 'not_found',
    message: 'Prospect not found',
  })
})
