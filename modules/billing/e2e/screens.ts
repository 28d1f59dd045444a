import type { Page } from '@playwright/test'
import { purchaseStatuses } from '#modules/billing/fields.ts'
import { NewProduct, NewPurchase } from '#modules/billing/forms.ts'
import { getInvoicePath } from '#modules/billing/invoices/public-link.ts'
import { NewInvoice } from '#modules/billing/invoices/forms.ts'
import { getSettings } from '#modules/billing/queries/settings.ts'
import { recordPayment } from '#modules/billing/services/invoice-payments.ts'
import { createInvoice } from '#modules/billing/services/invoices.ts'
import { getSalePath } from '#modules/billing/sales/sale-link.ts'
import { createPaymentLink, withdrawPaymentLink } from '#modules/billing/sales/payment-links.ts'
import { startSale } from '#modules/billing/sales/sales.ts'
import { createProduct } from '#modules/billing/services/products.ts'
import { createPurchase } from '#modules/billing/services/purchases.ts'
import { inTenant } from '#tests/e2e/support/test-app.ts'
import { navigateToFailingPage, unreadableResponse } from '#tests/e2e/support/screens/failing.ts'
import { openRowMenu } from '#tests/e2e/support/screens/row-menu.ts'
import type { Screen, World } from '#tests/e2e/support/screens/screen.ts'

declare module '#tests/e2e/support/screens/screen.ts' {
  interface World {
    product: number
    /** The purchase with the longest texts. */
    purchase: number
    /** Partly paid, with the longest texts. */
    invoice: number
    /** The path of its page. */
    invoicePage: string
    /** The slug of a product on the public page. */
    onlineProduct: string
    /** The path of the page of a sale. */
    salePage: string
    draft: number
    billingSettings: number
  }
}

