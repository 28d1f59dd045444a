import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { localDate } from '#app/lib/time.ts'
import { getClient } from '#modules/crm/index.ts'
import { deleteClient } from '#modules/crm/services/clients.ts'
import { getHistory } from '#modules/core/history.ts'
import { getRecordKind } from '#modules/core/record-kinds.ts'
import { eraseRecord } from '#modules/core/trash.ts'
import { getCounts } from '#modules/core/counts.ts'
import { fillSlot } from '#modules/core/slots.ts'
import * as factories from '#tests/support/factories.ts'
import { createCoach, inTenant, contextFor, type Coach } from '#tests/support/factories.ts'
import { createTestApp, concurrently } from '#tests/support/test-app.ts'
import {
  getEditPurchaseDialog,
  getClientPurchaseDialog,
  getNewPurchaseDialog,
  toIncomeView,
} from './purchases-loader.server.ts'
import { purchaseStatuses, type PurchaseStatus } from './fields.ts'
import { NewProduct, NewPurchase, NewPurchaseForm, PurchaseEditForm } from './forms.ts'
import { purchasesUrl } from './list-state.ts'
import { getProductForEdit, listProductsForSale, listProductsPage } from './queries/products.ts'
import { getPurchaseHistory, listPurchasesPage, getPurchase, getRevenueComparison } from './queries/purchases.ts'
import { createProduct, deleteProduct, updateProduct } from './services/products.ts'
import {
  deletePurchase,
  updatePurchase,
  updatePurchaseOnDate,
  createPurchase,
  createPurchaseOnDate,
  restorePurchase,
} from './services/purchases.ts'

const app = createTestApp()

type Sold = { amount?: number; at?: string; status?: PurchaseStatus; notes?: string; clientId?: number }

async function createShop(more: { timezone?: string } = {}) {
  const coach = await createCoach(more)
  const client = await factories.createClient({ coach, name: 'Åsa Müßig', email: 'asa@example.com' })
  const product = await factories.createProduct({ coach })
  const sell = ({ amount = 15_000, at, status, notes, clientId = client.id }: Sold = {}) =>
    inTenant(coach, (ctx) =>
      createPurchase(
        ctx,
        NewPurchase.parse({
          clientId,
          productId: product.id,
          amount,
          paymentMethod: 'cash',
          purchaseDate: at,
          status,
          notes,
        }),
      ),
    )
  return { coach, client, product, sell }
}

const spentBy = async (coach: Coach, id: number) => (await getClient(await contextFor(coach), id)).totalSpent
const listed = async (coach: Coach, address = '', clientIds: number[] = []) =>
  listPurchasesPage(await contextFor(coach), purchasesUrl.parse(`/purchases?${address}`), clientIds)

test('erasing a client keeps the sale and removes the notes from the purchase and its history', async () => {
  const { coach, client, sell } = await createShop()
  const one = await sell({ notes: 'Åsa pays after the divorce' })
  const kept = await sell({
    notes: 'Somebody else',
    clientId: (await factories.createClient({ coach, name: 'Bea' })).id,
  })
  const thrown = await sell({ notes: 'Åsa moved away' })
  await inTenant(coach, (ctx) => updatePurchase(ctx, one.id, { notes: 'Åsa pays in June' }))
  await inTenant(coach, (ctx) => updatePurchase(ctx, one.id, { notes: 'Åsa pays in July', status: 'pending' }))
  const [opened] = await (await contextFor(coach)).query<{ version: number }>({
    name: 'test.opened',
    text: 'select version from purchase where id = $1',
    values: [one.id],
  })
  await inTenant(coach, (ctx) => deletePurchase(ctx, thrown.id))
  await inTenant(coach, (ctx) => deleteClient(ctx, client.id))
  await inTenant(coach, (ctx) => eraseRecord(ctx, getRecordKind(ctx, 'client'), client.id))

  expect(await getPurchase(await contextFor(coach), one.id)).toMatchObject({
    clientId: null,
    productName: 'Career Reset',
    amount: 15_000,
    notes: null,
  })
  const { entries } = await getHistory(
    await contextFor(coach),
    getRecordKind(await contextFor(coach), 'purchase'),
    one.id,
  )
  expect(entries.map(({ action, changes }) => [action, ...changes.map(({ field }) => field)])).toEqual([
    ['changed', 'clientId'],
    ['changed', 'status'],
    ['created'],
  ])
  await inTenant(coach, (ctx) => restorePurchase(ctx, thrown.id))
  expect(await getPurchase(await contextFor(coach), thrown.id)).toMatchObject({ clientId: null, notes: null })
  expect(await getPurchase(await contextFor(coach), kept.id)).toMatchObject({ notes: 'Somebody else' })
  expect(await listed(coach, 'q=Åsa')).toMatchObject({ totals: { count: 0 } })
  // A form that was opened before does not bring the notes back.
  await expect(
    inTenant(coach, (ctx) => updatePurchaseOnDate(ctx, one.id, { notes: 'Åsa pays in July' }, opened!.version)),
  ).rejects.toMatchObject({ code: 'conflict' })
})

