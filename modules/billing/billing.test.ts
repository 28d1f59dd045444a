import { describe, expect, test } from 'vitest'
import { createCoach, type Coach, createClient, createProduct } from '#tests/support/factories.ts'
import { createTestApp, concurrently } from '#tests/support/test-app.ts'
import { ProductOut, PurchaseOut } from './records.ts'

const app = createTestApp()
async function getTotalSpent(coach: Coach, client: { id: number }): Promise<number> {
  return (await app.call('GET', `/api/clients/${client.id}`, { as: coach })).body.totalSpent
}
async function postPurchase(coach: Coach, client: { id: number }, product: { id: number }, more: object = {}) {
  return app.call('POST', '/api/purchases', {
    as: coach,
    body: { clientId: client.id, productId: product.id, amount: 15000, paymentMethod: 'cash', ...more },
  })
}

describe('a product', () => {
  test('is created with its price as a decimal text and the defaults of its payment type', async () => {
    const coach = await createCoach()
    const one = await app.call('POST', '/api/products', {
      as: coach,
      body: { name: ' Single Session ', price: 150, id: 9, coachId: 9 },
    })
    const parts = await createProduct({ coach, paymentType: 'installment' })
    const ongoing = await createProduct({ coach, paymentType: 'recurring', billingFrequency: 'weekly' })

    expect(one.status).toBe(201)
    expect(ProductOut.strict().parse(one.body)).toMatchObject({
      coachId: coach.id,
      name: 'Single Session',
      price: '150.00',
      paymentType: 'one_time',
      billingFrequency: null,
      installmentCount: null,
      isActive: true,
    })
    expect(parts).toMatchObject({ billingFrequency: 'monthly', installmentCount: 1, duration: 1 })
    expect(ongoing).toMatchObject({ billingFrequency: 'weekly', installmentCount: null })
  })

  test.each([
    [{ name: 'A' }, 'price', 'Price is required'],
    [{ name: 'A', price: '' }, 'price', 'Price is required'],
    [{ name: 'A', price: '1.234' }, 'price', undefined],
    [{ price: 1 }, 'name', 'Name is required'],
    [{ name: 'x'.repeat(256), price: 1 }, 'name', undefined],
    [{ name: 'A', price: 1, paymentType: 'barter' }, 'paymentType', undefined],
    [{ name: 'A', price: 1, paymentType: 'installment', installmentCount: 0 }, 'installmentCount', undefined],
  ])('rejects %j', async (body, field, message) => {
    const coach = await createCoach()
    const answer = await app.call('POST', '/api/products', { as: coach, body })

    expect(answer.status).toBe(422)
    expect(answer.body.issues[0].path).toBe(field)
    if (message) expect(answer.body.issues[0].message).toBe(message)
  })

  test('updates the given fields, drops those its new payment type lacks, and {} changes nothing', async () => {
    const coach = await createCoach()
    const product = await createProduct({ coach, paymentType: 'installment', installmentCount: 6 })
    const same = await app.call('PUT', `/api/products/${product.id}`, { as: coach, body: {} })
    const once = await app.call('PUT', `/api/products/${product.id}`, {
      as: coach,
      body: { paymentType: 'one_time', isActive: false },
    })

    expect(same.body).toEqual(product)
    expect(once.body).toMatchObject({
      paymentType: 'one_time',
      installmentCount: null,
      billingFrequency: null,
      isActive: false,
      price: '150.00',
    })
  })

  test('that has purchases is hidden, and they keep its name', async () => {
    const coach = await createCoach()
    const [client, product] = [await createClient({ coach }), await createProduct({ coach })]
    const { body: purchase } = await postPurchase(coach, client, product)

    expect((await app.call('DELETE', `/api/products/${product.id}`, { as: coach })).status).toBe(204)
    expect((await app.call('DELETE', `/api/products/${product.id}`, { as: coach })).status).toBe(404)
    expect((await app.call('GET', '/api/products', { as: coach })).body).toEqual([])
    expect((await app.call('GET', `/api/purchases/${purchase.id}`, { as: coach })).body.productName).toBe(
      'Career Reset',
    )
    expect((await postPurchase(coach, client, product)).status).toBe(404)
  })
})