export const screens: Screen[] = [
  { name: 'portal-invoices', route: '/portal/invoices', path: '/portal/invoices', as: 'client', host: 'full' },
  {
    name: 'invoice-edit',
    route: '/payments/:id/edit',
    path: ({ draft }) => `/payments/${draft}/edit`,
    as: 'full',
  },
  {
    name: 'invoice-edit-refused',
    route: '/payments/:id/edit',
    path: ({ draft }) => `/payments/${draft}/edit`,
    as: 'full',
    setup: submitInvalidDraft,
  },
  { name: 'billing-settings', route: '/settings/billing', path: '/settings/billing', as: 'full' },
  { name: 'billing-settings-new', route: '/settings/billing', path: '/settings/billing', as: 'newcomer' },
  {
    name: 'history-billing-settings',
    route: '/history/billing_settings/:id',
    path: ({ billingSettings }) => `/history/billing_settings/${billingSettings}`,
    as: 'full',
  },
  {
    name: 'test-purchase',
    route: '/test-purchase',
    path: '/test-purchase?purchases=2x96000_1x9999999999',
    as: 'visitor',
  },
  { name: 'test-purchase-powered-by', route: '/test-purchase', path: '/test-purchase', as: 'visitor', host: 'limited' },
  {
    name: 'test-purchase-refused',
    route: '/test-purchase',
    path: '/test-purchase',
    as: 'visitor',
    setup: (page) =>
      page
        .getByRole('button', { name: 'Record Purchase' })
        .click()
        .then(() => page.getByRole('main').getByText('Please select a product and enter an amount').waitFor()),
  },
  { name: 'products', route: '/products', path: '/products', as: 'full' },
  { name: 'products-empty', route: '/products', path: '/products', as: 'newcomer' },
  {
    name: 'product-menu',
    route: '/products',
    path: '/products',
    as: 'full',
    setup: openRowMenu,
  },
  { name: 'product-add', route: '/products', path: '/products?dialog=add', as: 'full' },
  {
    name: 'product-add-refused',
    route: '/products',
    path: '/products?dialog=add',
    as: 'full',
    setup: submitInvalidProduct,
  },
  {
    name: 'product-edit',
    route: '/products',
    path: ({ product }) => `/products?dialog=edit&product=${product}`,
    as: 'full',
  },
  {
    name: 'product-delete',
    route: '/products',
    path: ({ product }) => `/products?dialog=delete&product=${product}`,
    as: 'full',
  },
  { name: 'product-not-found', route: '/products', path: '/products?dialog=edit&product=999999999', as: 'full' },
  {
    name: 'client-purchases',
    route: '/clients/:id/purchases',
    path: ({ client }) => `/clients/${client}/purchases`,
    as: 'full',
  },
  {
    name: 'client-purchases-empty',
    route: '/clients/:id/purchases',
    path: ({ longClient }) => `/clients/${longClient}/purchases`,
    as: 'full',
  },
  {
    name: 'client-statement',
    route: '/clients/:id/statement',
    path: ({ client }) => `/clients/${client}/statement`,
    as: 'full',
  },
  {
    name: 'client-purchases-missing',
    route: '/clients/:id/purchases',
    path: '/clients/999999999/purchases',
    as: 'full',
    status: 404,
  },
  {
    name: 'purchase-record',
    route: '/clients/:id',
    path: ({ client }) => `/clients/${client}?dialog=purchase`,
    as: 'full',
  },
  {
    name: 'purchase-record-long',
    route: '/clients',
    path: ({ longClient }) => `/clients?page=2&dialog=purchase&client=${longClient}`,
    as: 'full',
  },
  {
    name: 'purchase-record-refused',
    route: '/clients/:id',
    path: ({ client }) => `/clients/${client}?dialog=purchase`,
    as: 'full',
    setup: submitInvalidPurchase,
  },
  {
    name: 'purchase-record-nothing',
    route: '/clients/:id/purchases',
    path: ({ onlyClient }) => `/clients/${onlyClient}/purchases?dialog=purchase`,
    as: 'limited',
  },
  { name: 'payments', route: '/payments', path: '/payments', as: 'full' },
  { name: 'payments-empty', route: '/payments', path: '/payments', as: 'newcomer' },
  { name: 'payments-nothing-found', route: '/payments', path: '/payments?q=zzzz&status=overdue', as: 'full' },
  { name: 'invoice-create', route: '/payments', path: '/payments?dialog=create', as: 'full' },
  {
    name: 'invoice-create-refused',
    route: '/payments',
    path: '/payments?dialog=create',
    as: 'full',
    setup: async (page) => {
      await page.getByRole('dialog').getByRole('button', { name: 'Create Invoice' }).click()
      await page.getByText('Amount is required').waitFor()
    },
  },
  ...(['invoice', 'pay', 'refund', 'credit'] as const).map(
    (dialog): Screen => ({
      name: dialog === 'invoice' ? 'invoice' : `invoice-${dialog}`,
      route: '/payments',
      path: ({ invoice }) => `/payments?dialog=${dialog}&invoice=${invoice}`,
      as: 'full',
    }),
  ),
  {
    name: 'invoice-page',
    route: '/invoice/:token',
    path: ({ invoicePage }) => invoicePage,
    as: 'visitor',
    host: 'full',
  },
  { name: 'payment-links', route: '/payments/links', path: '/payments/links', as: 'full' },
  { name: 'payment-links-empty', route: '/payments/links', path: '/payments/links', as: 'newcomer' },
  { name: 'shop', route: '/buy', path: '/buy', as: 'visitor', host: 'full' },
  {
    name: 'shop-product',
    route: '/buy/:product',
    path: ({ onlineProduct }) => `/buy/${onlineProduct}`,
    as: 'visitor',
    host: 'full',
  },
  { name: 'sale-page', route: '/sale/:token', path: ({ salePage }) => salePage, as: 'visitor', host: 'full' },
  {
    name: 'sale-page-forged',
    route: '/sale/:token',
    path: '/sale/forged',
    as: 'visitor',
    host: 'full',
    status: 404,
  },
  {
    name: 'invoice-page-forged',
    route: '/invoice/:token',
    path: '/invoice/forged',
    as: 'visitor',
    host: 'full',
    status: 404,
  },
  {
    name: 'invoice-history',
    route: '/history/invoice/:id',
    path: ({ invoice }) => `/history/invoice/${invoice}`,
    as: 'full',
  },
  { name: 'purchases', route: '/purchases', path: '/purchases', as: 'full' },
  {
    name: 'purchases-failed',
    route: '/purchases',
    path: '/dashboard',
    as: 'full',
    setup: (page) => navigateToFailingPage(page, '/purchases', 'Failed to fetch purchases'),
    expectedErrors: unreadableResponse,
  },
  { name: 'purchases-empty', route: '/purchases', path: '/purchases', as: 'newcomer' },
  {
    name: 'purchases-nothing-found',
    route: '/purchases',
    path: '/purchases?q=zzzz&month=2001-01&status=failed',
    as: 'full',
  },
  { name: 'sale', route: '/purchases', path: '/purchases?dialog=record', as: 'full' },
  { name: 'sale-found', route: '/purchases', path: '/purchases?dialog=record&clientSearch=grace', as: 'full' },
  { name: 'sale-nobody', route: '/purchases', path: '/purchases?dialog=record&clientSearch=zzzz', as: 'full' },
  { name: 'sale-refused', route: '/purchases', path: '/purchases?dialog=record', as: 'full', setup: submitInvalidSale },
  {
    name: 'purchase-edit',
    route: '/purchases',
    path: ({ purchase }) => `/purchases?dialog=edit-purchase&purchase=${purchase}`,
    as: 'full',
  },
  {
    name: 'purchase-history',
    route: '/history/purchase/:id',
    path: ({ purchase }) => `/history/purchase/${purchase}`,
    as: 'full',
  },
  {
    name: 'product-history',
    route: '/history/product/:id',
    path: ({ product }) => `/history/product/${product}`,
    as: 'full',
  },
  {
    name: 'purchase-not-found',
    route: '/purchases',
    path: '/purchases?dialog=edit-purchase&purchase=999999999',
    as: 'full',
  },
]

