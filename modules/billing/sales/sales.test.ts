import { expect, test } from 'vitest'
import { contextFor, createClient, createCoach, createProduct, inTenant } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { eraseRecord } from '#modules/core/trash.ts'
import { getRecordKind } from '#modules/core/record-kinds.ts'
import { deleteClient } from '#modules/crm/index.ts'
import { hasSales } from '../services/currency.ts'
import { updateProduct } from '../services/products.ts'
import { getProduct } from '../queries/products.ts'
import { ProductEdit } from '../forms.ts'
import { forgetUnpaidSales } from './forget.ts'
import { canTakeCards } from './online-sale.server.ts'
import { getSale } from './queries.ts'
import { completeSale, startSale } from './sales.ts'

const app = createTestApp()
const maya = { name: 'Maya Ortiz', email: 'maya@example.com' }

test('nobody can pay by card without a payment provider', async () => {
  expect(await canTakeCards(await contextFor(await createCoach()))).toBe(false)
})

test('the address of a product stays when it is renamed, taken offline and offered again', async () => {
  const coach = await createCoach()
  const { id } = await createProduct({ coach, name: 'Étude', price: '10.00', onlineSale: 'public' })
  const edit = (input: object) => inTenant(coach, (ctx) => updateProduct(ctx, id, ProductEdit.parse(input)))
  for (const input of [{ name: 'Sonata' }, { onlineSale: 'none' }, { onlineSale: 'link' }])
    expect((await edit(input)).slug).toBe('etude')
  await expect(edit({ price: '0' })).rejects.toMatchObject({ code: 'validation_failed' })
})

test('a sale fixes price, sessions and currency when it starts, and is forgotten unless it is paid', async () => {
  const coach = await createCoach()
  const product = await createProduct({ coach, price: '150.00', sessionCount: 3, onlineSale: 'public' })
  const [paid, left] = await inTenant(coach, async (ctx) => [
    await startSale(ctx, product, maya),
    await startSale(ctx, product, { name: 'Noah Kim', email: 'noah@example.com' }),
  ])
  const ctx = await contextFor(coach)
  expect(await hasSales(ctx)).toBe(true)
  await inTenant(coach, (tx) => updateProduct(tx, product.id, ProductEdit.parse({ price: '200.00', sessionCount: 5 })))
  expect((await getProduct(ctx, product.id)).price).toBe('200.00')
  const payment = { amount: 15_000, externalId: 'pi_1', paidAt: app.clock.now }
  const results = await Promise.all([1, 2, 3].map(() => inTenant(coach, (tx) => completeSale(tx, paid!, payment))))
  expect(new Set(results.map(({ invoiceId }) => invoiceId)).size).toBe(1)
  expect(await getSale(ctx, paid!)).toMatchObject({ state: 'paid', amount: 15_000, sessionCount: 3 })
  app.clock.now = new Date(app.clock.now.getTime() + 31 * 86_400_000)
  await forgetUnpaidSales(app.platform)
  expect(await getSale(ctx, paid!)).toMatchObject({ buyerName: maya.name })
  await expect(getSale(ctx, left!)).rejects.toMatchObject({ code: 'not_found' })
})

test('erasing a client erases the name of the buyer', async () => {
  const coach = await createCoach()
  const client = await createClient({ coach, ...maya })
  const product = await createProduct({ coach, price: '150.00', onlineSale: 'public' })
  const id = await inTenant(coach, async (ctx) => {
    const sale = await startSale(ctx, product, maya)
    await completeSale(ctx, sale, { amount: 15_000, externalId: 'pi_1', paidAt: ctx.now() })
    return sale
  })
  await inTenant(coach, (ctx) => deleteClient(ctx, client.id))
  await inTenant(coach, (ctx) => eraseRecord(ctx, getRecordKind(ctx, 'client'), client.id))
  expect(await getSale(await contextFor(coach), id)).toMatchObject({
    clientId: null,
    buyerName: null,
    buyerEmail: null,
    state: 'paid',
  })
})
