import { createClient, createProduct, createPurchase } from '#tests/support/factories.ts'
import { expectOfflineErrors } from '#tests/e2e/support/offline.ts'
import { expect, test } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

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

test.describe('while the server is unreachable', () => {
  for (const [from, path] of [
    ['the list of clients', (id: number) => `/clients?dialog=purchase&client=${id}`],
    ["the client's page", (id: number) => `/clients/${id}?dialog=purchase`],
  ] as const) {
    test(`the purchase dialog on ${from} stays open and keeps its input`, async ({ page, app, browserErrors }) => {
      const coach = await app.createCoach()
      const client = await createClient({ coach })
      const product = await createProduct({ coach, name: 'Session' })
      await createPurchase({ coach, clientId: client.id, productId: product.id })
      await coach.signIn(page.context())
      const loadedRoutes = Promise.all([
        page.waitForResponse(/\/client-purchases-[^/]+\.js$/),
        page.waitForResponse(/\/purchases-[^/]+\.js$/),
      ])
      await page.goto(path(client.id))
      await waitForHydration(page)
      // A response is only the route's own file: wait for what it imports, too.
      const files = (await loadedRoutes).map((response) => response.url())
      await page.evaluate((urls) => Promise.all(urls.map((url) => import(url))), files)
      await page.context().setOffline(true)
      const dialog = page.getByRole('dialog', { name: /^Record Purchase/ })
      await dialog.getByLabel('Notes').fill('Paid before the holidays')
      await dialog.getByRole('button', { name: 'Record Purchase' }).click()
      await expect(page.getByRole('alert').filter({ hasText: 'Failed to create purchase' })).toBeVisible()
      await dialog.getByRole('button', { name: /^Delete the purchase of Session/ }).click()
      await expect(page.getByRole('alert').filter({ hasText: 'Failed to delete purchase.' })).toBeVisible()
      await expect(dialog.getByLabel('Notes')).toHaveValue('Paid before the holidays')

      await page.context().setOffline(false)
      await dialog.getByRole('button', { name: 'Record Purchase' }).click()
      await expect(page.getByText('Purchase recorded successfully')).toBeVisible()
      browserErrors.ignore(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
    })
  }
})