async function submitInvalidProduct(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('   ')
  await dialog.getByLabel('Price').fill('much')
  await dialog
    .getByRole('button', { name: 'Add Product' })
    .or(dialog.getByRole('button', { name: 'Create Product' }))
    .click()
  await dialog.getByText('Name is required').waitFor()
}

async function submitInvalidDraft(page: Page): Promise<void> {
  const line = page.getByRole('group', { name: 'Line 1', exact: true })
  await line.getByLabel('Quantity').fill('much')
  await line.getByLabel('Price').fill('')
  await page.getByRole('button', { name: 'Save Draft' }).click()
  await line.getByText('Price is required').waitFor()
}

async function submitInvalidPurchase(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount').fill('')
  await dialog.getByRole('button', { name: 'Record Purchase' }).click()
  await dialog.getByText('Amount is required').waitFor()
}

async function submitInvalidSale(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Record Purchase' }).click()
  await page.getByText('Product is required').waitFor()
}

export function world({ full, client, longText }: World): Promise<Partial<World>> {
  return inTenant(full, async (ctx) => {
    const product = await createProduct(
      ctx,
      NewProduct.parse({
        name: 'Career Reset',
        price: '960.00',
        description: 'Six sessions.',
        paymentType: 'installment',
        installmentCount: 3,
      }),
    )
    const second = await createProduct(
      ctx,
      NewProduct.parse({ name: longText, price: '99999999.99', description: longText.repeat(5), isActive: false }),
    )
    let purchase = 0
    for (const status of purchaseStatuses) {
      const sold =
        status === 'failed'
          ? { productId: second.id, amount: 9_999_999_999, notes: longText }
          : { productId: product.id, amount: 96_000 }
      const { id } = await createPurchase(
        ctx,
        NewPurchase.parse({ clientId: client, status, paymentMethod: 'cash', ...sold }),
      )
      if (status === 'failed') purchase = id
    }
    const line = { description: longText, unitPrice: 9_999_999 }
    const description = longText.slice(0, 255)
    const invoice = await createInvoice(
      ctx,
      NewInvoice.parse({ clientId: client, description, notes: longText, discount: '5%', lines: [line, line, line] }),
    )
    await recordPayment(ctx, invoice.id, { amount: 100, method: 'cash' })
    const draft = await createInvoice(
      ctx,
      NewInvoice.parse({ clientId: client, description, lines: [line, line], draft: true }),
    )
    const online = await createProduct(
      ctx,
      NewProduct.parse({ name: 'Three talks', price: '150.00', description: longText, onlineSale: 'public' }),
    )
    const sale = await startSale(ctx, online, { name: longText.slice(0, 200), email: 'maya@example.com' })
    const link = await createPaymentLink(ctx, { clientId: client, productId: online.id })
    await createPaymentLink(ctx, { clientId: client, productId: online.id })
    await withdrawPaymentLink(ctx, link)
    const { id: billingSettings } = await getSettings(ctx)
    return {
      product: product.id,
      purchase,
      invoice: invoice.id,
      invoicePage: getInvoicePath(ctx, invoice.id),
      onlineProduct: online.slug!,
      salePage: getSalePath(ctx, sale),
      draft: draft.id,
      billingSettings: billingSettings!,
    }
  })
}
