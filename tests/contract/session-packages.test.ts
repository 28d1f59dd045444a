import { beforeEach, describe, expect, test } from 'vitest'
import { createInvoice } from '#modules/billing/services/invoices.ts'
import { NewInvoice } from '#modules/billing/invoices/forms.ts'
import { getScheduleDialog, searchAttendees } from '#modules/scheduling/dialogs.ts'
import { createBookingLink, findLinkedClient } from '#modules/scheduling/booking-links/booking-links.ts'
import { findMessageAppointment } from '#modules/scheduling/queries/message-appointment.ts'
import { getHistory } from '#modules/core/history.ts'
import { getRecordKind } from '#modules/core/record-kinds.ts'
import { contextFor, createClient, createCoach, createProduct, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'

// The modules billing and scheduling together. Each of them works without the other.

const app = createTestApp()
let coach: Coach
let client: number
let product: number

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  coach = await createCoach({ timezone: 'America/Los_Angeles' })
  client = (await createClient({ coach, name: 'Mara Winter', email: 'mara@example.com' })).id
  product = (await createProduct({ coach, name: 'Career Reset', price: '600.00', sessionCount: 12 })).id
})

const call = async (method: string, path: string, body?: object) =>
  (await app.call(method, `/api${path}`, { as: coach, ...(body ? { body } : {}) })).body
const buy = (more: object = {}) =>
  call('POST', '/purchases', {
    clientId: client,
    productId: product,
    amount: 60_000,
    paymentMethod: 'cash',
    purchaseDate: '2026-03-02T20:00:00Z',
    ...more,
  })
const complete = async (day: string, more: object = {}) => {
  const times = { startTime: `${day}T09:00:00Z`, endTime: `${day}T10:00:00Z` }
  const { id } = await call('POST', '/appointments', { title: 'Session', clientId: client, ...times, ...more })
  await call('POST', `/appointments/${id}/complete`, {})
  return id as number
}
const listPackages = async () =>
  (await call('GET', `/clients/${client}/packages`)).map(({ used, left }: { used: number; left: number }) => [
    used,
    left,
  ])

