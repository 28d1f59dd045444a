import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dateOf } from '#app/lib/time.ts'
import { addClient, clientOf, NewClient } from '#modules/crm/index.ts'
import { deleteClient } from '#modules/crm/services/clients.ts'
import { eraseRecord, historyOf, kindOf } from '#modules/core/trash.ts'
import { figures, fill } from '#modules/registry.ts'
import { aCoach, aHouse, asCoach, atOnce, ctxFor, type Coach } from '#tests/support/test-app.ts'
import { editDialog, recordDialog, saleDialog, shownIncome } from './purchases-loader.server.ts'
import { NewProduct, NewPurchase, PurchaseEditForm, purchaseStatuses, SaleForm, type PurchaseStatus } from './forms.ts'
import { listState } from './list-state.ts'
import { productOnScreen, productsForSale, productsPage } from './queries/products.ts'
import { purchaseHistory, purchaseList, purchaseOf, revenueOfTwoMonths } from './queries/purchases.ts'
import { addProduct, deleteProduct, editProduct } from './services/products.ts'
import {
  deletePurchase,
  editPurchase,
  editPurchaseDay,
  recordPurchase,
  recordSale,
  restorePurchase,
} from './services/purchases.ts'

const house = aHouse()

type Sold = { amount?: number; at?: string; status?: PurchaseStatus; notes?: string; clientId?: number }

