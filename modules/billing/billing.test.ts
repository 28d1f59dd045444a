import { describe, expect, test } from 'vitest'
import { aCoach, aHouse, atOnce, type Coach } from '#tests/support/test-app.ts'
import { ProductOut, PurchaseOut } from './records.ts'

const house = aHouse()

async function aClient(coach: Coach, name = 'Ada Lovelace') {
  return (await house.call('POST', '/api/clients', { as: coach, body: { name, email: 'ada@example.com' } })).body
}
async function aProduct(coach: Coach, more: object = {}) {
  return (
    await house.call('POST', '/api/products', { as: coach, body: { name: 'Career Reset', price: '150.00', ...more } })
  ).body
}
async function totalOf(coach: Coach, client: { id: number }): Promise<number> {
  return (await house.call('GET', `/api/clients/${client.id}`, { as: coach })).body.totalSpent
}
async function aPurchase(coach: Coach, client: { id: number }, product: { id: number }, more: object = {}) {
  return house.call('POST', '/api/purchases', {
    as: coach,
    body: { clientId: client.id, productId: product.id, amount: 15000, paymentMethod: 'cash', ...more },
  })
}

describe('a product', () => {
  test('is added with its price as a decimal text and the defaults of its payment type', async () => {
    const coach = await aCoach(house)
    const one = await house.call('POST', '/api/products', {
      as: coach,
      body: { name: ' Single Session ', price: 150, id: 9, coachId: 9 },
    })
    const parts = await aProduct(coach, { paymentType: 'installment' })
    const ongoing = await aProduct(coach, { paymentType: 'recurring', billingFrequency: 'weekly' })

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
  ])('refuses %j', async (body, field, message) => {
    const coach = await aCoach(house)
    const answer = await house.call('POST', '/api/products', { as: coach, body })

    expect(answer.status).toBe(422)
    expect(answer.body.issues[0].path).toBe(field)
    if (message) expect(answer.body.issues[0].message).toBe(message)
  })

  test('changes what is sent, loses what its new payment type lacks, and {} changes nothing', async () => {
    const coach = await aCoach(house)
    const product = await aProduct(coach, { paymentType: 'installment', installmentCount: 6 })
    const same = await house.call('PUT', `/api/products/${product.id}`, { as: coach, body: {} })
    const once = await house.call('PUT', `/api/products/${product.id}`, {
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

  test('that purchases use is hidden, and they keep its name', async () => {
    const coach = await aCoach(house)
    const [client, product] = [await aClient(coach), await aProduct(coach)]
    const { body: purchase } = await aPurchase(coach, client, product)

    expect((await house.call('DELETE', `/api/products/${product.id}`, { as: coach })).status).toBe(204)
    expect((await house.call('DELETE', `/api/products/${product.id}`, { as: coach })).status).toBe(404)
    expect((await house.call('GET', '/api/products', { as: coach })).body).toEqual([])
    expect((await house.call('GET', `/api/purchases/${purchase.id}`, { as: coach })).body.productName).toBe(
      'Career Reset',
    )
    expect((await aPurchase(coach, client, product)).status).toBe(404)
  })
})

test('a field of another kind is refused in words that a screen can show', async () => {
  const coach = await aCoach(house)
  for (const isActive of ['yes', null, 1]) {
    const { status, body } = await house.call('POST', '/api/products', {
      as: coach,
      body: { name: 'Single Session', price: '150.00', isActive },
    })
    expect([status, body.message, body.issues]).toEqual([
      422,
      'Send true or false',
      [{ path: 'isActive', message: 'Send true or false' }],
    ])
  }
  const { body } = await house.call('POST', '/api/login', { body: { email: 'ada@example.com', password: [] } })
  expect(body.issues).toEqual([{ path: 'password', message: 'Password is required' }])
})

describe('the figures of the month', () => {
  test("are the completed purchases of the coach's own month, in the coach's time zone", async () => {
    house.clock.now = new Date('2026-03-10T14:00:00Z')
    const coach = await aCoach(house, { timezone: 'Pacific/Auckland' })
    const [client, product] = [await aClient(coach), await aProduct(coach)]
    // March begins in Auckland at 11:00 UTC of the last day of February, and ends there.
    for (const [amount, purchaseDate, status] of [
      [1, '2026-02-28T10:59:59Z', 'completed'],
      [20, '2026-02-28T11:00:00Z', 'completed'],
      [300, '2026-03-31T10:59:59Z', 'completed'],
      [4000, '2026-03-31T11:00:00Z', 'completed'],
      [50000, '2026-03-10T00:00:00Z', 'pending'],
    ]) {
      await aPurchase(coach, client, product, { amount, purchaseDate, status })
    }

    expect((await house.call('GET', '/api/dashboard/stats', { as: coach })).body).toEqual({
      totalClients: 1,
      sessionsThisMonth: 0,
      monthlyRevenue: 320,
      activeProspects: 0,
    })
  })
})

describe('a purchase', () => {
  test('is recorded in cents, completed and now by default, and counts in the total of its client', async () => {
    const coach = await aCoach(house)
    const [client, product] = [await aClient(coach), await aProduct(coach)]
    const { status, body } = await aPurchase(coach, client, product, { amount: '150.00' })

    expect(status).toBe(201)
    expect(PurchaseOut.strict().parse(body)).toMatchObject({
      amount: 15000,
      status: 'completed',
      productName: 'Career Reset',
      purchaseDate: body.purchasedAt,
      purchasedAt: house.clock.now.toISOString(),
    })
    expect(await totalOf(coach, client)).toBe(15000)
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
  ])('refuses %j at the field', async (more, field) => {
    const coach = await aCoach(house)
    const answer = await aPurchase(coach, await aClient(coach), await aProduct(coach), more)

    expect(answer.status).toBe(422)
    expect(answer.body.issues.map((issue: { path: string }) => issue.path)).toEqual([field])
  })

  test('names what is missing: the product that was not chosen, the client and the product that are not there', async () => {
    const coach = await aCoach(house)
    const [client, product] = [await aClient(coach), await aProduct(coach)]

    expect((await aPurchase(coach, client, product, { productId: undefined })).body.message).toBe(
      'Please select a product',
    )
    expect((await aPurchase(coach, client, product, { clientId: 999_999 })).body.message).toBe('Client not found')
    expect((await aPurchase(coach, client, product, { productId: 999_999 })).body.message).toBe('Product not found')
  })

  test('moves the total with its status, its deletion and its return', async () => {
    const coach = await aCoach(house)
    const [client, product] = [await aClient(coach), await aProduct(coach)]
    const { body } = await aPurchase(coach, client, product, { status: 'pending' })
    const path = `/api/purchases/${body.id}`
    const totals = [await totalOf(coach, client)]
    for (const [method, to, more] of [
      ['PATCH', path, { status: 'completed' }],
      ['PATCH', path, { status: 'refunded' }],
      ['PATCH', path, { status: 'completed', notes: 'paid' }],
      ['DELETE', path, undefined],
      ['POST', `${path}/restore`, undefined],
    ] as const) {
      const answer = await house.call(method, to, { as: coach, ...(more ? { body: more } : {}) })
      expect(answer.status).toBeLessThan(300)
      totals.push(await totalOf(coach, client))
    }

    expect(totals).toEqual([0, 15000, 0, 15000, 0, 15000])
  })

  test('completed later keeps its date unless another one is sent', async () => {
    const coach = await aCoach(house)
    const [client, product] = [await aClient(coach), await aProduct(coach)]
    const { body } = await aPurchase(coach, client, product, {
      status: 'pending',
      purchaseDate: '2026-01-05T12:00:00+01:00',
    })
    const completed = await house.call('PATCH', `/api/purchases/${body.id}`, {
      as: coach,
      body: { status: 'completed' },
    })

    expect(completed.body.purchasedAt).toBe('2026-01-05T11:00:00.000Z')
  })

  test('fifty at once, changed fifty times at once, are all counted once', async () => {
    const coach = await aCoach(house)
    const [client, product] = [await aClient(coach), await aProduct(coach)]
    const made = await atOnce(50, (index) => aPurchase(coach, client, product, { amount: index + 1 }))
    expect(await totalOf(coach, client)).toBe(1275)

    const [first] = made.map((answer) => (answer.status === 'fulfilled' ? answer.value.body : null))
    await atOnce(50, (index) =>
      house.call('PATCH', `/api/purchases/${first.id}`, {
        as: coach,
        body: { status: index % 2 ? 'completed' : 'refunded' },
      }),
    )
    const { body: purchases } = await house.call('GET', `/api/purchases?clientId=${client.id}`, { as: coach })
    const sum = purchases.reduce(
      (all: number, one: { status: string; amount: number }) => all + (one.status === 'completed' ? one.amount : 0),
      0,
    )
    expect(await totalOf(coach, client)).toBe(sum)

    const deletions = await atOnce(50, () => house.call('DELETE', `/api/purchases/${first.id}`, { as: coach }))
    expect(deletions.filter((answer) => answer.status === 'fulfilled' && answer.value.status === 204)).toHaveLength(1)
    expect(await totalOf(coach, client)).toBe(
      sum - (purchases.find((one: { id: number }) => one.id === first.id).status === 'completed' ? first.amount : 0),
    )
  })

  test('is pending at the price of the product that was chosen with a new client', async () => {
    const coach = await aCoach(house)
    const product = await aProduct(coach, { price: '19.90' })
    const { status, body: client } = await house.call('POST', '/api/clients', {
      as: coach,
      body: { name: 'Kwame', email: 'k@example.com', productId: product.id },
    })
    const { body: purchases } = await house.call('GET', `/api/purchases?clientId=${client.id}`, { as: coach })

    expect(status).toBe(201)
    expect(purchases).toMatchObject([{ clientId: client.id, productId: product.id, amount: 1990, status: 'pending' }])
    expect(client.totalSpent).toBe(0)
  })

  test('of a product that is not there refuses the new client with it', async () => {
    const coach = await aCoach(house)
    const { status, body } = await house.call('POST', '/api/clients', {
      as: coach,
      body: { name: 'Kwame', email: 'k@example.com', productId: 999_999 },
    })

    expect([status, body.message]).toEqual([404, 'Product not found'])
    expect((await house.call('GET', '/api/clients', { as: coach })).body).toEqual([])
  })

  test('stays in the books when its client is deleted', async () => {
    const coach = await aCoach(house)
    const [client, product] = [await aClient(coach), await aProduct(coach)]
    const { body } = await aPurchase(coach, client, product)
    await house.call('DELETE', `/api/clients/${client.id}`, { as: coach })

    expect((await house.call('GET', '/api/purchases', { as: coach })).body).toEqual([body])
    expect((await house.call('GET', `/api/purchases?clientId=${client.id}`, { as: coach })).status).toBe(404)
  })
})

test('products and purchases are found by name, notes and whatever accents, of one’s own practice, and gone with the trash', async () => {
  const [coach, stranger] = [await aCoach(house), await aCoach(house)]
  const client = await aClient(coach)
  const product = await aProduct(coach, { name: 'Première Séance', price: '1250.5' })
  const { body: purchase } = await aPurchase(coach, client, product, { amount: 125_050, notes: 'Paid in Zürich' })
  const found = async (as: Coach, q: string) =>
    (await house.call('GET', `/api/search?q=${encodeURIComponent(q)}`, { as })).body
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
  await house.call('DELETE', `/api/products/${product.id}`, { as: coach })
  await house.call('DELETE', `/api/purchases/${purchase.id}`, { as: coach })
  expect(await found(coach, 'seance')).toEqual([])
})
