import { expect, test } from 'vitest'
import type { EventType } from '#modules/core/events.ts'
import { getClient } from '#modules/crm/index.ts'
import {
  contextFor,
  createClient,
  createCoach,
  createProduct,
  createPurchase,
  inTenant,
} from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import * as events from '../events.ts'
import { ClientPurchaseForm, PurchaseEditForm } from '../forms.ts'
import { getClientPurchaseDialog, getNewPurchaseDialog } from '../purchases-loader.server.ts'
import { deleteProduct, restoreProduct, updateProduct } from './products.ts'
import {
  deletePurchase,
  createPurchaseOnDate,
  restorePurchase,
  updatePurchase,
  updatePurchaseOnDate,
} from './purchases.ts'

createTestApp()

async function createShop() {
  const coach = await createCoach()
  const [client, product] = [await createClient({ coach }), await createProduct({ coach })]
  return { coach, client, product }
}

test('correcting the amount of a completed purchase moves the total of the client', async () => {
  const { coach, client, product } = await createShop()
  const { id } = await createPurchase({ coach, clientId: client.id, productId: product.id })
  const {
    id: _id,
    version: _version,
    ...input
  } = PurchaseEditForm.parse({ id: '1', version: '1', amount: '$1,200.50' })

  const purchase = await inTenant(coach, (ctx) => updatePurchaseOnDate(ctx, id, input, 1))

  expect(purchase).toMatchObject({ amount: 120_050, status: 'completed', paymentMethod: 'cash' })
  expect((await getClient(await contextFor(coach), client.id)).totalSpent).toBe(120_050)
})

test('a new purchase starts with the last product and payment method of the client', async () => {
  const { coach, client, product } = await createShop()
  const other = await createClient({ coach })
  const expensive = await createProduct({ coach, name: 'Intensive', price: '2400.00' })
  const getDefaults = async () => (await getClientPurchaseDialog(await contextFor(coach), client)).defaults
  const date = '2026-03-10'
  expect(await getDefaults()).toEqual({ productId: '', amount: '', paymentMethod: '', status: 'completed', date })

  await createPurchase({ coach, clientId: other.id, productId: product.id, paymentMethod: 'paypal' })
  expect(await getDefaults()).toMatchObject({ productId: '', amount: '', paymentMethod: 'paypal' })
  await createPurchase({ coach, clientId: client.id, productId: product.id, paymentMethod: 'cash' })
  await createPurchase({ coach, clientId: client.id, productId: expensive.id, paymentMethod: 'manual', amount: 1 })
  expect(await getDefaults()).toMatchObject({
    productId: String(expensive.id),
    amount: '2400.00',
    paymentMethod: 'cash',
  })
  await inTenant(coach, (ctx) => updateProduct(ctx, expensive.id, { isActive: false }))
  expect(await getDefaults()).toMatchObject({ productId: '', amount: '' })

  const { defaults } = await getNewPurchaseDialog(await contextFor(coach), '')
  expect(defaults).toMatchObject({ productId: '', paymentMethod: 'cash', date })
})

test("the form on a client's page takes a date, and is today without one", async () => {
  const { coach, client, product } = await createShop()
  const record = (sent: object) =>
    inTenant(coach, (ctx) => {
      const form = { productId: String(product.id), amount: '150', paymentMethod: 'cash', ...sent }
      return createPurchaseOnDate(ctx, { ...ClientPurchaseForm.parse(form), clientId: client.id })
    })

  expect((await record({})).purchasedAt).toBe('2026-03-10T14:00:00.000Z')
  expect((await record({ date: '2026-02-03' })).purchasedAt).toBe('2026-02-03T17:00:00.000Z')
})

test('every change of a product or a purchase publishes an event', async () => {
  const { coach, client, product } = await createShop()
  const published: string[] = []
  const subscribers = Object.values(events).map(({ name }: EventType) => ({
    name: `test.on.${name}`,
    event: name,
    handle: async () => undefined,
  }))
  await inTenant(coach, async (tx) => {
    const ctx = {
      ...tx,
      platform: { ...tx.platform, extensions: { ...tx.platform.extensions, subscribers } },
      enqueue: async (name: string) => void published.push(name.replace('test.on.billing.', '')),
    }
    await updateProduct(ctx, product.id, { name: 'Career Start' })
    const { id } = await createPurchaseOnDate(ctx, {
      clientId: client.id,
      productId: product.id,
      amount: 100,
      status: 'completed',
      paymentMethod: 'cash',
      notes: null,
    })
    await updatePurchase(ctx, id, { status: 'refunded' })
    await updatePurchase(ctx, id, {})
    await deletePurchase(ctx, id)
    await restorePurchase(ctx, id)
    await restorePurchase(ctx, id)
    await deleteProduct(ctx, product.id)
    await restoreProduct(ctx, product.id)
    await restoreProduct(ctx, product.id)
  })

  expect(published).toEqual([
    'product-updated',
    'purchase-created',
    'purchase-updated',
    'purchase-deleted',
    'purchase-restored',
    'product-deleted',
    'product-restored',
  ])
})
