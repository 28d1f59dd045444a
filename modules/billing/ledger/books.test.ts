import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppError } from '#app/lib/errors.ts'
import type { WriteCtx } from '#tenants/context.ts'
import {
  contextFor,
  createClient,
  createCoach,
  createProduct,
  createPurchase,
  inTenant,
  type Coach,
} from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { readBooks } from '../e2e/factories.ts'
import { purchaseStatuses, type PurchaseStatus } from '../fields.ts'
import { NewInvoice } from '../invoices/forms.ts'
import { listInvoices } from '../queries/invoices.ts'
import { getBillingTotals } from '../queries/ledger.ts'
import { getPurchase, listPurchases } from '../queries/purchases.ts'
import { createCreditNote, recordPayment, refundInvoice } from '../services/invoice-payments.ts'
import { sendInvoice } from '../services/invoice-emails.ts'
import { createInvoice, voidInvoice } from '../services/invoices.ts'
import { recordDispute, recordOnlinePayment, recordOnlineRefund } from '../services/online-payments.ts'
import { deletePurchase, updatePurchase } from '../services/purchases.ts'

createTestApp()

/** `at` chooses one of the invoices or purchases, `amount` is in cents. */
type Step = { what: keyof typeof actions; at: number; amount: number; status: PurchaseStatus }
type World = {
  coach: Coach
  clients: number[]
  productId: number
  invoices: number[]
  purchases: number[]
  step: number
}
type Action = (world: World, step: Step) => Promise<number>

const choose = (ids: number[], at: number): number => ids[at % Math.max(ids.length, 1)] ?? 0
const ofInvoice =
  (
    money: (amount: number) => number,
    work: (ctx: WriteCtx, id: number, amount: number, key: string) => Promise<unknown>,
  ) =>
  async ({ coach, invoices, step }: World, { at, amount }: Step): Promise<number> => {
    await inTenant(coach, (ctx) => work(ctx, choose(invoices, at), amount, `step-${step}`))
    return money(amount)
  }
const comesIn = (amount: number) => amount
const goesOut = (amount: number) => -amount
const stays = () => 0

/** Each returns the cents that come in, or go out if negative. */
const actions = {
  invoice: async ({ coach, clients, invoices }, { at, amount }) => {
    const line = { description: 'Session', unitPrice: amount }
    const input = { clientId: choose(clients, at), description: 'Coaching', lines: [line], draft: at % 3 === 0 }
    invoices.push((await inTenant(coach, (ctx) => createInvoice(ctx, NewInvoice.parse(input)))).id)
    return 0
  },
  send: ofInvoice(stays, (ctx, id) => sendInvoice(ctx, id)),
  pay: ofInvoice(comesIn, (ctx, id, amount) => recordPayment(ctx, id, { amount, method: 'cash' })),
  payOnline: ofInvoice(comesIn, (ctx, id, amount, externalId) =>
    recordOnlinePayment(ctx, id, { amount, externalId, paidAt: ctx.now() }),
  ),
  refund: ofInvoice(goesOut, (ctx, id, amount) => refundInvoice(ctx, id, { amount, method: 'cash' })),
  refundOnline: ofInvoice(goesOut, (ctx, id, amount, externalId) =>
    recordOnlineRefund(ctx, id, { amount, externalId, source: 'dashboard' }),
  ),
  dispute: ofInvoice(goesOut, (ctx, id, amount, externalId) => recordDispute(ctx, id, { amount, externalId })),
  credit: ofInvoice(stays, (ctx, id, amount) => createCreditNote(ctx, id, { amount })),
  void: ofInvoice(stays, (ctx, id) => voidInvoice(ctx, id)),
  purchase: async ({ coach, clients, productId, purchases }, { at, amount, status }) => {
    const purchase = { coach, clientId: choose(clients, at), productId, amount, status }
    purchases.push((await createPurchase(purchase)).id)
    return status === 'completed' ? amount : 0
  },
  change: async ({ coach, purchases }, { at, status }) => {
    const id = choose(purchases, at)
    const before = await getPurchase(await contextFor(coach), id)
    await inTenant(coach, (ctx) => updatePurchase(ctx, id, { status }))
    return (status === 'completed' ? before.amount : 0) - (before.status === 'completed' ? before.amount : 0)
  },
  delete: async ({ coach, purchases }, { at }) => {
    const id = choose(purchases, at)
    const { amount, status } = await getPurchase(await contextFor(coach), id)
    await inTenant(coach, (ctx) => deletePurchase(ctx, id))
    return status === 'completed' ? -amount : 0
  },
} satisfies Record<string, Action>