test('an edit that removes the client from a purchase keeps its notes', async () => {
  const { coach, sell } = await createShop()
  const { id } = await sell({ notes: 'Pays in June' })
  await inTenant(coach, (ctx) => updatePurchase(ctx, id, { notes: 'Pays in July' }))
  await inTenant(coach, (ctx) =>
    ctx.query({
      name: 'test.remove-client',
      text: 'update purchase set client_id = null, version = version + 1 where coach_id = $1 and id = $2',
      values: [ctx.coachId, id],
    }),
  )
  const ctx = await contextFor(coach)
  expect(await getPurchase(ctx, id)).toMatchObject({ clientId: null, notes: 'Pays in July' })
  const { entries } = await getHistory(ctx, getRecordKind(ctx, 'purchase'), id)
  expect(entries.flatMap(({ changes }) => changes.map(({ field }) => field))).toEqual(['clientId', 'notes'])
})

describe('the list of all purchases', () => {
  test.each(['Pacific/Auckland', 'America/Los_Angeles', 'Pacific/Kiritimati', 'UTC'])(
    "adds up to the dashboard's revenue in %s, at both ends of the month",
    async (timezone) => {
      app.clock.now = new Date('2026-04-15T12:00:00Z')
      const { coach, sell } = await createShop({ timezone })
      // Every half hour around both ends of April.
      let amount = 1
      for (const border of ['2026-04-01T00:00:00Z', '2026-05-01T00:00:00Z']) {
        for (let step = -30; step <= 30; step++)
          await sell({
            amount: (amount *= 1.01) && Math.round(amount * 100),
            at: new Date(Date.parse(border) + step * 1_800_000).toISOString(),
          })
      }
      await sell({ amount: 77, at: '2026-04-10T00:00:00Z', status: 'pending' })
      const ctx = await contextFor(coach)
      const { monthlyRevenue } = await getCounts(ctx)
      const april = await listed(coach, 'month=2026-04&status=completed')

      expect(april.totals).toMatchObject({ amount: monthlyRevenue, completed: monthlyRevenue })
      expect(await getRevenueComparison(ctx)).toMatchObject({ now: monthlyRevenue })
      const [march, may] = [await listed(coach, 'month=2026-03'), await listed(coach, 'month=2026-05')]
      expect(march.totals.count + april.totals.count + may.totals.count).toBe(122)
      expect((await listed(coach, 'month=2026-04')).totals).toMatchObject({
        count: april.totals.count + 1,
        amount: monthlyRevenue + 77,
        completed: monthlyRevenue,
        pending: 77,
      })
    },
    60_000,
  )

  test('totals completed purchases first and other statuses separately, or the filtered status alone', async () => {
    const { coach, sell } = await createShop()
    for (const [amount, status] of [
      [20_000, 'completed'],
      [5000, 'completed'],
      [700, 'pending'],
      [90, 'refunded'],
    ] as const)
      await sell({ amount, status })
    const { totals } = await listed(coach)

    expect(toIncomeView(totals, null, 'usd')).toEqual({
      amount: '$250.00',
      status: 'completed',
      others: ['$7.00 pending', '$0.90 refunded'],
    })
    expect(toIncomeView((await listed(coach, 'status=pending')).totals, 'pending', 'usd')).toEqual({
      amount: '$7.00',
      status: 'pending',
      others: [],
    })
    expect(totals.amount).toBe(purchaseStatuses.reduce((sum, status) => sum + totals[status], 0))
  })

  test('is searched by product and notes, ignoring case and accents, with wildcards taken literally', async () => {
    const { coach, sell } = await createShop()
    await sell({ notes: 'Überweisung, 50 % _sofort_ C:\\Rest "x"' })
    await sell()
    const count = async (q: string) => (await listed(coach, new URLSearchParams({ q }).toString())).totals.count

    expect(
      await Promise.all(['CAREER', 'uberweisung', '50 %', '_sofort_', 'c:\\rest', '"x"', "'", '%%', '_'].map(count)),
    ).toEqual([2, 1, 1, 1, 1, 1, 0, 0, 1])
  })

  test('lists every purchase once, latest first, with the total of all pages', async () => {
    const { coach, sell } = await createShop()
    for (let nth = 0; nth < 53; nth++)
      await sell({ amount: nth, at: new Date(Date.UTC(2026, 0, 1 + (nth % 7))).toISOString() })
    const [first, second] = [await listed(coach), await listed(coach, 'page=2')]

    expect([first.purchases.length, second.purchases.length]).toEqual([50, 3])
    expect(new Set([...first.purchases, ...second.purchases].map(({ id }) => id)).size).toBe(53)
    expect([...first.purchases, ...second.purchases].map(({ purchasedAt }) => purchasedAt)).toEqual(
      [...first.purchases, ...second.purchases]
        .map(({ purchasedAt }) => purchasedAt)
        .toSorted()
        .toReversed(),
    )
    expect(second.totals).toEqual(first.totals)
    expect(first.totals.amount).toBe((52 * 53) / 2)
  })

  test.each(['month=2026-13', 'month=1', 'status=lost', 'page=-1', 'page=1e9', 'q=%00%0a', 'month=2026-02%27--'])(
    '%s is no filter',
    async (address) => {
      const { coach, sell } = await createShop()
      await sell()
      expect((await listed(coach, address)).totals.count).toBe(1)
    },
  )
})