describe('the sessions of a package', () => {
  test('are those that its product says, and used by completed sessions from the day of the purchase', async () => {
    expect(await call('GET', `/products/${product}`)).toMatchObject({ sessionCount: 12 })
    expect(await listPackages()).toEqual([])
    expect(await buy()).toMatchObject({ sessionCount: 12 })
    await complete('2026-03-01')
    // 1 AM on the day of the purchase in Los Angeles, and an hour before midnight of the day before.
    await complete('2026-03-02')
    await complete('2026-03-02', { startTime: '2026-03-02T07:00:00Z', endTime: '2026-03-02T07:30:00Z' })
    await call('POST', '/appointments', {
      title: 'Not yet',
      clientId: client,
      startTime: '2026-03-09T09:00:00Z',
      endTime: '2026-03-09T10:00:00Z',
    })
    expect(await listPackages()).toEqual([[1, 11]])
    await call('PATCH', `/products/${product}`, { sessionCount: 6 })
    expect(await listPackages()).toEqual([[1, 11]])
  })

  test('count back when a session is not completed after all, deleted or restored', async () => {
    await buy()
    const [first, second] = [await complete('2026-03-03'), await complete('2026-03-04')]
    expect(await listPackages()).toEqual([[2, 10]])
    await call('PATCH', `/appointments/${first}`, { status: 'scheduled' })
    expect(await listPackages()).toEqual([[1, 11]])
    await call('DELETE', `/appointments/${second}`)
    expect(await listPackages()).toEqual([[0, 12]])
    await call('POST', `/appointments/${second}/restore`)
    expect(await listPackages()).toEqual([[1, 11]])
  })

  test('are used from the oldest package first', async () => {
    await buy({ sessionCount: 2 })
    await buy({ sessionCount: 3, purchaseDate: '2026-03-04T20:00:00Z' })
    for (const day of ['2026-03-03', '2026-03-05', '2026-03-06']) await complete(day)
    expect(await listPackages()).toEqual([
      [2, 0],
      [1, 2],
    ])
  })

  test('come with completed purchases: not with pending, failed, refunded, cancelled or deleted ones', async () => {
    for (const status of ['pending', 'failed', 'refunded', 'cancelled']) await buy({ status })
    expect(await listPackages()).toEqual([])
    const { id } = await buy()
    await complete('2026-03-03')
    expect(await listPackages()).toEqual([[1, 11]])
    await call('PATCH', `/purchases/${id}`, { status: 'refunded' })
    expect(await listPackages()).toEqual([])
    await call('PATCH', `/purchases/${id}`, { status: 'completed' })
    await call('DELETE', `/purchases/${id}`)
    expect(await listPackages()).toEqual([])
    await call('POST', `/purchases/${id}/restore`)
    expect(await listPackages()).toEqual([[1, 11]])
  })

  test('come with an issued invoice, paid or not, until it is void or refunded', async () => {
    const { id: purchaseId } = await buy({ status: 'pending' })
    const issue = async () => {
      const lines = [{ description: 'Career Reset', quantity: 1, unitPrice: '600.00' }]
      const input = NewInvoice.parse({ clientId: client, description: 'Package', lines, purchaseIds: [purchaseId] })
      return (await inTenant(coach, (tx) => createInvoice(tx, input))).id
    }
    const first = await issue()
    expect(await listPackages()).toEqual([[0, 12]])
    await call('POST', `/invoices/${first}/void`)
    expect(await listPackages()).toEqual([])
    const second = await issue()
    await complete('2026-03-10')
    app.clock.now = new Date('2026-03-14T14:00:00Z')
    await call('POST', `/invoices/${second}/payments`, { amount: 60_000, method: 'cash' })
    // The session before the payment still counts.
    expect(await listPackages()).toEqual([[1, 11]])
    await call('POST', `/invoices/${second}/refund`, { amount: 60_000, method: 'cash' })
    expect(await listPackages()).toEqual([])
  })

  test('come once with a package that is paid in installments', async () => {
    const { id: productId } = await createProduct({
      coach,
      name: 'Career Reset, 6 sessions',
      price: '960.00',
      paymentType: 'installment',
      installmentCount: 2,
      sessionCount: 6,
    })
    const counts = []
    for (const amount of [48_000, 48_000, 48_000, 96_000]) counts.push((await buy({ productId, amount })).sessionCount)
    expect(counts).toEqual([6, null, 6, 6])
  })

  test.each(['completed', 'pending'])(
    'come again with installments after one that is %s at its price',
    async (status) => {
      const terms = { price: '960.00', paymentType: 'installment', installmentCount: 2, sessionCount: 6 }
      const { id: productId } = await createProduct({ coach, name: 'At once', ...terms })
      expect((await buy({ productId, amount: 96_000, status })).sessionCount).toBe(6)
      const counts = []
      for (const amount of [48_000, 96_000, 48_000, 48_000])
        counts.push((await buy({ productId, amount })).sessionCount)
      expect(counts).toEqual([6, 6, null, 6])
    },
  )

  test('come once with installments that are recorded at the same time', async () => {
    const terms = { price: '900.00', paymentType: 'installment', installmentCount: 3, sessionCount: 6 }
    const { id: productId } = await createProduct({ coach, name: 'Three parts', ...terms })
    const bought = await Promise.all([1, 2, 3].map(() => buy({ productId, amount: 30_000 })))
    expect(bought.map(({ sessionCount }) => sessionCount).toSorted()).toEqual([6, null, null])
  })

  test('can be corrected, with history', async () => {
    const { id } = await buy()
    expect(await call('PATCH', `/purchases/${id}`, { sessionCount: 14 })).toMatchObject({ sessionCount: 14 })
    const ctx = await contextFor(coach)
    const { entries } = await getHistory(ctx, getRecordKind(ctx, 'purchase'), id)
    expect(entries[0]!.changes).toMatchObject([{ field: 'sessionCount', from: 12, to: 14 }])
    expect((await app.call('PATCH', `/api/purchases/${id}`, { as: coach, body: { sessionCount: 0 } })).status).toBe(422)
    expect(
      (await app.call('PATCH', `/api/products/${product}`, { as: coach, body: { sessionCount: 1001 } })).status,
    ).toBe(422)
  })
})

describe('what is left', () => {
  beforeEach(async () => {
    await buy({ sessionCount: 2 })
    await buy()
    await complete('2026-03-03')
  })

  test('is shown where an appointment is scheduled', async () => {
    const dialog = await getScheduleDialog(await contextFor(coach), { client: String(client) })
    expect(dialog.choices.clients).toMatchObject([{ label: 'Mara Winter', note: '13 of 14 sessions left' }])
    // Also for a client whom the list has not, found by name.
    expect(await searchAttendees(await contextFor(coach), 'winter')).toMatchObject([
      { label: 'Clients', choices: [{ label: 'Mara Winter', note: '13 of 14 sessions left' }] },
    ])
  })

  test('is a placeholder of the emails about a session', async () => {
    const id = await complete('2026-03-05')
    const ctx = await contextFor(coach)
    expect(await findMessageAppointment(ctx, { appointmentId: id, kind: 'reminder' })).toMatchObject({
      sessionsLeft: '12 of 12 sessions left',
    })
  })

  test('is known to who booked by their personal link, not to who typed the address', async () => {
    const { id: typeId } = await call('POST', '/appointment-types', { name: 'Deep dive' })
    const link = { clientId: client, prospectId: null, appointmentTypeId: typeId, days: null }
    const [byLink, byAddress] = [await complete('2026-03-06'), await complete('2026-03-07')]
    await inTenant(coach, async (tx) => {
      const id = await createBookingLink(tx, link)
      await tx.query({
        name: 'test.use-link',
        text: 'update booking_link set used_at = $3, appointment_id = $4 where coach_id = $1 and id = $2',
        values: [coach.id, id, app.clock.now, byLink],
      })
    })
    const ctx = await contextFor(coach)
    expect([await findLinkedClient(ctx, byLink), await findLinkedClient(ctx, byAddress)]).toEqual([client, null])
  })
})
