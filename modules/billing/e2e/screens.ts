import type { Page } from '@playwright/test'
import { NewProduct, NewPurchase, purchaseStatuses } from '#modules/billing/forms.ts'
import { addProduct } from '#modules/billing/services/products.ts'
import { recordPurchase } from '#modules/billing/services/purchases.ts'
import type { Coach } from '#tests/e2e/support/test-app.ts'
import { failingLoad, unreadable } from '#tests/e2e/support/screens/failing.ts'
import type { Screen } from '#tests/e2e/support/screens/screen.ts'

export const billingScreens: Screen[] = [
  { name: 'products', page: '/products', at: '/products', as: 'full' },
  { name: 'products-empty', page: '/products', at: '/products', as: 'newcomer' },
  {
    name: 'product-menu',
    page: '/products',
    at: '/products',
    as: 'full',
    then: (page) =>
      page
        .getByRole('button', { name: /^Actions for / })
        .first()
        .click(),
  },
  { name: 'product-add', page: '/products', at: '/products?dialog=add', as: 'full' },
  { name: 'product-add-refused', page: '/products', at: '/products?dialog=add', as: 'full', then: refuseProduct },
  {
    name: 'product-edit',
    page: '/products',
    at: ({ product }) => `/products?dialog=edit&product=${product}`,
    as: 'full',
  },
  {
    name: 'product-delete',
    page: '/products',
    at: ({ product }) => `/products?dialog=delete&product=${product}`,
    as: 'full',
  },
  { name: 'product-gone', page: '/products', at: '/products?dialog=edit&product=999999999', as: 'full' },
  {
    name: 'client-purchases',
    page: '/clients/:id/purchases',
    at: ({ client }) => `/clients/${client}/purchases`,
    as: 'full',
  },
  {
    name: 'client-purchases-empty',
    page: '/clients/:id/purchases',
    at: ({ long }) => `/clients/${long}/purchases`,
    as: 'full',
  },
  {
    name: 'client-purchases-missing',
    page: '/clients/:id/purchases',
    at: '/clients/999999999/purchases',
    as: 'full',
    status: 404,
  },
  {
    name: 'purchase-record',
    page: '/clients/:id',
    at: ({ client }) => `/clients/${client}?dialog=purchase`,
    as: 'full',
  },
  {
    name: 'purchase-record-long',
    page: '/clients',
    at: ({ long }) => `/clients?page=2&dialog=purchase&client=${long}`,
    as: 'full',
  },
  {
    name: 'purchase-record-refused',
    page: '/clients/:id',
    at: ({ client }) => `/clients/${client}?dialog=purchase`,
    as: 'full',
    then: refusePurchase,
  },
  {
    name: 'purchase-record-nothing',
    page: '/clients/:id/purchases',
    at: ({ only }) => `/clients/${only}/purchases?dialog=purchase`,
    as: 'limited',
  },
  { name: 'purchases', page: '/purchases', at: '/purchases', as: 'full' },
  {
    name: 'purchases-failed',
    page: '/purchases',
    at: '/dashboard',
    as: 'full',
    then: (page) => failingLoad(page, '/purchases', 'Failed to fetch purchases'),
    complains: unreadable,
  },
  { name: 'purchases-empty', page: '/purchases', at: '/purchases', as: 'newcomer' },
  {
    name: 'purchases-nothing-found',
    page: '/purchases',
    at: '/purchases?q=zzzz&month=2001-01&status=failed',
    as: 'full',
  },
  { name: 'sale', page: '/purchases', at: '/purchases?dialog=record', as: 'full' },
  { name: 'sale-found', page: '/purchases', at: '/purchases?dialog=record&who=grace', as: 'full' },
  { name: 'sale-nobody', page: '/purchases', at: '/purchases?dialog=record&who=zzzz', as: 'full' },
  { name: 'sale-refused', page: '/purchases', at: '/purchases?dialog=record', as: 'full', then: refuseSale },
  {
    name: 'purchase-edit',
    page: '/purchases',
    at: ({ purchase }) => `/purchases?dialog=edit-purchase&purchase=${purchase}`,
    as: 'full',
  },
  {
    name: 'purchase-history',
    page: '/history/purchase/:id',
    at: ({ purchase }) => `/history/purchase/${purchase}`,
    as: 'full',
  },
  {
    name: 'product-history',
    page: '/history/product/:id',
    at: ({ product }) => `/history/product/${product}`,
    as: 'full',
  },
  { name: 'purchase-gone', page: '/purchases', at: '/purchases?dialog=edit-purchase&purchase=999999999', as: 'full' },
]

async function refuseProduct(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('   ')
  await dialog.getByLabel('Price').fill('much')
  await dialog
    .getByRole('button', { name: 'Add Product' })
    .or(dialog.getByRole('button', { name: 'Create Product' }))
    .click()
  await dialog.getByText('Name is required').waitFor()
}

async function refusePurchase(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Record Purchase' }).click()
  await page.getByText('Please select a product').waitFor()
}

async function refuseSale(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Record Purchase' }).click()
  await page.getByText('Product is required').waitFor()
}

/** A few products and purchases: the first product, and the purchase with the longest texts. */
export async function sales(
  coach: Coach,
  clientId: number,
  long: string,
): Promise<{ product: number; purchase: number }> {
  return coach.write(async (ctx) => {
    const product = await addProduct(
      ctx,
      NewProduct.parse({
        name: 'Career Reset',
        price: '960.00',
        description: 'Six sessions.',
        paymentType: 'installment',
        installmentCount: 3,
      }),
    )
    const second = await addProduct(
      ctx,
      NewProduct.parse({ name: long, price: '99999999.99', description: long.repeat(5), isActive: false }),
    )
    let purchase = 0
    for (const status of purchaseStatuses) {
      const sold =
        status === 'failed'
          ? { productId: second.id, amount: 9_999_999_999, notes: long }
          : { productId: product.id, amount: 96_000 }
      const { id } = await recordPurchase(ctx, NewPurchase.parse({ clientId, status, paymentMethod: 'cash', ...sold }))
      if (status === 'failed') purchase = id
    }
    return { product: product.id, purchase }
  })
}