test("a client's purchases are paginated, latest first, with their total; the dialog shows the latest", async () => {
  const { coach, client, sell } = await createShop()
  const ctx = await contextFor(coach)
  const ids = []
  for (let nth = 0; nth < 23; nth++)
    ids.push((await sell({ amount: 100, at: new Date(Date.UTC(2026, 0, 1 + nth)).toISOString() })).id)
  const pages = [
    await getPurchaseHistory(ctx, client.id, { rows: 10 }),
    await getPurchaseHistory(ctx, client.id, { rows: 10, page: 2 }),
    await getPurchaseHistory(ctx, client.id, { rows: 10, page: 3 }),
  ]

  expect(pages.map(({ purchases }) => purchases.length)).toEqual([10, 10, 3])
  expect(pages.flatMap(({ purchases }) => purchases.map(({ id }) => id))).toEqual(ids.toReversed())
  for (const { totals } of pages) expect(totals).toMatchObject({ count: 23, amount: 2300 })
  const dialog = await getClientPurchaseDialog(ctx, { id: client.id, name: client.name })
  expect(dialog.purchases.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 20))
  expect(dialog.totals).toMatchObject({ count: 23, total: '$23.00' })
})

test('products are paginated, hidden ones last, and a dialog finds any of them', async () => {
  const { coach, product: oldest } = await createShop()
  const ctx = await contextFor(coach)
  const hidden = await inTenant(coach, (tx) =>
    createProduct(tx, NewProduct.parse({ name: 'Hidden', price: '1.00', isActive: false })),
  )
  await inTenant(coach, async (tx) => {
    for (let nth = 1; nth <= 48; nth++)
      await createProduct(tx, NewProduct.parse({ name: `Package ${nth}`, price: '10.00' }))
  })
  const [first, second] = [await listProductsPage(ctx, 1), await listProductsPage(ctx, 2)]

  expect([first.products.length, first.count, second.count]).toEqual([48, 50, 50])
  expect(first.products.some(({ id }) => id === oldest.id || id === hidden.id)).toBe(false)
  expect(second.products.map(({ id }) => id)).toEqual([oldest.id, hidden.id])
  expect(await getProductForEdit(ctx, hidden.id)).toMatchObject({ name: 'Hidden', version: 1 })
  await inTenant(coach, (tx) => deleteProduct(tx, hidden.id))
  expect(await getProductForEdit(ctx, hidden.id)).toBeNull()
})