test('a field of the wrong type is rejected with a readable message', async () => {
  const coach = await createCoach()
  for (const isActive of ['yes', null, 1]) {
    const { status, body } = await app.call('POST', '/api/products', {
      as: coach,
      body: { name: 'Single Session', price: '150.00', isActive },
    })
    expect([status, body.message, body.issues]).toEqual([
      422,
      'Send true or false',
      [{ path: 'isActive', message: 'Send true or false' }],
    ])
  }
  const { body } = await app.call('POST', '/api/login', { body: { email: 'ada@example.com', password: [] } })
  expect(body.issues).toEqual([{ path: 'password', message: 'Password is required' }])
})

describe('the figures of the month', () => {
  test("count the completed purchases of the month in the coach's time zone", async () => {
    app.clock.now = new Date('2026-03-10T14:00:00Z')
    const coach = await createCoach({ timezone: 'Pacific/Auckland' })
    const [client, product] = [await createClient({ coach }), await createProduct({ coach })]
    // In Auckland, March starts at 11:00 UTC on the last day of February.
    for (const [amount, purchaseDate, status] of [
      [1, '2026-02-28T10:59:59Z', 'completed'],
      [20, '2026-02-28T11:00:00Z', 'completed'],
      [300, '2026-03-31T10:59:59Z', 'completed'],
      [4000, '2026-03-31T11:00:00Z', 'completed'],
      [50000, '2026-03-10T00:00:00Z', 'pending'],
    ]) {
      await postPurchase(coach, client, product, { amount, purchaseDate, status })
    }

    expect((await app.call('GET', '/api/dashboard/stats', { as: coach })).body).toEqual({
      totalClients: 1,
      sessionsThisMonth: 0,
      monthlyRevenue: 320,
      activeProspects: 0,
    })
  })
})