const names = Object.keys(actions) as (keyof typeof actions)[]
const anyStep: fc.Arbitrary<Step> = fc.record({
  // Otherwise most steps would have no invoice that they can change.
  what: fc.oneof(fc.constantFrom(...names), fc.constantFrom('invoice' as const, 'pay' as const, 'payOnline' as const)),
  at: fc.nat(5),
  amount: fc.constantFrom(1, 50, 9_999, 10_000, 10_001, 15_000),
  status: fc.constantFrom(...purchaseStatuses),
})

test('after any steps, all screens show the same money to the cent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 8, maxLength: 16 }), async (steps) => {
      const coach = await createCoach()
      const clients = [(await createClient({ coach })).id, (await createClient({ coach })).id]
      const { id: productId } = await createProduct({ coach })
      const world: World = { coach, clients, productId, invoices: [], purchases: [], step: 0 }
      let expected = 0
      for (const step of steps) {
        world.step += 1
        // A step that isn't possible changes nothing.
        expected += await actions[step.what](world, step).catch(ignoreRejected)
        await expectSameMoney(coach, expected)
      }
    }),
    { numRuns: 12 },
  )
}, 120_000)

test('money that goes back for another invoice leaves what was paid for this one', async () => {
  const coach = await createCoach()
  const { id: clientId } = await createClient({ coach })
  const add = (draft: boolean) =>
    inTenant(coach, (ctx) =>
      createInvoice(
        ctx,
        NewInvoice.parse({
          clientId,
          description: 'Coaching',
          lines: [{ description: 'Session', unitPrice: 15_000 }],
          draft,
        }),
      ),
    )
  const [paid, unpaid] = [await add(false), await add(true)]
  await inTenant(coach, (ctx) => recordPayment(ctx, paid.id, { amount: 15_000, method: 'cash' }))
  const goBack = (id: number, amount: number, externalId: string) =>
    inTenant(coach, (ctx) => recordOnlineRefund(ctx, id, { amount, externalId, source: 'dashboard' }))
  await goBack(unpaid.id, 15_000, 're_1')
  await expectSameMoney(coach, 0)
  await goBack(paid.id, 15_000, 're_2')
  await expectSameMoney(coach, -15_000)
})

function ignoreRejected(error: unknown): number {
  if (!(error instanceof AppError)) throw error
  return 0
}

async function expectSameMoney(coach: Coach, expected: number): Promise<void> {
  const ctx = await contextFor(coach)
  const { ofNobody, ...books } = await readBooks(ctx)
  expect(books).toEqual({ dashboard: expected, payments: expected, clients: expected - ofNobody, differences: [] })
  // The rows of the lists add up to the cards above them.
  const [invoices, purchases, totals] = await Promise.all([
    listInvoices(ctx),
    listPurchases(ctx, {}),
    getBillingTotals(ctx, { today: '2026-03-10' }),
  ])
  const sum = (amounts: number[]) => amounts.reduce((all, amount) => all + amount, 0)
  const ofInvoices = sum(invoices.map(({ paid, refunded }) => paid - refunded))
  const ofPurchases = sum(purchases.filter(({ status }) => status === 'completed').map(({ amount }) => amount))
  const [beside] = await ctx.query<{ amount: number }>({
    text: `select coalesce(sum(amount), 0)::bigint as amount from ledger_entry
      where coach_id = $1 and invoice_id is null and purchase_id is null`,
    values: [coach.id],
  })
  expect(ofInvoices + ofPurchases + beside!.amount).toBe(expected)
  expect(totals.outstanding).toBe(sum(invoices.map(({ balance }) => balance)))
}