test('among many clients the purchase dialog finds one by name, with or without accents', async () => {
  const { coach, client } = await createShop()
  const ctx = await contextFor(coach)
  expect(await getNewPurchaseDialog(ctx, '')).toMatchObject({ clients: [{ id: client.id }], hasMore: false })
  await inTenant(coach, (tx) =>
    tx.query({
      name: 'test.crowd',
      text: `insert into client (coach_id, name, email, created_at, updated_at)
        select $1, 'Client ' || n, 'client' || n || '@example.com', now(), now() from generate_series(1, 120) n`,
      values: [coach.id],
    }),
  )
  const all = await getNewPurchaseDialog(ctx, '')
  expect([all.clients.length, all.hasMore]).toEqual([100, true])
  expect(await getNewPurchaseDialog(ctx, 'mussig')).toMatchObject({
    clients: [{ id: client.id, name: 'Åsa Müßig' }],
    hasMore: false,
    clientSearch: 'mussig',
  })
  expect(await getNewPurchaseDialog(ctx, 'CLIENT120@')).toMatchObject({
    clients: [{ name: 'Client 120' }],
    hasMore: false,
  })
  expect((await getNewPurchaseDialog(ctx, '%')).clients).toEqual([])
})

describe("the dashboard's revenue", () => {
  test.each([
    [0, 0, '$0', 'none yet this month'],
    [150_000, 0, '$1,500', 'none in Mar 1–10'],
    [150_050, 20_000, '$1,500.50', '$1,300.50 more than Mar 1–10'],
    [20_000, 150_000, '$200', '$1,300 less than Mar 1–10'],
    [20_000, 20_000, '$200', 'as much as Mar 1–10'],
  ])('%i cents after %i in the same days of the previous month are %s, %s', async (now, before, amount, fact) => {
    // April 10, 8:00 in Auckland, which went back to standard time since March.
    app.clock.now = new Date('2026-04-09T20:00:00Z')
    const { coach, sell } = await createShop({ timezone: 'Pacific/Auckland' })
    if (now) await sell({ amount: now })
    if (before) await sell({ amount: before, at: '2026-03-10T10:59:59Z' })
    await sell({ amount: 1_000_000, at: '2026-03-10T11:00:00Z' })
    await sell({ amount: 1_000_000, at: '2026-02-20T12:00:00Z' })
    const [shown] = (await fillSlot(await contextFor(coach), 'dashboard.stat')).filter(
      ({ module }) => module === 'billing',
    )
    expect(shown!.data).toEqual({ amount, detail: fact, month: '2026-04' })
  })

  test.each([
    ['2026-04-01T08:00:00Z', '$10 more than Mar 1'],
    // February has no 30th: the whole month is compared.
    ['2026-03-30T12:00:00Z', '$10 more than Feb 1–28'],
  ])('at %s is %s', async (now, fact) => {
    app.clock.now = new Date(now)
    const { coach, sell } = await createShop({ timezone: 'UTC' })
    await sell({ amount: 2000 })
    await sell({ amount: 1000, at: now.startsWith('2026-04') ? '2026-03-01T11:00:00Z' : '2026-02-28T23:59:59Z' })
    const [shown] = (await fillSlot(await contextFor(coach), 'dashboard.stat')).filter(
      ({ module }) => module === 'billing',
    )
    expect(shown!.data).toMatchObject({ detail: fact })
  })

  test.each(['Pacific/Auckland', 'America/Los_Angeles', 'UTC'])(
    'in %s is compared with the list of the same whole days',
    async (timezone) => {
      app.clock.now = new Date('2026-04-10T15:00:00Z')
      const { coach, sell } = await createShop({ timezone })
      for (let hours = 0; hours < 24 * 14; hours += 3)
        await sell({ amount: 100 + hours, at: new Date(Date.UTC(2026, 1, 27) + hours * 3_600_000).toISOString() })
      const ctx = await contextFor(coach)
      const { purchases } = await listed(coach, 'month=2026-03&status=completed')
      const today = localDate(app.clock.now, timezone).slice(8)
      const sameDays = [
        ...purchases,
        ...(await listed(coach, 'month=2026-03&status=completed&page=2')).purchases,
      ].filter(({ purchasedAt }) => localDate(purchasedAt, timezone).slice(8) <= today)
      expect((await getRevenueComparison(ctx)).before).toBe(sameDays.reduce((sum, { amount }) => sum + amount, 0))
    },
  )
})

