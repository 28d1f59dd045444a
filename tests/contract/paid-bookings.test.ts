import type { ActionFunctionArgs, AppLoadContext, LoaderFunctionArgs } from '@remix-run/node'
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { listPackages } from '#modules/billing/packages/packages.ts'
import { deleteProduct, updateProduct } from '#modules/billing/services/products.ts'
import { getBillingTotals, listDifferences } from '#modules/billing/e2e/factories.ts'
import { getInvoice, getSale } from '#modules/billing/index.ts'
import { loader as loadSale } from '#modules/billing/routes/sale.tsx'
import { keepSale } from '#modules/billing/sales/sales.ts'
import { readSaleToken } from '#modules/billing/sales/sale-link.ts'
import { keepSold } from '#modules/core/hooks.ts'
import { getRecordKind } from '#modules/core/record-kinds.ts'
import { eraseRecord } from '#modules/core/trash.ts'
import { listClients } from '#modules/crm/index.ts'
import { archiveClient } from '#modules/crm/services/clients.ts'
import { bookingAction } from '#modules/scheduling/booking/booking-action.server.ts'
import { loadBooking } from '#modules/scheduling/booking/booking-loader.server.ts'
import { loadManagedBooking } from '#modules/scheduling/booking/managed-booking.server.ts'
import {
  AppointmentTypeInput,
  NewAppointment,
  ScheduleEdit,
  ScheduleInput,
  TypeForm,
} from '#modules/scheduling/forms.ts'
import { getManagePath } from '#modules/scheduling/messages/manage-link.ts'
import { getPaidBookingPath } from '#modules/scheduling/paid-bookings/link.ts'
import { loadPaidBooking, paidBookingAction } from '#modules/scheduling/paid-bookings/page.server.ts'
import { endPaidBooking, findPaidBooking, forgetPaidBookings } from '#modules/scheduling/paid-bookings/paid-bookings.ts'
import { refundQueue } from '#modules/scheduling/paid-bookings/refund-plan.ts'
import { emailLostBooking, lostQueue, refundPaidBooking } from '#modules/scheduling/paid-bookings/refund.ts'
import { getOnlineSales, listProductChoices } from '#modules/scheduling/paid-bookings/online-sales.ts'
import { listAppointments, listBillableSessions } from '#modules/scheduling/queries/appointments.ts'
import { hasPublicTypes, listPublicTypes } from '#modules/scheduling/queries/bookable-types.ts'
import { listSchedules } from '#modules/scheduling/queries/schedules.ts'
import { getAppointmentType } from '#modules/scheduling/queries/types.ts'
import {
  completeSession,
  createAppointment,
  deleteAppointment,
  updateAppointment,
} from '#modules/scheduling/services/appointments.ts'
import { cancelBooking, rescheduleBooking } from '#modules/scheduling/services/managed-bookings.ts'
import { createSchedule, updateSchedule } from '#modules/scheduling/services/schedules.ts'
import { createType, updateType } from '#modules/scheduling/services/types.ts'
import { applyEvents, connectStripe, deliver, deliverAll, runRefunds } from '#modules/stripe/e2e/support.ts'
import { action as pay, loader as redirectToPayment } from '#modules/stripe/product-checkout/pay-sale.ts'
import { loader as comeBack } from '#modules/stripe/product-checkout/sale-paid.ts'
import { applySession, closeSalePages, expireCheckout, listPages } from '#modules/stripe/services/checkout.ts'
import { disconnect } from '#modules/stripe/services/connect.ts'
import { reconcileAccount } from '#modules/stripe/services/reconcile.ts'
import { plans } from '#tenants/accounts/plans.ts'
import { visitorContext, type PermissionName } from '#tenants/context.ts'
import { listOutbox } from '#tenants/mail.ts'
import { startFakeStripe } from '#tests/fakes/stripe/server.ts'
import {
  contextFor,
  createClient,
  createCoach,
  createProduct,
  inTenant,
  setPlan,
  type Coach,
} from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'

// Sessions that a visitor pays for when booking: scheduling, billing and stripe together.

const stripe = await startFakeStripe({ now: () => app.clock.now })
const app = createTestApp(stripe.env)
afterAll(() => stripe.close())

let coach: Coach
let account: string
let typeId: number
let number = 0

const everyDay = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, start: '09:00', end: '12:00' }))
const ten = '2026-03-12T10:00:00.000Z'
const maya = { name: 'Maya Ortiz', email: 'maya@example.com' }

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  stripe.stopFailing()
  coach = await createCoach({ subdomain: `paid-${++number}`, timezone: 'UTC' })
  account = await connectStripe(coach, stripe)
  typeId = await inTenant(coach, async (tx) => {
    await createSchedule(tx, ScheduleInput.parse({ name: 'Hours', hours: everyDay, minimumNoticeMinutes: 60 }))
    return (await createType(tx, toType())).id
  })
  stripe.takeDeliveries()
})

