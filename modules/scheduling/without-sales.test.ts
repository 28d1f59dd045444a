import { beforeEach, expect, test } from 'vitest'
import type { Ctx } from '#tenants/context.ts'
import { contextFor, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { AppointmentTypeInput, ScheduleInput } from './forms.ts'
import { canBePaid, listOffered, listProductChoices, takesCards } from './paid-bookings/online-sales.ts'
import { createSchedule } from './services/schedules.ts'
import { createType, updateType } from './services/types.ts'
import { bookAsVisitor } from './services/visitor-bookings.ts'

// As without the module that has online sales.

const app = createTestApp()
let coach: Coach

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  coach = await createCoach({ timezone: 'UTC' })
  const hours = [{ weekday: 4, start: '09:00', end: '18:00' }]
  await inTenant(coach, (tx) => createSchedule(tx, ScheduleInput.parse({ name: 'Hours', hours })))
})

const withoutSales = <T extends Ctx>(ctx: T): T => ({
  ...ctx,
  extensions: { ...ctx.extensions, onlineSales: null },
  platform: { ...ctx.platform, extensions: { ...ctx.platform.extensions, onlineSales: null } },
})

test('types with a price are booked and paid later, and none can be paid when booking', async () => {
  expect(await takesCards(withoutSales(await contextFor(coach)))).toBeNull()
  const input = AppointmentTypeInput.parse({ name: 'Session', visibility: 'public', priceCents: 12_000 })
  await inTenant(coach, async (ctx) => {
    const tx = withoutSales(ctx)
    const type = await createType(tx, input)
    const [offered] = await listOffered(tx, [type])
    expect(await canBePaid(tx, offered!)).toBe(true)
    expect(await listOffered(tx, [{ ...type, priceCents: null, productId: 1 }])).toEqual([])
    const booked = await bookAsVisitor(
      tx,
      { ...type, slug: type.slug! },
      {
        start: new Date('2026-03-12T10:00:00Z'),
        email: 'noor@example.com',
        name: 'Noor Aziz',
        phone: '',
        place: null,
        notes: null,
        answers: [],
        timezone: 'UTC',
      },
    )
    expect(booked.status).toBe('confirmed')
    await expect(updateType(tx, type.id, { payment: 'booking' })).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(updateType(tx, type.id, { productId: 1 })).rejects.toMatchObject({ code: 'not_found' })
    expect(await listProductChoices(tx, null)).toEqual({ choices: [], unsold: null })
  })
})