describe('the date of a form', () => {
  test("is now if it is today, else noon in the coach's time zone", async () => {
    app.clock.now = new Date('2026-03-10T03:15:00Z')
    const { coach, client, product } = await createShop({ timezone: 'America/Los_Angeles' })
    const sale = (date: string) =>
      inTenant(coach, (ctx) =>
        createPurchaseOnDate(
          ctx,
          NewPurchaseForm.parse({
            clientId: String(client.id),
            productId: String(product.id),
            amount: '150',
            paymentMethod: 'cash',
            date,
          }),
        ),
      )

    expect((await sale('2026-03-09')).purchasedAt).toBe('2026-03-10T03:15:00.000Z')
    expect((await sale('2026-03-07')).purchasedAt).toBe('2026-03-07T20:00:00.000Z')
    expect((await sale('2026-03-08')).purchasedAt).toBe('2026-03-08T19:00:00.000Z')
  })

  test('keeps the time of day if it is unchanged', async () => {
    const { coach, sell } = await createShop({ timezone: 'Pacific/Auckland' })
    const { id, purchasedAt } = await sell({ at: '2026-03-09T23:30:00Z' })
    const edit = async (date: string, version: number) =>
      inTenant(coach, (ctx) =>
        updatePurchaseOnDate(ctx, id, { status: 'completed', paymentMethod: 'other', date, notes: null }, version),
      )

    expect((await getEditPurchaseDialog(await contextFor(coach), id))!.purchase.date).toBe('2026-03-10')
    expect((await edit('2026-03-10', 1)).purchasedAt).toBe(purchasedAt)
    expect((await edit('2026-03-11', 2)).purchasedAt).toBe('2026-03-10T23:00:00.000Z')
  })

  test.each([
    ['', 'Date is required'],
    ['soon', 'Use a date from 1900 to 2200'],
    ['2026-02-30', 'Use a date from 1900 to 2200'],
    ['1899-12-31', 'Use a date from 1900 to 2200'],
  ])('%j is refused', (date, message) => {
    const sent = PurchaseEditForm.safeParse({ status: 'completed', paymentMethod: 'cash', date, version: '1' })
    expect(sent.error?.issues.map((issue) => issue.message)).toEqual([message])
  })
})

describe('two tabs', () => {
  test('a stale edit of a purchase is rejected, and one of fifty concurrent ones succeeds', async () => {
    const { coach, client, sell } = await createShop()
    const { id } = await sell()
    const outcomes = await concurrently(50, (index) =>
      inTenant(coach, (ctx) => updatePurchase(ctx, id, { status: index % 2 ? 'refunded' : 'cancelled' }, 1)),
    )

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({
          code: 'conflict',
          message: 'This purchase was changed in another tab.',
        })
    expect(await spentBy(coach, client.id)).toBe(0)
  })

  test('a stale edit of a product is rejected; API calls for different fields are both kept', async () => {
    const { coach, product } = await createShop()
    await inTenant(coach, (ctx) => updateProduct(ctx, product.id, { name: 'Career Reset II' }, 1))
    await expect(inTenant(coach, (ctx) => updateProduct(ctx, product.id, { name: 'Mine' }, 1))).rejects.toMatchObject({
      code: 'conflict',
    })
    await concurrently(2, (index) =>
      inTenant(coach, (ctx) =>
        updateProduct(ctx, product.id, index ? { price: '99.00' } : { description: 'Six sessions' }),
      ),
    )

    expect((await app.call('GET', `/api/products/${product.id}`, { as: coach })).body).toMatchObject({
      name: 'Career Reset II',
      price: '99.00',
      description: 'Six sessions',
    })
  })
})

describe('a hidden or deleted product', () => {
  test('is no longer offered, and stays on past purchases', async () => {
    const { coach, product, sell } = await createShop()
    const { id } = await sell()
    await inTenant(coach, (ctx) => updateProduct(ctx, product.id, { isActive: false }))
    expect(await listProductsForSale(await contextFor(coach))).toEqual([])
    await inTenant(coach, (ctx) => deleteProduct(ctx, product.id))
    expect((await getEditPurchaseDialog(await contextFor(coach), id))!.purchase.productName).toBe('Career Reset')
  })
})