describe('a purchase', () => {
  test("is recorded in cents, completed and now by default, and added to its client's total", async () => {
    const coach = await createCoach()
    const [client, product] = [await createClient({ coach }), await createProduct({ coach })]
    const { status, body } = await postPurchase(coach, client, product, { amount: '150.00' })

    expect(status).toBe(201)
    expect(PurchaseOut.strict().parse(body)).toMatchObject({
      amount: 15000,
      status: 'completed',
      productName: 'Career Reset',
      purchaseDate: body.purchasedAt,
      purchasedAt: app.clock.now.toISOString(),
    })
    expect(await getTotalSpent(coach, client)).toBe(15000)
  })

  test.each([
    [{ amount: 150.5 }, 'amount'],
    [{ amount: '150' }, 'amount'],
    [{ amount: -1 }, 'amount'],
    [{ amount: 10_000_000_000 }, 'amount'],
    [{ amount: undefined }, 'amount'],
    [{ paymentMethod: undefined }, 'paymentMethod'],
    [{ paymentMethod: 'gold' }, 'paymentMethod'],
    [{ status: 'lost' }, 'status'],
    [{ productId: undefined }, 'productId'],
    [{ purchaseDate: '2026-03-10' }, 'purchaseDate'],
    [{ purchaseDate: '2026-03-10T10:00:00' }, 'purchaseDate'],
  ])('rejects %j at its field', async (more, field) => {
    const coach = await createCoach()
    const answer = await postPurchase(coach, await createClient({ coach }), await createProduct({ coach }), more)

    expect(answer.status).toBe(422)
    expect(answer.body.issues.map((issue: { path: string }) => issue.path)).toEqual([field])
  })

  test('names a product that was not chosen, and a client or product that does not exist', async () => {
    const coach = await createCoach()
    const [client, product] = [await createClient({ coach }), await createProduct({ coach })]

    expect((await postPurchase(coach, client, product, { productId: undefined })).body.message).toBe(
      'Please select a product',
    )
    expect((await postPurchase(coach, client, product, { clientId: 999_999 })).body.message).toBe('Client not found')
    expect((await postPurchase(coach, client, product, { productId: 999_999 })).body.message).toBe('Product not found')
  })

  test.each([
    [{ amount: -1 }, 'Use an amount of 0 or more'],
    [{ amount: '-5.00' }, 'Use an amount of 0 or more'],
    [{ amount: ' ' }, 'Amount is required'],
    [{ amount: 1.5 }, 'Send whole cents, or dollars with a decimal point such as "150.00"'],
    [{ paymentMethod: undefined }, 'Payment method is required'],
    [{ paymentMethod: 'x' }, 'Choose one of cash, credit_card, bank_transfer, paypal, stripe, manual, other'],
    [{ status: '' }, 'Status is required'],
    [{ status: 'zz' }, 'Choose completed, pending, failed, refunded or cancelled'],
  ])('with %j is rejected with %j', async (fields, message) => {
    const coach = await createCoach()
    const [client, product] = [await createClient({ coach }), await createProduct({ coach })]

    expect((await postPurchase(coach, client, product, fields)).body.message).toBe(message)
  })

  test('changes the total when its status changes, and when it is deleted or restored', async () => {
    const coach = await createCoach()
    const [client, product] = [await createClient({ coach }), await createProduct({ coach })]
    const { body } = await postPurchase(coach, client, product, { status: 'pending' })
    const path = `/api/purchases/${body.id}`
    const totals = [await getTotalSpent(coach, client)]
    for (const [method, to, more] of [
      ['PATCH', path, { status: 'completed' }],
      ['PATCH', path, { status: 'refunded' }],
      ['PATCH', path, { status: 'completed', notes: 'paid' }],
      ['DELETE', path, undefined],
      ['POST', `${path}/restore`, undefined],
    ] as const) {
      const answer = await app.call(method, to, { as: coach, ...(more ? { body: more } : {}) })
      expect(answer.status).toBeLessThan(300)
      totals.push(await getTotalSpent(coach, client))
    }

    expect(totals).toEqual([0, 15000, 0, 15000, 0, 15000])
  })

  test('that is completed later keeps its date unless another one is sent', async () => {
    const coach = await createCoach()
    const [client, product] = [await createClient({ coach }), await createProduct({ coach })]
    const { body } = await postPurchase(coach, client, product, {
      status: 'pending',
      purchaseDate: '2026-01-05T12:00:00+01:00',
    })
    const completed = await app.call('PATCH', `/api/purchases/${body.id}`, {
      as: coach,
      body: { status: 'completed' },
    })

    expect(completed.body.purchasedAt).toBe('2026-01-05T11:00:00.000Z')
  })

  test('fifty purchases created and changed concurrently are each counted once', async () => {
    const coach = await createCoach()
    const [client, product] = [await createClient({ coach }), await createProduct({ coach })]
    const made = await concurrently(50, (index) => postPurchase(coach, client, product, { amount: index + 1 }))
    expect(await getTotalSpent(coach, client)).toBe(1275)

    const [first] = made.map((answer) => (answer.status === 'fulfilled' ? answer.value.body : null))
    await concurrently(50, (index) =>
      app.call('PATCH', `/api/purchases/${first.id}`, {
        as: coach,
        body: { status: index % 2 ? 'completed' : 'refunded' },
      }),
    )
    const { body: purchases } = await app.call('GET', `/api/purchases?clientId=${client.id}`, { as: coach })
    const sum = purchases.reduce(
      (all: number, one: { status: string; amount: number }) => all + (one.status === 'completed' ? one.amount : 0),
      0,
    )
    expect(await getTotalSpent(coach, client)).toBe(sum)

    const deletions = await concurrently(50, () => app.call('DELETE', `/api/purchases/${first.id}`, { as: coach }))
    expect(deletions.filter((answer) => answer.status === 'fulfilled' && answer.value.status === 204)).toHaveLength(1)
    expect(await getTotalSpent(coach, client)).toBe(
      sum - (purchases.find((one: { id: number }) => one.id === first.id).status === 'completed' ? first.amount : 0),
    )
  })

  test('is pending, at the price of the product chosen for a new client', async () => {
    const coach = await createCoach()
    const product = await createProduct({ coach, price: '19.90' })
    const { status, body: client } = await app.call('POST', '/api/clients', {
      as: coach,
      body: { name: 'Kwame', email: 'k@example.com', productId: product.id },
    })
    const { body: purchases } = await app.call('GET', `/api/purchases?clientId=${client.id}`, { as: coach })

    expect(status).toBe(201)
    expect(purchases).toMatchObject([{ clientId: client.id, productId: product.id, amount: 1990, status: 'pending' }])
    expect(client.totalSpent).toBe(0)
  })

  test('of a missing product rejects the new client too', async () => {
    const coach = await createCoach()
    const { status, body } = await app.call('POST', '/api/clients', {
      as: coach,
      body: { name: 'Kwame', email: 'k@example.com', productId: 999_999 },
    })

    expect([status, body.message]).toEqual([404, 'Product not found'])
    expect((await app.call('GET', '/api/clients', { as: coach })).body).toEqual([])
  })

  test('is kept when its client is deleted', async () => {
    const coach = await createCoach()
    const [client, product] = [await createClient({ coach }), await createProduct({ coach })]
    const { body } = await postPurchase(coach, client, product)
    await app.call('DELETE', `/api/clients/${client.id}`, { as: coach })

    expect((await app.call('GET', '/api/purchases', { as: coach })).body).toEqual([body])
    expect((await app.call('GET', `/api/purchases?clientId=${client.id}`, { as: coach })).status).toBe(404)
  })
})