async function aShop(more: { timezone?: string } = {}) {
  const coach = await aCoach(house, more)
  const client = await asCoach(coach, (ctx) =>
    addClient(ctx, NewClient.parse({ name: 'Åsa Müßig', email: 'asa@example.com' })),
  )
  const product = await asCoach(coach, (ctx) =>
    addProduct(ctx, NewProduct.parse({ name: 'Career Reset', price: '150.00' })),
  )
  const sell = ({ amount = 15_000, at, status, notes, clientId = client.id }: Sold = {}) =>
    asCoach(coach, (ctx) =>
      recordPurchase(
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

const spentBy = async (coach: Coach, id: number) => (await clientOf(await ctxFor(coach), id)).totalSpent
const listed = async (coach: Coach, address = '', clientIds: number[] = []) =>
  purchaseList(await ctxFor(coach), listState(new URLSearchParams(address)), clientIds)

test('of a client who is erased a purchase keeps the sale, and neither it nor its history what was noted', async () => {
  const { coach, client, sell } = await aShop()
  const one = await sell({ notes: 'Åsa pays after the divorce' })
  const kept = await sell({
    notes: 'Somebody else',
    clientId: (
      await asCoach(coach, (ctx) => addClient(ctx, NewClient.parse({ name: 'Bea', email: 'bea@example.com' })))
    ).id,
  })
  const thrown = await sell({ notes: 'Åsa moved away' })
  await asCoach(coach, (ctx) => editPurchase(ctx, one.id, { notes: 'Åsa pays in June' }))
  await asCoach(coach, (ctx) => editPurchase(ctx, one.id, { notes: 'Åsa pays in July', status: 'pending' }))
  const [opened] = await (await ctxFor(coach)).rows<{ version: number }>({
    name: 'test.opened',
    text: 'select version from purchase where id = $1',
    values: [one.id],
  })
  await asCoach(coach, (ctx) => deletePurchase(ctx, thrown.id))
  await asCoach(coach, (ctx) => deleteClient(ctx, client.id))
  await asCoach(coach, (ctx) => eraseRecord(ctx, kindOf('client'), client.id))

  expect(await purchaseOf(await ctxFor(coach), one.id)).toMatchObject({
    clientId: null,
    productName: 'Career Reset',
    amount: 15_000,
    notes: null,
  })
  const { entries } = await historyOf(await ctxFor(coach), kindOf('purchase'), one.id)
  expect(entries.map(({ action, changes }) => [action, ...changes.map(({ field }) => field)])).toEqual([
    ['changed', 'clientId'],
    ['changed', 'status'],
    ['created'],
  ])
  await asCoach(coach, (ctx) => restorePurchase(ctx, thrown.id))
  expect(await purchaseOf(await ctxFor(coach), thrown.id)).toMatchObject({ clientId: null, notes: null })
  expect(await purchaseOf(await ctxFor(coach), kept.id)).toMatchObject({ notes: 'Somebody else' })
  expect(await listed(coach, 'q=Åsa')).toMatchObject({ totals: { count: 0 } })
  // A form that stood open doesn't bring the notes back.
  await expect(
    asCoach(coach, (ctx) => editPurchaseDay(ctx, one.id, { notes: 'Åsa pays in July' }, opened!.version)),
  ).rejects.toMatchObject({ code: 'conflict' })
})

test('whoever takes the client from a purchase by hand loses nothing of what was noted', async () => {
  const { coach, sell } = await aShop()
  const one = await sell({ notes: 'Pays in June' })
  await asCoach(coach, (ctx) => editPurchase(ctx, one.id, { notes: 'Pays in July' }))
  await asCoach(coach, (ctx) =>
    ctx.rows({
      name: 'test.client-away',
      text: 'update purchase set client_id = null where id = $1',
      values: [one.id],
    }),
  )
  expect(await purchaseOf(await ctxFor(coach), one.id)).toMatchObject({ clientId: null, notes: 'Pays in July' })
  const { entries } = await historyOf(await ctxFor(coach), kindOf('purchase'), one.id)
  expect(entries.flatMap(({ changes }) => changes.map(({ field }) => field))).toEqual(['clientId', 'notes'])
})

describe('the list of all purchases', () => {
  test.each(['Pacific/Auckland', 'America/Los_Angeles', 'Pacific/Kiritimati', 'UTC'])(
    "adds up to the dashboard's revenue in %s, at both ends of the month",
    async (timezone) => {
      house.clock.now = new Date('2026-04-15T12:00:00Z')
      const { coach, sell } = await aShop({ timezone })
      // Every half hour around both ends of April, whatever the zone makes of them.
      let amount = 1
      for (const border of ['2026-04-01T00:00:00Z', '2026-05-01T00:00:00Z']) {
        for (let step = -30; step <= 30; step++)
          await sell({
            amount: (amount *= 1.01) && Math.round(amount * 100),
            at: new Date(Date.parse(border) + step * 1_800_000).toISOString(),
          })
      }
      await sell({ amount: 77, at: '2026-04-10T00:00:00Z', status: 'pending' })
      const ctx = await ctxFor(coach)
      const { monthlyRevenue } = await figures(ctx)
      const april = await listed(coach, 'month=2026-04&status=completed')

      expect(april.totals).toMatchObject({ amount: monthlyRevenue, completed: monthlyRevenue })
      expect(await revenueOfTwoMonths(ctx)).toMatchObject({ now: monthlyRevenue })
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

  test('says first what came in, and the rest apart, or what has the status that is asked for', async () => {
    const { coach, sell } = await aShop()
    for (const [amount, status] of [
      [20_000, 'completed'],
      [5000, 'completed'],
      [700, 'pending'],
      [90, 'refunded'],
    ] as const)
      await sell({ amount, status })
    const { totals } = await listed(coach)

    expect(shownIncome(totals, null)).toEqual({
      amount: '$250.00',
      status: 'completed',
      others: ['$7.00 pending', '$0.90 refunded'],
    })
    expect(shownIncome((await listed(coach, 'status=pending')).totals, 'pending')).toEqual({
      amount: '$7.00',
      status: 'pending',
      others: [],
    })
    expect(totals.amount).toBe(purchaseStatuses.reduce((sum, status) => sum + totals[status], 0))
  })

  test('finds by product and notes without regard to case and accents, and takes signs as signs', async () => {
    const { coach, sell } = await aShop()
    await sell({ notes: 'Überweisung, 50 % _sofort_ C:\\Rest "x"' })
    await sell()
    const count = async (q: string) => (await listed(coach, new URLSearchParams({ q }).toString())).totals.count

    expect(
      await Promise.all(['CAREER', 'uberweisung', '50 %', '_sofort_', 'c:\\rest', '"x"', "'", '%%', '_'].map(count)),
    ).toEqual([2, 1, 1, 1, 1, 1, 0, 0, 1])
  })

  test('pages through everything once, latest first, with the total of all pages', async () => {
    const { coach, sell } = await aShop()
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
    '%s filters nothing',
    async (address) => {
      const { coach, sell } = await aShop()
      await sell()
      expect((await listed(coach, address)).totals.count).toBe(1)
    },
  )
})

test('what a client bought comes in pages, the latest first, with the total of all; the dialog that records has the latest', async () => {
  const { coach, client, sell } = await aShop()
  const ctx = await ctxFor(coach)
  const ids = []
  for (let nth = 0; nth < 23; nth++)
    ids.push((await sell({ amount: 100, at: new Date(Date.UTC(2026, 0, 1 + nth)).toISOString() })).id)
  const pages = [
    await purchaseHistory(ctx, client.id, { rows: 10 }),
    await purchaseHistory(ctx, client.id, { rows: 10, page: 2 }),
    await purchaseHistory(ctx, client.id, { rows: 10, page: 3 }),
  ]

  expect(pages.map(({ purchases }) => purchases.length)).toEqual([10, 10, 3])
  expect(pages.flatMap(({ purchases }) => purchases.map(({ id }) => id))).toEqual(ids.toReversed())
  for (const { totals } of pages) expect(totals).toMatchObject({ count: 23, amount: 2300 })
  const dialog = await recordDialog(ctx, { id: client.id, name: client.name })
  expect(dialog.purchases.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 20))
  expect(dialog.totals).toMatchObject({ count: 23, total: '$23.00' })
})

test('products come in pages, hidden ones behind all that can be sold, and a dialog has any of them', async () => {
  const { coach, product: oldest } = await aShop()
  const ctx = await ctxFor(coach)
  const hidden = await asCoach(coach, (tx) =>
    addProduct(tx, NewProduct.parse({ name: 'Hidden', price: '1.00', isActive: false })),
  )
  await asCoach(coach, async (tx) => {
    for (let nth = 1; nth <= 48; nth++)
      await addProduct(tx, NewProduct.parse({ name: `Package ${nth}`, price: '10.00' }))
  })
  const [first, second] = [await productsPage(ctx, 1), await productsPage(ctx, 2)]

  expect([first.products.length, first.count, second.count]).toEqual([48, 50, 50])
  expect(first.products.some(({ id }) => id === oldest.id || id === hidden.id)).toBe(false)
  expect(second.products.map(({ id }) => id)).toEqual([oldest.id, hidden.id])
  expect(await productOnScreen(ctx, hidden.id)).toMatchObject({ name: 'Hidden', version: 1 })
  await asCoach(coach, (tx) => deleteProduct(tx, hidden.id))
  expect(await productOnScreen(ctx, hidden.id)).toBeNull()
})

test('of very many clients a purchase is recorded for whom one looks for, with or without accents', async () => {
  const { coach, client } = await aShop()
  const ctx = await ctxFor(coach)
  expect(await saleDialog(ctx, '')).toMatchObject({ clients: [{ id: client.id }], more: false })
  await asCoach(coach, (tx) =>
    tx.rows({
      name: 'test.crowd',
      text: `insert into client (coach_id, name, email, created_at, updated_at) select $1, 'Client ' || n, 'client' || n || '@example.com', now(), now() from generate_series(1, 120) n`,
      values: [coach.id],
    }),
  )
  const all = await saleDialog(ctx, '')
  expect([all.clients.length, all.more]).toEqual([100, true])
  expect(await saleDialog(ctx, 'mussig')).toMatchObject({
    clients: [{ id: client.id, name: 'Åsa Müßig' }],
    more: false,
    who: 'mussig',
  })
  expect(await saleDialog(ctx, 'CLIENT120@')).toMatchObject({ clients: [{ name: 'Client 120' }], more: false })
  expect((await saleDialog(ctx, '%')).clients).toEqual([])
})

describe("the dashboard's revenue", () => {
  test.each([
    [0, 0, '$0', 'none yet this month'],
    [150_000, 0, '$1,500', 'none in Mar 1–10'],
    [150_050, 20_000, '$1,500.50', '$1,300.50 above Mar 1–10'],
    [20_000, 150_000, '$200', '$1,300 below Mar 1–10'],
    [20_000, 20_000, '$200', 'as much as Mar 1–10'],
  ])('%i cents after %i in the same days of the month before are %s, %s', async (now, before, amount, fact) => {
    // April 10, 8:00 in Auckland, whose clock was set back since March.
    house.clock.now = new Date('2026-04-09T20:00:00Z')
    const { coach, sell } = await aShop({ timezone: 'Pacific/Auckland' })
    if (now) await sell({ amount: now })
    if (before) await sell({ amount: before, at: '2026-03-10T10:59:59Z' })
    await sell({ amount: 1_000_000, at: '2026-03-10T11:00:00Z' })
    await sell({ amount: 1_000_000, at: '2026-02-20T12:00:00Z' })
    const [shown] = (await fill(await ctxFor(coach), 'dashboard.stat')).filter(({ module }) => module === 'billing')
    expect(shown!.data).toEqual({ amount, fact, month: '2026-04' })
  })

  test.each([
    ['2026-04-01T08:00:00Z', '$10 above Mar 1'],
    // February has no 30th: it is compared as a whole.
    ['2026-03-30T12:00:00Z', '$10 above Feb 1–28'],
  ])('at %s is %s', async (now, fact) => {
    house.clock.now = new Date(now)
    const { coach, sell } = await aShop({ timezone: 'UTC' })
    await sell({ amount: 2000 })
    await sell({ amount: 1000, at: now.startsWith('2026-04') ? '2026-03-01T11:00:00Z' : '2026-02-28T23:59:59Z' })
    const [shown] = (await fill(await ctxFor(coach), 'dashboard.stat')).filter(({ module }) => module === 'billing')
    expect(shown!.data).toMatchObject({ fact })
  })

  test.each(['Pacific/Auckland', 'America/Los_Angeles', 'UTC'])(
    'in %s is compared with what the list has of the same whole days',
    async (timezone) => {
      house.clock.now = new Date('2026-04-10T15:00:00Z')
      const { coach, sell } = await aShop({ timezone })
      for (let hours = 0; hours < 24 * 14; hours += 3)
        await sell({ amount: 100 + hours, at: new Date(Date.UTC(2026, 1, 27) + hours * 3_600_000).toISOString() })
      const ctx = await ctxFor(coach)
      const { purchases } = await listed(coach, 'month=2026-03&status=completed')
      const today = dateOf(house.clock.now, timezone).slice(8)
      const sameDays = [
        ...purchases,
        ...(await listed(coach, 'month=2026-03&status=completed&page=2')).purchases,
      ].filter(({ purchasedAt }) => dateOf(purchasedAt, timezone).slice(8) <= today)
      expect((await revenueOfTwoMonths(ctx)).before).toBe(sameDays.reduce((sum, { amount }) => sum + amount, 0))
    },
  )
})

describe('a day that a form sends', () => {
  test("is today's moment, or another day's noon where the coach lives", async () => {
    house.clock.now = new Date('2026-03-10T03:15:00Z')
    const { coach, client, product } = await aShop({ timezone: 'America/Los_Angeles' })
    const sale = (date: string) =>
      asCoach(coach, (ctx) =>
        recordSale(
          ctx,
          SaleForm.parse({
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

  test('keeps the time of day when it is left as it was', async () => {
    const { coach, sell } = await aShop({ timezone: 'Pacific/Auckland' })
    const { id, purchasedAt } = await sell({ at: '2026-03-09T23:30:00Z' })
    const edit = async (date: string, version: number) =>
      asCoach(coach, (ctx) =>
        editPurchaseDay(ctx, id, { status: 'completed', paymentMethod: 'other', date, notes: null }, version),
      )

    expect((await editDialog(await ctxFor(coach), id))!.purchase.date).toBe('2026-03-10')
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

describe('of two tabs', () => {
  test('the second that edits a purchase is told, and only one of fifty at once gets through', async () => {
    const { coach, client, sell } = await aShop()
    const { id } = await sell()
    const outcomes = await atOnce(50, (at) =>
      asCoach(coach, (ctx) => editPurchase(ctx, id, { status: at % 2 ? 'refunded' : 'cancelled' }, 1)),
    )

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({
          code: 'conflict',
          message: 'This purchase was changed in another tab meanwhile.',
        })
    expect(await spentBy(coach, client.id)).toBe(0)
  })

  test('the second that edits a product is told; calls that name their fields are both kept', async () => {
    const { coach, product } = await aShop()
    await asCoach(coach, (ctx) => editProduct(ctx, product.id, { name: 'Career Reset II' }, 1))
    await expect(asCoach(coach, (ctx) => editProduct(ctx, product.id, { name: 'Mine' }, 1))).rejects.toMatchObject({
      code: 'conflict',
    })
    await atOnce(2, (at) =>
      asCoach(coach, (ctx) => editProduct(ctx, product.id, at ? { price: '99.00' } : { description: 'Six sessions' })),
    )

    expect((await house.call('GET', `/api/products/${product.id}`, { as: coach })).body).toMatchObject({
      name: 'Career Reset II',
      price: '99.00',
      description: 'Six sessions',
    })
  })
})

describe('a hidden or deleted product', () => {
  test('is not offered any more, and stays on what was sold', async () => {
    const { coach, product, sell } = await aShop()
    const { id } = await sell()
    await asCoach(coach, (ctx) => editProduct(ctx, product.id, { isActive: false }))
    expect(await productsForSale(await ctxFor(coach))).toEqual([])
    await asCoach(coach, (ctx) => deleteProduct(ctx, product.id))
    expect((await editDialog(await ctxFor(coach), id))!.purchase.productName).toBe('Career Reset')
  })
})

describe('totals', () => {
  test('hold under fifty records, refunds, deletions and returns at once', async () => {
    const { coach, client, sell } = await aShop()
    const sold: { id: number }[] = []
    for (let nth = 0; nth < 10; nth++)
      sold.push(await sell({ amount: 1000 + nth, status: nth % 3 ? 'completed' : 'pending' }))
    await atOnce<unknown>(50, (at) => {
      const { id } = sold[at % 10]!
      switch (at % 5) {
        case 0:
          return sell({ amount: 1 + at })
        case 1:
          return asCoach(coach, (ctx) => editPurchase(ctx, id, { status: 'refunded' }))
        case 2:
          return asCoach(coach, (ctx) => deletePurchase(ctx, id))
        case 3:
          return asCoach(coach, (ctx) => restorePurchase(ctx, id))
        default:
          return asCoach(coach, (ctx) => editPurchase(ctx, id, { status: 'completed' }))
      }
    })
    const { body } = await house.call('GET', `/api/purchases?clientId=${client.id}`, { as: coach })
    const completed = body.reduce(
      (sum: number, { status, amount }: { status: string; amount: number }) =>
        sum + (status === 'completed' ? amount : 0),
      0,
    )

    expect(await spentBy(coach, client.id)).toBe(completed)
    expect((await purchaseHistory(await ctxFor(coach), client.id, { rows: 3 })).totals).toMatchObject({
      count: body.length,
      completed,
    })
    expect((await figures(await ctxFor(coach))).monthlyRevenue).toBe(completed)
  }, 30_000)

  test('and the erasing of clients never wait for each other in a circle', async () => {
    const { coach, sell } = await aShop()
    const erased: number[] = []
    const deeds: (() => Promise<unknown>)[] = []
    for (let nth = 0; nth < 12; nth++) {
      const client = await asCoach(coach, (ctx) =>
        addClient(ctx, NewClient.parse({ name: `Client ${nth}`, email: 'client@example.com' })),
      )
      const sold = [await sell({ clientId: client.id }), await sell({ clientId: client.id })]
      await house.call('DELETE', `/api/clients/${client.id}`, { as: coach })
      erased.push(client.id)
      deeds.push(
        () => asCoach(coach, (ctx) => editPurchase(ctx, sold[0]!.id, { status: 'refunded' })),
        () => asCoach(coach, (ctx) => eraseRecord(ctx, kindOf('client'), client.id)),
        () => asCoach(coach, (ctx) => deletePurchase(ctx, sold[1]!.id)),
      )
    }
    const outcomes = await atOnce(deeds.length, (at) => deeds[at]!())

    expect(outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))).toEqual([])
    const { body } = await house.call('GET', '/api/purchases', { as: coach })
    expect(body.map(({ clientId, status }: { clientId: number | null; status: string }) => [clientId, status])).toEqual(
      erased.map(() => [null, 'refunded']),
    )
  }, 30_000)

  test('follow whatever is done, in any order', async () => {
    const { coach, client, sell } = await aShop()
    const deed = fc.record({
      which: fc.nat(3),
      status: fc.constantFrom(...purchaseStatuses),
      what: fc.constantFrom('edit', 'delete', 'restore'),
    })
    const ids: number[] = []
    for (let nth = 0; nth < 4; nth++) ids.push((await sell({ amount: 10 ** nth })).id)
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { maxLength: 6 }), async (deeds) => {
        for (const { which, status, what } of deeds) {
          const id = ids[which]!
          await asCoach<unknown>(coach, (ctx) =>
            what === 'edit'
              ? editPurchase(ctx, id, { status })
              : what === 'delete'
                ? deletePurchase(ctx, id)
                : restorePurchase(ctx, id),
          ).catch((error) => expect(error).toMatchObject({ code: 'not_found' }))
        }
        expect(await spentBy(coach, client.id)).toBe(
          (await purchaseHistory(await ctxFor(coach), client.id, { rows: 3 })).totals.completed,
        )
      }),
      { numRuns: 25 },
    )
  }, 30_000)

  test('are exact beyond what a binary fraction of dollars can hold', async () => {
    const { coach, client, sell } = await aShop()
    for (let nth = 0; nth < 3; nth++) await sell({ amount: 9_999_999_999 })
    expect(await spentBy(coach, client.id)).toBe(29_999_999_997)
    expect((await listed(coach)).totals.amount).toBe(29_999_999_997)
  })
})

test('a purchase that is paid, refunded or cancelled later is told as what happened', async () => {
  const { coach, client, sell } = await aShop()
  const { id } = await sell({ status: 'pending' })
  for (const status of ['completed', 'refunded'] as const)
    await asCoach(coach, (ctx) => editPurchase(ctx, id, { status }))
  const { body } = await house.call('GET', '/api/activities', { as: coach })

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
  expect((await purchaseOf(await ctxFor(coach), id)).status).toBe('refunded')
})