describe('totals', () => {
  test('stay exact under fifty concurrent records, refunds, deletions and restores', async () => {
    const { coach, client, sell } = await createShop()
    const sold: { id: number }[] = []
    for (let nth = 0; nth < 10; nth++)
      sold.push(await sell({ amount: 1000 + nth, status: nth % 3 ? 'completed' : 'pending' }))
    await concurrently<unknown>(50, (index) => {
      const { id } = sold[index % 10]!
      switch (index % 5) {
        case 0:
          return sell({ amount: 1 + index })
        case 1:
          return inTenant(coach, (ctx) => updatePurchase(ctx, id, { status: 'refunded' }))
        case 2:
          return inTenant(coach, (ctx) => deletePurchase(ctx, id))
        case 3:
          return inTenant(coach, (ctx) => restorePurchase(ctx, id))
        default:
          return inTenant(coach, (ctx) => updatePurchase(ctx, id, { status: 'completed' }))
      }
    })
    const { body } = await app.call('GET', `/api/purchases?clientId=${client.id}`, { as: coach })
    const completed = body.reduce(
      (sum: number, { status, amount }: { status: string; amount: number }) =>
        sum + (status === 'completed' ? amount : 0),
      0,
    )

    expect(await spentBy(coach, client.id)).toBe(completed)
    expect((await getPurchaseHistory(await contextFor(coach), client.id, { rows: 3 })).totals).toMatchObject({
      count: body.length,
      completed,
    })
    expect((await getCounts(await contextFor(coach))).monthlyRevenue).toBe(completed)
  }, 30_000)

  test('do not deadlock with erasing clients', async () => {
    const { coach, sell } = await createShop()
    const erased: number[] = []
    const actions: (() => Promise<unknown>)[] = []
    for (let nth = 0; nth < 12; nth++) {
      const client = await factories.createClient({ coach, name: `Client ${nth}` })
      const sold = [await sell({ clientId: client.id }), await sell({ clientId: client.id })]
      await app.call('DELETE', `/api/clients/${client.id}`, { as: coach })
      erased.push(client.id)
      actions.push(
        () => inTenant(coach, (ctx) => updatePurchase(ctx, sold[0]!.id, { status: 'refunded' })),
        () => inTenant(coach, (ctx) => eraseRecord(ctx, getRecordKind(ctx, 'client'), client.id)),
        () => inTenant(coach, (ctx) => deletePurchase(ctx, sold[1]!.id)),
      )
    }
    const outcomes = await concurrently(actions.length, (index) => actions[index]!())

    expect(outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))).toEqual([])
    const { body } = await app.call('GET', '/api/purchases', { as: coach })
    expect(body.map(({ clientId, status }: { clientId: number | null; status: string }) => [clientId, status])).toEqual(
      erased.map(() => [null, 'refunded']),
    )
  }, 30_000)

  test('follow any sequence of changes', async () => {
    const { coach, client, sell } = await createShop()
    const action = fc.record({
      which: fc.nat(3),
      status: fc.constantFrom(...purchaseStatuses),
      what: fc.constantFrom('edit', 'delete', 'restore'),
    })
    const ids: number[] = []
    for (let nth = 0; nth < 4; nth++) ids.push((await sell({ amount: 10 ** nth })).id)
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 6 }), async (actions) => {
        for (const { which, status, what } of actions) {
          const id = ids[which]!
          await inTenant<unknown>(coach, (ctx) =>
            what === 'edit'
              ? updatePurchase(ctx, id, { status })
              : what === 'delete'
                ? deletePurchase(ctx, id)
                : restorePurchase(ctx, id),
          ).catch((error) => expect(error).toMatchObject({ code: 'not_found' }))
        }
        expect(await spentBy(coach, client.id)).toBe(
          (await getPurchaseHistory(await contextFor(coach), client.id, { rows: 3 })).totals.completed,
        )
      }),
      { numRuns: 25 },
    )
  }, 30_000)

  test('are exact beyond floating point precision', async () => {
    const { coach, client, sell } = await createShop()
    for (let nth = 0; nth < 3; nth++) await sell({ amount: 9_999_999_999 })
    expect(await spentBy(coach, client.id)).toBe(29_999_999_997)
    expect((await listed(coach)).totals.amount).toBe(29_999_999_997)
  })
})

test('the timeline names a later payment, refund or cancellation', async () => {
  const { coach, client, sell } = await createShop()
  const { id } = await sell({ status: 'pending' })
  for (const status of ['completed', 'refunded'] as const)
    await inTenant(coach, (ctx) => updatePurchase(ctx, id, { status }))
  const { body } = await app.call('GET', '/api/activities', { as: coach })

  expect(
    body
      .map(({ type, description, clientId }: { type: string; description: string; clientId: number }) => [
        type,
        description,
        clientId,
      ])
      .slice(0, 2),
  ).toEqual([
    ['purchase_refunded', '$150.00 to Åsa Müßig, Career Reset', client.id],
    ['payment_received', '$150.00 from Åsa Müßig, Career Reset', client.id],
  ])
  expect((await getPurchase(await contextFor(coach), id)).status).toBe('refunded')
})