test("search finds the coach's products and purchases by name and notes, ignoring accents and the trash", async () => {
  const [coach, stranger] = [await createCoach(), await createCoach()]
  const client = await createClient({ coach })
  const product = await createProduct({ coach, name: 'Première Séance', price: '1250.5' })
  const { body: purchase } = await postPurchase(coach, client, product, { amount: 125_050, notes: 'Paid in Zürich' })
  const found = async (as: Coach, q: string) =>
    (await app.call('GET', `/api/search?q=${encodeURIComponent(q)}`, { as })).body
  const sold = {
    type: 'purchase',
    id: purchase.id,
    title: 'Première Séance',
    subtitle: expect.stringMatching(/^Ada Lovelace, \$1,250\.50, [A-Z][a-z]{2} \d{1,2}, \d{4}$/),
    to: `/purchases?dialog=edit-purchase&purchase=${purchase.id}`,
  }
  const offered = {
    type: 'product',
    id: product.id,
    title: 'Première Séance',
    subtitle: '$1,250.50',
    to: `/products?dialog=edit&product=${product.id}`,
  }
  expect(await found(coach, 'premiere seance')).toEqual([offered, sold])
  expect(await found(coach, 'zurich')).toEqual([sold])
  expect(await found(stranger, 'premiere seance')).toEqual([])
  await app.call('DELETE', `/api/products/${product.id}`, { as: coach })
  await app.call('DELETE', `/api/purchases/${purchase.id}`, { as: coach })
  expect(await found(coach, 'seance')).toEqual([])
})

test('search finds invoices of the coach by number, client and description', async () => {
  const [coach, stranger] = [await createCoach(), await createCoach()]
  const client = await createClient({ coach, name: 'Zoë Müller' })
  const payment = { clientId: client.id, amount: '150.00', description: 'Coaching in March' }
  const { id } = (await app.call('POST', '/api/payments', { as: coach, body: payment })).body
  const found = async (as: Coach, q: string) =>
    (await app.call('GET', `/api/search?q=${encodeURIComponent(q)}`, { as })).body.filter(
      ({ type }: { type: string }) => type === 'invoice',
    )
  const invoice = {
    type: 'invoice',
    id,
    title: 'INV-0001, Zoë Müller',
    subtitle: 'Coaching in March',
    to: `/payments?dialog=invoice&invoice=${id}`,
  }
  for (const q of ['inv-0001', 'muller', 'march']) expect(await found(coach, q)).toEqual([invoice])
  expect(await found(stranger, 'inv-0001')).toEqual([])
})
