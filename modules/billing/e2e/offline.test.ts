import { createClient, createProduct, createPurchase } from '#tests/support/factories.ts'
import { expectOfflineErrors } from '#tests/e2e/support/offline.ts'
import { test } from '#tests/e2e/support/test-app.ts'

test('forms of products and purchases keep their values when the server is unreachable', async ({
  page,
  app,
  browserErrors,
}) => {
  const coach = await app.createCoach()
  const { id: client } = await createClient({ coach })
  const { id: product } = await createProduct({ coach })
  const { id: purchase } = await createPurchase({ coach, clientId: client, productId: product })
  await coach.signIn(page.context())
  await expectOfflineErrors(page, browserErrors, [
    [
      `/clients/${client}?dialog=purchase`,
      { amount: '12.50', notes: 'By hand' },
      'Record Purchase',
      'Error',
      'Failed to create purchase',
    ],
    [
      '/purchases?dialog=record',
      { amount: '12.50', notes: 'By hand' },
      'Record Purchase',
      'Error',
      'Failed to create purchase',
    ],
    [
      `/purchases?dialog=edit-purchase&purchase=${purchase}`,
      { notes: 'By hand' },
      'Save',
      'Error',
      'Failed to update purchase.',
    ],
    [`/purchases?dialog=edit-purchase&purchase=${purchase}`, {}, 'Delete', 'Error', 'Failed to delete purchase.'],
    ['/products?dialog=add', { name: 'Retainer', price: '420.00' }, 'Add Product', 'Error', 'Failed to create product'],
    [`/products?dialog=edit&product=${product}`, { name: 'Retainer' }, 'Save', 'Error', 'Failed to update product'],
    [`/products?dialog=delete&product=${product}`, {}, 'Delete Product', 'Error', 'Failed to delete product'],
    ['/test-purchase', { amount: '12.50' }, 'Record Purchase', 'Error', 'Failed to create purchase'],
  ])
})