const toType = (input: object = {}) =>
  AppointmentTypeInput.parse({
    name: 'Session',
    visibility: 'public',
    payment: 'booking',
    priceCents: 12_000,
    cancellationNoticeMinutes: 1440,
    ...input,
  })
const pass = (minutes: number) => (app.clock.now = new Date(app.clock.now.getTime() + minutes * 60_000))
const all = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))
const store = () => stripe.account(account)

/** The context of a request of a visitor on the coach's host. */
function visit(address = '203.0.113.7'): AppLoadContext {
  const { platform } = app
  const tenant = { id: coach.id, name: 'Ada Coaching' }
  return {
    log: platform.log,
    nonce: '',
    cookies: { toast: () => '' },
    tenant,
    requestContext: { platform, address, tenant },
    async visitor(permissions: readonly PermissionName[]) {
      const { account: own } = await contextFor(coach)
      return visitorContext(platform, own, { requestId: 'test', address }, permissions)
    },
  } as unknown as AppLoadContext
}

async function send(fields: Record<string, string>, query = '', context = visit()) {
  const request = new Request(`http://localhost/book/session${query}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
  })
  const answer = await bookingAction({ request, params: { type: 'session' }, context } as ActionFunctionArgs)
  if (answer instanceof Response) return { to: answer.headers.get('location')!, errors: {} }
  const { result } = (answer as { data: { result: { error: Record<string, string[]> } } }).data
  return { to: '', errors: result.error }
}

const toQuery = (start: string) => `?zone=Europe/Berlin&step=details&start=${start}`

/** Opens the form as a person does. */
async function open(start = ten, context = visit()) {
  const { details } = await loadBooking(context, 'session', new URL(`http://localhost/book/session${toQuery(start)}`))
  return details!
}

/** Fills the form in, and follows it to Stripe. */
async function book(buyer = maya, start = ten) {
  const { signature } = await open(start)
  pass(0.1)
  const { to } = await send({ intent: 'book', ...buyer, start, signature }, toQuery(start))
  return follow(to)
}

async function follow(to: string) {
  const token = /^\/sale\/(.+)\/pay$/.exec(to)![1]!
  const { id: saleId } = readSaleToken(app.platform, token)!
  const response = await redirectToPayment({ params: { token }, context: visit() } as unknown as LoaderFunctionArgs)
  const booking = (await findPaidBooking(await contextFor(coach), 'sale_id', saleId))!
  return { token, saleId, bookingId: booking.id, address: response.headers.get('location')! }
}
type Begun = Awaited<ReturnType<typeof book>>

const findSession = async ({ saleId }: Begun) =>
  (await listPages(await contextFor(coach), { kind: 'sale', id: saleId })).findLast(({ sessionId }) => sessionId)!
    .sessionId!

/** The visitor pays at Stripe, and all news of it arrive. */
async function payAndTell(begun: Begun) {
  store().pay(await findSession(begun))
  await deliverAll(coach, stripe)
}

async function openPage({ bookingId }: Begun) {
  const token = getPaidBookingPath(await contextFor(coach), bookingId)
    .split('/')
    .at(-1)!
  return loadPaidBooking(visit(), token).then(
    ({ data }) => data.view,
    (thrown: Response) => thrown.headers.get('location'),
  )
}

const getState = async ({ bookingId }: Begun) => {
  const { state, refundState } = (await findPaidBooking(await contextFor(coach), 'id', bookingId))!
  return [state, refundState]
}

const toJob = ({ bookingId, saleId }: Begun) => ({ coachId: coach.id, paidBookingId: bookingId, saleId })
const findJobs = async (queue: string) => {
  const jobs = await app.platform.boss.findJobs<{ coachId: number }>(queue)
  return jobs.map(({ data }) => data).filter(({ coachId }) => coachId === coach.id)
}

/** Does what the job of a refund does, and lets Stripe send it. */
async function refund(begun: Begun) {
  await refundPaidBooking(app.platform, toJob(begun))
  await runRefunds(coach)
  await deliverAll(coach, stripe)
}

const sessions = async () => {
  const appointments = await listAppointments(await contextFor(coach), {})
  return appointments.map(({ startTime, status, clientName }) => [startTime, status, clientName])
}

const books = async () => {
  const ctx = await contextFor(coach)
  const { revenue, invoices } = await getBillingTotals(ctx, { today: '2026-03-10' })
  expect(await listDifferences(ctx)).toEqual([])
  return { revenue, invoices, clients: (await listClients(ctx)).map(({ name, totalSpent }) => [name, totalSpent]) }
}
const nothing = { revenue: 0, invoices: 0, clients: [] }
const sold = { revenue: 12_000, invoices: 1, clients: [['Maya Ortiz', 12_000]] }

describe('a session that is paid when booking', () => {
  test('says the price and the rule first, is kept while it is paid, and is booked with its invoice when it is paid', async () => {
    const details = await open()
    expect(details.payment).toBe(
      'If you cancel at least 24 h before it begins, all of your payment goes back to your card.',
    )
    const begun = await book()
    expect(begun.address).toMatch(/\/pay\//)
    expect(await sessions()).toEqual([])
    expect(await books()).toEqual(nothing)
    expect((await open()).isFree).toBe(false)
    expect(await openPage(begun)).toMatchObject({ status: 'open', amount: '$120.00', payAction: expect.any(String) })

    await payAndTell(begun)
    expect(await sessions()).toEqual([[ten, 'confirmed', 'Maya Ortiz']])
    expect(await books()).toEqual(sold)
    const { invoiceId } = await getSale(await contextFor(coach), begun.saleId)
    expect(await getInvoice(await contextFor(coach), invoiceId!)).toMatchObject({ status: 'paid', total: 12_000 })
    expect(await openPage(begun)).toMatch(/^\/book\/confirmed\//)
    const page = loadSale({ params: { token: begun.token }, context: visit() } as unknown as LoaderFunctionArgs)
    await expect(page).rejects.toMatchObject({ status: 302 })
  })

  test('is booked once, however often and in whatever order the news come', async () => {
    const begun = await book()
    const session = await findSession(begun)
    store().pay(session)
    const deliveries = stripe.takeDeliveries()
    const ctx = await contextFor(coach)
    await Promise.all([
      ...Array.from({ length: 10 }, () => applySession(ctx, session, account)),
      ...deliveries.toReversed().flatMap((delivery) => Array.from({ length: 5 }, () => deliver(coach, delivery))),
    ])
    await applyEvents(coach)
    expect(await sessions()).toHaveLength(1)
    expect(await books()).toEqual(sold)
  })

  test('is booked by the page that the visitor comes back to', async () => {
    const begun = await book()
    const session = await findSession(begun)
    store().pay(session)
    stripe.takeDeliveries()
    const request = new Request(`http://localhost/sale/${begun.token}/paid?session=${session}`)
    await comeBack({ request, params: { token: begun.token }, context: visit() } as unknown as LoaderFunctionArgs)
    expect(await sessions()).toHaveLength(1)
  })

  test('is found while its time is still kept when no news come, and otherwise in the night', async () => {
    const begun = await book()
    store().pay(await findSession(begun))
    stripe.takeDeliveries()
    pass(32)
    await end(begun)
    expect(await sessions()).toEqual([[ten, 'confirmed', 'Maya Ortiz']])

    const late = await book({ name: 'Noah Kim', email: 'noah@example.com' }, '2026-03-12T09:00:00.000Z')
    store().pay(await findSession(late))
    stripe.takeDeliveries()
    pass(8 * 60)
    await reconcileAccount(await contextFor(coach))
    expect(await sessions()).toHaveLength(2)
  })

  test('is agreed on with the rules of the moment in which it was chosen', async () => {
    app.clock.now = new Date('2026-03-12T08:58:00Z')
    const begun = await book()
    pass(20)
    await payAndTell(begun)
    expect(await getState(begun)).toEqual(['booked', null])
  })

  test('is booked whatever the coach changes in the meantime, as long as the time is free', async () => {
    const other = await createClient({ coach, name: 'Iris' })
    const begun = await book()
    await inTenant(coach, async (tx) => {
      const times = { startTime: '2026-03-12T11:00:00.000Z', endTime: '2026-03-12T12:00:00.000Z' }
      await createAppointment(tx, NewAppointment.parse({ title: 'Own', clientId: other.id, ...times }))
      const [schedule] = await listSchedules(tx)
      const hours = [{ weekday: 1, start: '09:00', end: '12:00' }]
      await updateSchedule(tx, schedule!.id, ScheduleEdit.parse({ dailyLimit: 1, hours }))
      await updateType(tx, typeId, { durations: [30] })
    })
    await payAndTell(begun)
    expect(await getState(begun)).toEqual(['booked', null])
  })

  test('is booked for an archived client while the plan fills up', async () => {
    const { id } = await createClient({ coach, ...maya })
    await inTenant(coach, (tx) => archiveClient(tx, id))
    const begun = await book()
    await all(plans.free.maxClients!, (index) => createClient({ coach, name: `Client ${index}` }))
    await setPlan(coach, 'free')
    await payAndTell(begun)
    expect(await getState(begun)).toEqual(['booked', null])
  })

  test('can’t be begun with a full storage, and is booked when it fills up while it is paid', async () => {
    const begun = await book()
    const { storageUsage } = app.platform
    app.platform.storageUsage = { ...storageUsage, reaches: () => Promise.resolve(true) }
    onTestFinished(() => void (app.platform.storageUsage = storageUsage))
    await payAndTell(begun)
    expect(await getState(begun)).toEqual(['booked', null])
    const eleven = '2026-03-12T11:00:00.000Z'
    const { signature } = await open(eleven)
    pass(0.1)
    const { errors } = await send({ intent: 'book', ...maya, start: eleven, signature }, toQuery(eleven))
    expect(Object.values(errors).flat()).toEqual(['This can’t be paid at the moment. Please get in touch instead.'])
  })

  test('of fifty visitors at once, one pays for it', async () => {
    const forms = Array.from({ length: 50 }, (_, index) => ({ name: `V${index}`, email: `v${index}@example.com` }))
    const { signature } = await open()
    pass(0.1)
    const answers = await all(50, (index) =>
      send({ intent: 'book', ...forms[index]!, start: ten, signature }, toQuery(ten), visit(`203.0.113.${index + 1}`)),
    )
    const paying = answers.filter(({ to }) => to)
    expect(paying).toHaveLength(1)
    expect(answers.filter(({ errors }) => 'start' in errors)).toHaveLength(49)
    await payAndTell(await follow(paying[0]!.to))
    expect(await sessions()).toHaveLength(1)
    expect(await books()).toMatchObject({ revenue: 12_000, invoices: 1 })
  })

  test('leads to one payment page from two tabs', async () => {
    const { signature } = await open()
    pass(0.1)
    const form = { intent: 'book', ...maya, start: ten, signature }
    const [first, second] = [await send(form, toQuery(ten)), await send(form, toQuery(ten))]
    expect(first.to).toBe(second.to)
    const addresses = await all(5, async () => (await follow(first.to)).address)
    expect(new Set(addresses).size).toBe(1)
  })
})

describe('a session that is not paid', () => {
  test('is free again when the visitor gives it up, and can’t be paid any more', async () => {
    const begun = await book()
    const token = getPaidBookingPath(await contextFor(coach), begun.bookingId)
      .split('/')
      .at(-1)!
    const request = new Request(`http://localhost/book/payment/${token}`, {
      method: 'POST',
      body: new URLSearchParams({ intent: 'release' }),
    })
    const args = { request, params: { token }, context: visit() } as unknown as ActionFunctionArgs
    expect(((await paidBookingAction(args)) as Response).headers.get('location')).toBe('/book/session')
    expect((await open()).isFree).toBe(true)
    expect(await openPage(begun)).toMatchObject({ status: 'ended', payAction: null })
    const again = await pay({ params: { token: begun.token }, context: visit() } as unknown as ActionFunctionArgs)
    expect(again.headers.get('location')).toBe(`/sale/${begun.token}`)
  })

  test('is free again when the payment page has closed', async () => {
    const begun = await book()
    pass(32)
    await end(begun)
    pass(5)
    expect((await open()).isFree).toBe(true)
    expect(await getState(begun)).toEqual(['released', null])
    expect(await openPage(begun)).toMatchObject({ status: 'ended', path: '/book/session' })
    expect(await books()).toEqual(nothing)
    pass(31 * 24 * 60)
    await inTenant(coach, forgetPaidBookings)
    expect(await findPaidBooking(await contextFor(coach), 'id', begun.bookingId)).toBeNull()
  })

  test('keeps its time longer when Stripe was away at first', async () => {
    stripe.fail(/checkout\/sessions$/, 500, 10)
    const begun = await book()
    expect(begun.address).toBe(`/sale/${begun.token}`)
    stripe.stopFailing()
    pass(20)
    await pay({ params: { token: begun.token }, context: visit() } as unknown as ActionFunctionArgs)
    pass(20)
    expect((await open()).isFree).toBe(false)
    await payAndTell(begun)
    expect(await sessions()).toHaveLength(1)
  })
})

test('a sale can’t be paid when nothing hands over what it is for', async () => {
  const begun = await book()
  const hooks = app.platform.extensions.hooks.filter(({ hook }) => hook !== keepSold.name)
  const kept = inTenant(coach, (tx) =>
    keepSale({ ...tx, extensions: { ...tx.extensions, hooks } }, begun.saleId, app.clock.now),
  )
  await expect(kept).rejects.toMatchObject({ code: 'conflict' })
})

describe('the time of a visitor who does not pay', () => {
  const payAgain = async ({ token }: Begun) => {
    const response = await pay({ params: { token }, context: visit() } as unknown as ActionFunctionArgs)
    return response.headers.get('location')
  }

  test('is paid on a new page when Stripe did not answer at first', async () => {
    stripe.fail(/checkout\/sessions$/, 'nothing', 10)
    const begun = await book()
    stripe.stopFailing()
    pass(5)
    expect(await payAgain(begun)).toMatch(/\/pay\//)
  })

  test('is not kept again after its page has closed', async () => {
    const begun = await book()
    pass(31.5)
    expect(await payAgain(begun)).toBe(`/sale/${begun.token}`)
    pass(5)
    expect((await open()).isFree).toBe(true)
  })

  test('is kept for two hours at most while Stripe is away', async () => {
    stripe.fail(/checkout\/sessions$/, 500, 100)
    const begun = await book()
    for (let time = 0; time < 6; time++) {
      pass(25)
      await payAgain(begun)
    }
    pass(12)
    expect((await open()).isFree).toBe(true)
  })
})

describe('a payment that comes too late', () => {
  test('goes back in full when the coach has taken the time, and the visitor gets an email', async () => {
    const begun = await book()
    await inTenant(coach, async (tx) => {
      const { id: clientId } = await createClient({ coach, name: 'Iris' })
      const times = { startTime: ten, endTime: '2026-03-12T11:00:00.000Z' }
      await createAppointment(tx, NewAppointment.parse({ title: 'Own', clientId, ...times }))
    })
    await payAndTell(begun)
    expect(await getState(begun)).toEqual(['lost', 'due'])
    await all(2, () => refundPaidBooking(app.platform, toJob(begun)))
    await refund(begun)
    expect(await getState(begun)).toEqual(['lost', 'sent'])
    expect(await books()).toMatchObject({ revenue: 0, invoices: 1 })
    await emailLostBooking(app.platform, { coachId: coach.id, paidBookingId: begun.bookingId })
    const emails = await listOutbox(app.platform.config)
    expect(emails.find(({ subject }) => subject.startsWith('Your time could not be booked'))).toMatchObject({
      to: maya.email,
    })
    expect(await openPage(begun)).toMatchObject({ status: 'lost', isLeftToCoach: false })
    expect(await sessions()).toEqual([[ten, 'scheduled', 'Iris']])
    expect(await findJobs(lostQueue)).toHaveLength(1)
    // Repeating it sends nothing.
    await refund(begun)
    expect(await books()).toMatchObject({ revenue: 0 })
  })

  test('goes back when the coach takes the time in the same moment', async () => {
    const begun = await book()
    const session = await findSession(begun)
    store().pay(session)
    stripe.takeDeliveries()
    const { id: clientId } = await createClient({ coach, name: 'Iris' })
    const ctx = await contextFor(coach)
    let paid: Promise<void> | undefined
    await inTenant(coach, async (tx) => {
      const times = { startTime: ten, endTime: '2026-03-12T11:00:00.000Z' }
      await createAppointment(tx, NewAppointment.parse({ title: 'Own', clientId, ...times }))
      paid = applySession(ctx, session, account)
      paid.catch(() => {})
      const text = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await vi.waitFor(async () => expect(await ctx.query({ text })).toHaveLength(1), 10_000)
    })
    await paid
    expect(await getState(begun)).toEqual(['lost', 'due'])
    expect(await sessions()).toEqual([[ten, 'scheduled', 'Iris']])
  })

  test('is left to the coach when Stripe refuses to send it back, or the bank does later', async () => {
    const refusedAtOnce = await book()
    pass(3 * 24 * 60)
    await payAndTell(refusedAtOnce)
    stripe.fail(/refunds$/, 400)
    await refund(refusedAtOnce)
    stripe.stopFailing()
    expect(await getState(refusedAtOnce)).toEqual(['lost', 'failed'])
    expect(await openPage(refusedAtOnce)).toMatchObject({ status: 'lost', isLeftToCoach: true })

    const later = await book({ name: 'Noah Kim', email: 'noah@example.com' }, '2026-03-17T10:00:00.000Z')
    pass(5 * 24 * 60)
    await payAndTell(later)
    await refund(later)
    expect(await getState(later)).toEqual(['lost', 'sent'])
    const ctx = await contextFor(coach)
    const [sent] = await ctx.query<{ refundId: string }>({
      text: 'select refund_id as "refundId" from stripe_refund where coach_id = $1 and refund_id is not null',
      values: [coach.id],
    })
    store().finishRefund(sent!.refundId, false)
    await deliverAll(coach, stripe)
    expect(await getState(later)).toEqual(['lost', 'failed'])
    const told = await ctx.query({
      text: `select description from activity where coach_id = $1 and type = 'refund_failed' order by id`,
      values: [coach.id],
    })
    expect(told).toEqual([
      { description: '$120.00 to Maya Ortiz, Session' },
      { description: '$120.00 to Noah Kim, Session' },
    ])
  })

  test('is left to the coach when it can’t go back to the card', async () => {
    const begun = await book()
    pass(3 * 24 * 60)
    const session = await findSession(begun)
    store().pay(session)
    await deliverAll(coach, stripe)
    const ctx = await contextFor(coach)
    const without = { ...app.platform, config: { ...app.platform.config, stripe: undefined } }
    await refundPaidBooking(without, toJob(begun))
    expect(await getState(begun)).toEqual(['lost', 'failed'])
    const [told] = await ctx.query<{ description: string }>({
      text: `select description from activity where coach_id = $1 and type = 'refund_failed'`,
      values: [coach.id],
    })
    expect(told!.description).toBe('$120.00, Maya Ortiz, for a session that does not take place')
  })
})

describe('a paid session that is cancelled', () => {
  const bookAndPay = async () => {
    const begun = await book()
    await payAndTell(begun)
    const [appointment] = await listAppointments(await contextFor(coach), {})
    return { begun, id: appointment!.id }
  }
  const loadPage = async (id: number) => {
    const path = getManagePath(await contextFor(coach), id)
    const page = await loadManagedBooking(visit(), path.split('/').at(-1)!, new URL(`http://localhost${path}`))
    return 'data' in page ? null : page.booking.payment
  }

  test('in time by its attendee goes back in full, as the type says', async () => {
    const { begun, id } = await bookAndPay()
    expect(await loadPage(id)).toEqual({ amount: '$120.00', refund: 'automatic', refundState: null })
    await inTenant(coach, (tx) => cancelBooking(tx, id, { reason: null }))
    await refund(begun)
    expect(await loadPage(id)).toMatchObject({ refundState: 'sent' })
    expect(await books()).toMatchObject({ revenue: 0 })
  })

  test('can be cancelled as long before as was agreed on, also when the type changes afterwards', async () => {
    const { begun, id } = await bookAndPay()
    await inTenant(coach, (tx) => updateType(tx, typeId, { cancellationNoticeMinutes: 4320 }))
    await inTenant(coach, (tx) => cancelBooking(tx, id, { reason: null }))
    expect(await getState(begun)).toEqual(['booked', 'due'])
  })

  test('stays paid where the coach decides, also when the type changes afterwards', async () => {
    await inTenant(coach, (tx) => updateType(tx, typeId, { refund: 'manual' }))
    const { begun, id } = await bookAndPay()
    await inTenant(coach, (tx) => updateType(tx, typeId, { refund: 'automatic' }))
    await inTenant(coach, (tx) => cancelBooking(tx, id, { reason: null }))
    await refund(begun)
    expect(await books()).toEqual(sold)
  })

  test('by its attendee stays paid where the coach decides, also while it is not confirmed', async () => {
    await inTenant(coach, (tx) => updateType(tx, typeId, { refund: 'manual', confirmation: 'manual' }))
    const { begun, id } = await bookAndPay()
    await inTenant(coach, (tx) => updateAppointment(tx, id, { status: 'confirmed' }))
    await inTenant(coach, (tx) => rescheduleBooking(tx, id, { start: new Date('2026-03-12T11:00:00Z'), reason: null }))
    await inTenant(coach, (tx) => cancelBooking(tx, id, { reason: null }))
    expect(await getState(begun)).toEqual(['booked', null])
    await refund(begun)
    expect(await books()).toEqual(sold)
  })

  test('goes back also when the request is erased within the minute', async () => {
    await inTenant(coach, (tx) => updateType(tx, typeId, { confirmation: 'manual' }))
    const { begun, id } = await bookAndPay()
    await inTenant(coach, (tx) => deleteAppointment(tx, id))
    expect(await findJobs(refundQueue)).toEqual([toJob(begun)])
    await inTenant(coach, (tx) => eraseRecord(tx, getRecordKind(tx, 'appointment'), id))
    expect(await findPaidBooking(await contextFor(coach), 'id', begun.bookingId)).toBeNull()
    await all(2, () => refundPaidBooking(app.platform, toJob(begun)))
    await refund(begun)
    expect(await books()).toMatchObject({ revenue: 0 })
  })

  test('is refunded when it is declined again before the minute is over, once by two workers', async () => {
    const { begun, id } = await bookAndPay()
    await inTenant(coach, (tx) => updateAppointment(tx, id, { status: 'scheduled' }))
    await inTenant(coach, (tx) => updateAppointment(tx, id, { status: 'cancelled' }))
    await inTenant(coach, (tx) => updateAppointment(tx, id, { status: 'scheduled' }))
    await inTenant(coach, (tx) => updateAppointment(tx, id, { status: 'cancelled' }))
    expect(await findJobs(refundQueue)).toHaveLength(2)
    await all(2, () => refundPaidBooking(app.platform, toJob(begun)))
    await refund(begun)
    expect(await books()).toMatchObject({ revenue: 0 })
  })

  test('by the coach stays paid, and goes back in full when it was a request, unless the coach takes it back', async () => {
    const { begun, id } = await bookAndPay()
    await inTenant(coach, (tx) => updateAppointment(tx, id, { status: 'cancelled' }))
    expect(await getState(begun)).toEqual(['booked', null])

    await inTenant(coach, (tx) => updateAppointment(tx, id, { status: 'scheduled' }))
    await inTenant(coach, (tx) => updateAppointment(tx, id, { status: 'cancelled' }))
    await inTenant(coach, (tx) => updateAppointment(tx, id, { status: 'scheduled' }))
    await refund(begun)
    expect(await books()).toEqual(sold)
    await inTenant(coach, (tx) => updateAppointment(tx, id, { status: 'cancelled' }))
    await refund(begun)
    expect(await getState(begun)).toEqual(['booked', 'sent'])
    expect(await books()).toMatchObject({ revenue: 0 })
  })
})

describe('payment when booking', () => {
  test('is offered with a price and with card payments only', async () => {
    const create = (input: object) => inTenant(coach, (tx) => createType(tx, toType({ name: 'Other', ...input })))
    await expect(create({ priceCents: null })).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(create({ priceCents: 0 })).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(create({ priceCents: 20 })).rejects.toMatchObject({
      issues: [{ path: 'priceCents', message: '$0.20 can’t be paid by card: enter a higher price' }],
    })
    await expect(inTenant(coach, (tx) => updateType(tx, typeId, { priceCents: null }))).rejects.toMatchObject({
      code: 'validation_failed',
    })
    await inTenant(coach, disconnect)
    await expect(create({})).rejects.toMatchObject({
      issues: [{ path: 'payment', message: 'Connect card payments on the Settings page first' }],
    })
    // A type that has it can still be renamed, and made free.
    await inTenant(coach, (tx) => updateType(tx, typeId, { name: 'Talk' }))
    await inTenant(coach, (tx) => updateType(tx, typeId, { payment: 'later', priceCents: null }))
  })

  test('can’t be left out while card payments are not ready', async () => {
    const { signature } = await open()
    await inTenant(coach, disconnect)
    pass(0.1)
    const page = await loadBooking(visit(), 'session', new URL('http://localhost/book/session?zone=Europe/Berlin'))
    expect(page.unpayable).toEqual({ name: 'Ada Coaching', email: coach.email })
    const { to, errors } = await send({ intent: 'book', ...maya, start: ten, signature }, toQuery(ten))
    expect(to).toBe('')
    expect(Object.values(errors).flat()).toEqual(['This can’t be paid at the moment. Please get in touch instead.'])
    expect(await sessions()).toEqual([])
  })
})

describe('a type that is sold as a product', () => {
  let productId: number
  const patch = (path: string, body: object) => app.call('PATCH', `/api${path}`, { as: coach, body })
  const edit = (fields: object) => inTenant(coach, (tx) => updateType(tx, typeId, fields))
  const publicTypes = async () =>
    (await listPublicTypes(await contextFor(coach))).map(({ name, price }) => [name, price])
  const sixSessions = { name: 'Career Reset', price: '600.00', sessionCount: 6 }

  beforeEach(async () => {
    productId = (await createProduct({ coach, ...sixSessions })).id
    await edit({ productId })
  })

  test('sells the package with its first session, which counts once it has taken place', async () => {
    const { type } = await loadBooking(visit(), 'session', new URL('http://localhost/book/session'))
    expect(type.price).toBe('$600 for 6 sessions')
    expect((await open()).payment).toBe(
      'You pay for 6 sessions, of which this is the first. If you cancel, ask whether your payment goes back: it doesn’t by itself.',
    )
    const begun = await book()
    await payAndTell(begun)
    expect(await sessions()).toEqual([[ten, 'confirmed', 'Maya Ortiz']])
    expect(await books()).toEqual({ revenue: 60_000, invoices: 1, clients: [['Maya Ortiz', 60_000]] })
    const ctx = await contextFor(coach)
    const { invoiceId } = await getSale(ctx, begun.saleId)
    expect((await getInvoice(ctx, invoiceId!)).lines).toMatchObject([{ description: 'Career Reset', productId }])
    const [session] = await listAppointments(ctx, {})
    const packages = async () => {
      const listed = await listPackages(await contextFor(coach), session!.clientId!)
      return listed.map(({ productName, used, left }) => [productName, used, left])
    }
    expect(await packages()).toEqual([['Career Reset', 0, 6]])
    pass(3 * 24 * 60)
    await inTenant(coach, (tx) => completeSession(tx, session!.id, { notes: null }))
    expect(await packages()).toEqual([['Career Reset', 1, 5]])
    // All six are paid: none has a price of its own.
    expect((await listBillableSessions(ctx, session!.clientId!)).map(({ price }) => price)).toEqual([null])
  })

  test('keeps the payment of a package when its first session is cancelled, until the coach decides', async () => {
    const begun = await book()
    await payAndTell(begun)
    const [session] = await listAppointments(await contextFor(coach), {})
    await inTenant(coach, (tx) => cancelBooking(tx, session!.id, { reason: null }))
    expect(await getState(begun)).toEqual(['booked', null])
  })

  test('of one session goes back as the type says, and is billed at the price of the product when it is paid later', async () => {
    const single = await createProduct({ coach, name: 'Single', price: '150.00' })
    await edit({ productId: single.id })
    const begun = await book()
    await payAndTell(begun)
    const [session] = await listAppointments(await contextFor(coach), {})
    const { clientId, id } = session!
    await inTenant(coach, (tx) => cancelBooking(tx, id, { reason: null }))
    expect(await getState(begun)).toEqual(['booked', 'due'])
    await inTenant(coach, async (tx) => {
      const times = { startTime: '2026-03-09T09:00:00Z', endTime: '2026-03-09T10:00:00Z', appointmentTypeId: typeId }
      const held = await createAppointment(tx, NewAppointment.parse({ title: 'Held', clientId, ...times }))
      await completeSession(tx, held.id, { notes: null })
    })
    const billable = await listBillableSessions(await contextFor(coach), clientId!)
    expect(billable.map(({ title, price }) => [title, price])).toEqual([['Held', 15_000]])
  })

  test.each([
    ['hidden', () => patch(`/products/${productId}`, { isActive: false })],
    ['recurring', () => patch(`/products/${productId}`, { paymentType: 'recurring' })],
    ['free', () => patch(`/products/${productId}`, { price: '0.00' })],
    ['in the trash', () => inTenant(coach, (tx) => deleteProduct(tx, productId))],
  ])('is shown to nobody and can’t be booked while its product is %s', async (_state, change) => {
    await edit({ payment: 'booking' })
    const { signature } = await open()
    expect(await publicTypes()).toEqual([['Session', 60_000]])
    await change()
    pass(0.1)
    expect(await publicTypes()).toEqual([])
    expect(await hasPublicTypes(await contextFor(coach))).toBe(false)
    await expect(open()).rejects.toMatchObject({ code: 'not_found' })
    const sent = await send({ intent: 'book', ...maya, start: ten, signature }, toQuery(ten)).catch((error) => error)
    expect(sent).not.toMatchObject({ to: expect.stringMatching(/./) })
    expect(await sessions()).toEqual([])
    const { unsold } = await listProductChoices(await contextFor(coach), productId)
    expect(unsold).toMatch(/nobody can book this online/)
    // The rest of the type can still be changed, and another product chosen.
    await edit({ name: 'Talk', productId })
    await edit({ productId: (await createProduct({ coach, ...sixSessions })).id })
    expect(await publicTypes()).toEqual([['Talk', 60_000]])
  })

  test('is not sold when its product stops being sold in the same moment', async () => {
    const ctx = await contextFor(coach)
    let paying: Promise<number> | undefined
    await inTenant(coach, async (tx) => {
      await updateProduct(tx, productId, { isActive: false })
      const buyer = { name: 'Maya Ortiz', email: 'maya@example.com' }
      paying = ctx.write((other) => getOnlineSales(ctx)!.start(other, { productId, buyer }))
      paying.catch(() => {})
      const text = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await vi.waitFor(async () => expect(await ctx.query({ text })).toHaveLength(1), 10_000)
    })
    await expect(paying).rejects.toMatchObject({ code: 'conflict' })
  })

  test('is hidden, without a price, once its product is erased', async () => {
    await inTenant(coach, (tx) => deleteProduct(tx, productId))
    await inTenant(coach, (tx) => eraseRecord(tx, getRecordKind(tx, 'product'), productId))
    const type = await getAppointmentType(await contextFor(coach), typeId)
    expect(type).toMatchObject({ productId: null, priceCents: null, payment: 'later', visibility: 'hidden' })
  })

  test('has a product that is paid once, or a price: the one replaces the other', async () => {
    const change = async (body: object) => (await patch(`/appointment-types/${typeId}`, body)).body
    expect(await change({ priceCents: 5000 })).toMatchObject({ priceCents: 5000, productId: null })
    expect(await change({ productId })).toMatchObject({ priceCents: null, productId })
    expect(await change({ productId, priceCents: 5000 })).toMatchObject({ issues: [{ path: 'productId' }] })
    expect(await change({ productId: null })).toMatchObject({ issues: [{ path: 'priceCents' }] })
    const recurring = await createProduct({ coach, name: 'Club', price: '50.00', paymentType: 'recurring' })
    expect(await change({ productId: recurring.id })).toMatchObject({ issues: [{ path: 'productId' }] })
    const cheap = await createProduct({ coach, name: 'Cheap', price: '0.20' })
    expect(await change({ productId: cheap.id })).toMatchObject({
      issues: [{ path: 'productId', message: '$0.20 can’t be paid by card: enter a higher price' }],
    })
    const foreign = await createProduct({ coach: await createCoach(), ...sixSessions })
    for (const absent of [foreign.id, 987_654_321])
      expect(await patch(`/appointment-types/${typeId}`, { productId: absent })).toMatchObject({
        status: 404,
        body: { message: 'Product not found' },
      })
  })

  test('has one of four costs in its form, of which one input counts', () => {
    const read = (fields: object) => {
      const sent = { id: '1', name: 'Session', durations: '60', priceCents: '80', productId: '7', ...fields }
      const { priceCents, productId: product } = TypeForm.parse(sent)
      return [priceCents, product]
    }
    expect(read({ cost: 'none' })).toEqual([null, null])
    expect(read({ cost: 'free' })).toEqual([0, null])
    expect(read({ cost: 'price' })).toEqual([8000, null])
    expect(read({ cost: 'product' })).toEqual([null, 7])
    expect(() => read({ cost: 'price', priceCents: '' })).toThrow('Enter a price')
    expect(() => read({ cost: 'product', productId: '' })).toThrow('Choose a product')
  })
})

/** Does what the job at the end of a payment page does. */
async function end({ bookingId, saleId }: Begun) {
  await inTenant(coach, (tx) => endPaidBooking(tx, bookingId))
  await inTenant(coach, (tx) => closeSalePages(tx, saleId))
  const ctx = await contextFor(coach)
  for (const { id } of await listPages(ctx, { kind: 'sale', id: saleId })) await expireCheckout(ctx, id)
}
