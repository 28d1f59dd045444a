import type { Locator, Page } from '@playwright/test'
import { NewProduct, NewPurchase } from '#modules/billing/forms.ts'
import { createProduct } from '#modules/billing/services/products.ts'
import { recordPurchase } from '#modules/billing/services/purchases.ts'
import { mainFlow } from '#tests/e2e/support/main-flow.ts'
import { expect, getClients, inTenant, test } from '#tests/e2e/support/test-app.ts'
import { phone } from '#tests/e2e/support/screens.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

mainFlow(
  'a product is added, sold, counted, deleted and restored',
  async ({ page, app }) => {
    const coach = await app.createCoach({ clients: [{ name: 'Ada Lovelace' }] })
    await coach.signIn(page.context())
    await page.goto('/products')
    await waitForHydration(page)
    await expect(page.getByText('No products yet')).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Add Product' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add New Product' })
    await dialog.getByLabel('Name').fill('Career Reset')
    await dialog.getByLabel('Price').fill('16,20')
    await expect(dialog.getByLabel('Billing frequency')).toBeHidden()
    await dialog.getByRole('button', { name: 'Add Product' }).click()
    await expect(dialog.getByText('Enter an amount such as 150.00')).toBeVisible()
    await expect(dialog.getByLabel('Name')).toHaveValue('Career Reset')
    await dialog.getByLabel('Price').fill('$1,620.5')
    await dialog.getByLabel('Payment type').selectOption('Recurring')
    await expect(dialog.getByLabel('Billing frequency')).toBeVisible()
    await expect(dialog.getByLabel('Number of installments')).toBeHidden()
    await dialog.getByLabel('Payment type').selectOption('Installments')
    await dialog.getByLabel('Number of installments').fill('4')
    await dialog.getByRole('button', { name: 'Add Product' }).click()
    await expect(page.getByText('4 monthly installments')).toBeVisible()
    await expect(page.getByText('$1,620.50')).toBeVisible()

    await page.goto('/clients')
    await page.getByRole('link', { name: 'Ada Lovelace' }).click()
    await page.getByRole('link', { name: 'Add Purchase' }).click()
    const recording = page.getByRole('dialog', { name: /^Record Purchase/ })
    await recording.getByRole('button', { name: 'Record Purchase' }).click()
    for (const message of ['Please select a product', 'Amount is required', 'Payment method is required'])
      await expect(recording.getByText(message)).toBeVisible()
    await recording.getByLabel('Product').selectOption({ label: 'Career Reset, $1,620.50' })
    await expect(recording.getByLabel('Amount')).toHaveValue('1620.50')
    await recording.getByLabel('Amount').fill('15,00')
    await recording.getByLabel('Payment method').selectOption('Bank transfer')
    await recording.getByLabel('Notes').fill('Paid before the holidays')
    await recording.getByRole('button', { name: 'Record Purchase' }).click()
    await expect(recording.getByText('Enter an amount such as 150.00')).toBeVisible()
    await expect(recording.getByLabel('Notes')).toHaveValue('Paid before the holidays')
    await recording.getByLabel('Amount').fill('$1,500.00')
    await recording.getByRole('button', { name: 'Record Purchase' }).click()
    await expect(page.getByText('Purchase recorded successfully')).toBeVisible()
    await expect(recording).toHaveCount(0)
    const history = page.getByRole('region', { name: 'Purchase History' })
    await expect(history).toContainText('Total $1,500.00')

    await page.getByRole('link', { name: 'Add Purchase' }).click()
    await recording.getByRole('button', { name: /^Delete the purchase of Career Reset/ }).click()
    await expect(page.getByText('Purchase deleted')).toBeVisible()
    await expect(recording).toContainText('No purchases yet')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(recording).toContainText('Total $1,500.00')
    await page.keyboard.press('Escape')
    await expect(recording).toHaveCount(0)

    await history.getByRole('link', { name: 'View all' }).click()
    await expect(page.getByText('$1,500.00 paid so far.')).toBeVisible()
    await page.goto('/clients')
    await expect(page.getByRole('row', { name: /Ada Lovelace/ })).toContainText('Career Reset')
  },
  { atTimeEdges: true },
)

test('a refund leaves every total, and a second tab is warned of the change', async ({ page, app, context }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Ada Lovelace' }] })
  await inTenant(coach, async (ctx) => {
    const { id: productId } = await createProduct(
      ctx,
      NewProduct.parse({ name: 'Leadership Intensive', price: '2400.00' }),
    )
    const [client] = await getClients(coach)
    for (const amount of [240_000, 60_000])
      await recordPurchase(ctx, NewPurchase.parse({ clientId: client!.id, productId, amount, paymentMethod: 'cash' }))
  })
  await coach.signIn(context)
  await page.goto('/dashboard')
  await waitForHydration(page)
  const card = page.getByRole('link', { name: /^Revenue/ })
  await expect(card).toContainText('$3,000')
  await card.click()
  await expect(page).toHaveURL(/\/purchases\?month=\d{4}-\d\d&status=completed$/)
  await expect(page.getByRole('status').filter({ hasText: '2 purchases' })).toContainText('$3,000.00')

  const other = await context.newPage()
  for (const tab of [page, other]) {
    await tab.goto('/purchases')
    await waitForHydration(tab)
    await tab
      .getByRole('row', { name: /\$600\.00/ })
      .getByRole('link', { name: /^Edit/ })
      .click()
    await tab.getByRole('dialog').getByLabel('Status').waitFor()
  }
  await page.getByRole('dialog').getByLabel('Status').selectOption('Refunded')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Purchase updated')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: '2 purchases' })).toContainText('$2,400.00 completed')

  const dialog = other.getByRole('dialog', { name: 'Edit Purchase' })
  await dialog.getByLabel('Notes').fill('Paid in two parts')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('This purchase was changed in another tab while you were editing.')).toBeVisible()
  await expect(dialog.getByRole('group', { name: 'Status' })).toContainText('Refunded')
  // Untouched fields take the saved value; edited fields keep theirs.
  await expect(dialog.getByLabel('Status', { exact: true })).toHaveValue('refunded')
  await expect(dialog.getByLabel('Notes', { exact: true })).toHaveValue('Paid in two parts')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(other.getByText('Purchase updated')).toBeVisible()

  await page.goto('/dashboard')
  await expect(card).toContainText('$2,400')
  await page.goto('/clients')
  await page.getByRole('link', { name: 'Ada Lovelace' }).click()
  await expect(page.getByRole('region', { name: 'Purchase History' })).toContainText('Total $3,000.00')
})

test('the list of purchases is filtered, and records one for any client', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Ada Lovelace' }, { name: 'Kwame Mensah' }] })
  await inTenant(coach, (ctx) => createProduct(ctx, NewProduct.parse({ name: 'Single Session', price: '180.00' })))
  await coach.signIn(page.context())
  await page.goto('/products')
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Actions for Single Session' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Product' }).click()
  await expect(page.getByText('No products yet')).toBeVisible()
  await page.getByRole('link', { name: 'Purchases' }).click()
  await expect(page.getByText('No purchases yet')).toBeVisible()
  // Undo stays on the page.
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Product restored')).toBeVisible()
  await expect(page).toHaveURL('/purchases')
  await page.getByRole('link', { name: 'Record Purchase' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Record Purchase' })
  await dialog.getByRole('button', { name: 'Record Purchase' }).click()
  for (const message of ['Client is required', 'Product is required', 'Payment method is required'])
    await expect(dialog.getByText(message)).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Client' }).fill('kwame')
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Product').selectOption('Single Session, $180.00')
  await dialog.getByLabel('Payment method').selectOption('Cash')
  await dialog.getByLabel('Date').fill('2025-12-31')
  await dialog.getByRole('button', { name: 'Record Purchase' }).click()
  await expect(page.getByText('Purchase recorded successfully')).toBeVisible()
  await expect(page.getByRole('row', { name: /Kwame Mensah/ })).toContainText('Dec 31, 2025')

  await page.getByLabel('Month').selectOption('December 2025')
  await expect(page).toHaveURL('/purchases?month=2025-12')
  await expect(page.getByRole('status').filter({ hasText: 'December 2025' })).toContainText(
    '1 purchase in December 2025',
  )
  await page.getByLabel('Search purchases').pressSequentially('MENSAH')
  await expect(page).toHaveURL(/q=MENSAH/)
  await expect(page.getByLabel('Search purchases')).toBeFocused()
  await expect(page.getByRole('row', { name: /Kwame Mensah/ })).toBeVisible()
  await page.getByLabel('Search purchases').fill('lovelace')
  await page.getByLabel('Search purchases').press('Enter')
  await expect(page.getByText('No purchases found')).toBeVisible()
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await expect(page.getByLabel('Search purchases')).toHaveValue('')
  await expect(page.getByLabel('Month')).toHaveValue('')
})

test('products and purchases are paginated, and actions return to their page', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Ada Lovelace' }] })
  const [client] = await getClients(coach)
  await inTenant(coach, async (ctx) => {
    const { id } = await createProduct(ctx, NewProduct.parse({ name: 'The first', price: '180.00' }))
    for (let nth = 0; nth < 51; nth++)
      await recordPurchase(
        ctx,
        NewPurchase.parse({ clientId: client!.id, productId: id, amount: 100, paymentMethod: 'cash' }),
      )
    for (let nth = 2; nth <= 50; nth++)
      await createProduct(ctx, NewProduct.parse({ name: `Package ${nth}`, price: '180.00' }))
  })
  await coach.signIn(page.context())
  await page.goto('/products')
  await waitForHydration(page)
  await expect(page.getByText('Showing 1–48 of 50')).toBeVisible()
  await page.getByRole('link', { name: 'Next' }).click()
  await expect(page.getByText('Showing 49–50 of 50')).toBeVisible()
  await page.getByRole('link', { name: 'The first' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('The very first')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Product updated')).toBeVisible()
  await expect(page).toHaveURL('/products?page=2')
  for (const name of ['The very first', 'Package 2']) {
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete Product' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  // A page that is empty now redirects to the last page.
  await expect(page.getByText('Showing 48 of 48')).toBeVisible()
  await expect(page.getByText('Product deleted').last()).toBeVisible()
  await expect(page).toHaveURL('/products')

  await page.goto(`/clients/${client!.id}?dialog=purchase`)
  await waitForHydration(page)
  const recording = page.getByRole('dialog', { name: /^Record Purchase/ })
  await expect(recording.getByRole('list', { name: 'Purchases' }).getByRole('listitem')).toHaveCount(20)
  await recording.getByRole('link', { name: 'All 51 purchases' }).click()
  await expect(page.getByText('Showing 1–50 of 51')).toBeVisible()
  await page.getByRole('link', { name: 'Next' }).click()
  await expect(page.getByText('Showing 51–51 of 51')).toBeVisible()
  await page.getByRole('button', { name: /^Delete the purchase of The first/ }).click()
  await expect(page.getByText('Showing 50 of 50')).toBeVisible()
})

test('a purchase is recorded from the list of clients by keyboard', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Ada Lovelace' }] })
  await inTenant(coach, (ctx) => createProduct(ctx, NewProduct.parse({ name: 'Single Session', price: '180.00' })))
  await coach.signIn(page.context())
  await page.goto('/clients')
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Actions for Ada Lovelace' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Add Purchase' })).toBeFocused()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: /^Record Purchase/ })
  await expect(dialog.getByLabel('Product')).toBeFocused()
  await page.keyboard.type('Single')
  await page.keyboard.press('Tab')
  await expect(dialog.getByLabel('Amount')).toHaveValue('180.00')
  await tabTo(page, dialog.getByLabel('Payment method'))
  await page.keyboard.type('PayPal')
  await tabTo(page, dialog.getByLabel('Notes'))
  await page.keyboard.type('Paid at once')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Purchase recorded successfully')).toBeVisible()
  await expect(page).toHaveURL('/clients')
  await expect(page.getByRole('row', { name: /Ada Lovelace/ })).toContainText('Single Session')
})

/** Presses Tab until `field` has the focus. A date input takes several presses. */
async function tabTo(page: Page, field: Locator): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('Tab')
    await expect(field).toBeFocused({ timeout: 1 })
  }).toPass({ intervals: [0], timeout: 5000 })
}

test.describe('by touch on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: phone })

  test('a purchase is found, refunded and deleted', async ({ page, app }) => {
    const coach = await app.createCoach({ clients: [{ name: 'Ada Lovelace' }] })
    await inTenant(coach, async (ctx) => {
      const { id: productId } = await createProduct(ctx, NewProduct.parse({ name: 'Single Session', price: '180.00' }))
      const [client] = await getClients(coach)
      await recordPurchase(
        ctx,
        NewPurchase.parse({ clientId: client!.id, productId, amount: 18_000, paymentMethod: 'cash' }),
      )
    })
    await coach.signIn(page.context())
    await page.goto('/purchases')
    await waitForHydration(page)
    await page
      .getByRole('list', { name: 'Purchases' })
      .getByRole('link', { name: /Single Session/ })
      .tap()
    await page.getByRole('dialog').getByLabel('Status').selectOption('Refunded')
    await page.getByRole('button', { name: 'Save' }).tap()
    await expect(page.getByText('Purchase updated')).toBeVisible()
    await page
      .getByRole('list', { name: 'Purchases' })
      .getByRole('link', { name: /Refunded/ })
      .tap()
    await page.getByRole('button', { name: 'Delete', exact: true }).tap()
    await expect(page.getByText('No purchases yet')).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).tap()
    await expect(page.getByRole('list', { name: 'Purchases' })).toContainText('Refunded')
  })
})

test('a visitor can try the purchase tracker, and nothing is stored', async ({ page, app }) => {
  await page.goto('/test-purchase')
  await waitForHydration(page)
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Record Purchase' }).click()
  await expect(main.getByText('Please select a product and enter an amount')).toBeVisible()
  await main.getByLabel('Product').selectOption('Monthly Retainer, $420.00')
  await expect(main.getByLabel('Amount')).toHaveValue('420.00')
  await main.getByLabel('Amount').fill('0')
  await main.getByRole('button', { name: 'Record Purchase' }).click()
  await expect(main.getByText('Please select a product and enter an amount')).toBeVisible()
  await main.getByLabel('Amount').fill('400.5')
  await main.getByRole('button', { name: 'Record Purchase' }).click()
  await expect(page.getByText('Purchase recorded successfully')).toBeVisible()
  await expect(main.getByRole('region', { name: 'Purchase History' })).toContainText('Total $400.50')
  await expect(main.getByLabel('Amount')).toHaveValue('')
  await page.goto('/test-purchase')
  await expect(main.getByText('No purchases yet.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
  await (await app.createCoach()).signIn(page.context())
  await page.goto('/test-purchase')
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sign In' })).toHaveCount(0)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a purchase is validated, recorded, edited, filtered and deleted', async ({ page, app }) => {
    const coach = await app.createCoach({ clients: [{ name: 'Ada Lovelace' }] })
    await inTenant(coach, (ctx) => createProduct(ctx, NewProduct.parse({ name: 'Single Session', price: '180.00' })))
    await coach.signIn(page.context())
    await page.goto('/clients')
    await page.getByRole('link', { name: 'Ada Lovelace' }).click()
    await page.getByRole('link', { name: 'Add Purchase' }).click()
    const dialog = page.getByRole('dialog', { name: /^Record Purchase/ })
    await dialog.getByLabel('Amount').fill('a lot')
    await dialog.getByLabel('Notes').fill('In two parts')
    await dialog.getByRole('button', { name: 'Record Purchase' }).click()
    await expect(dialog.getByText('Please select a product')).toBeVisible()
    await expect(dialog.getByLabel('Amount')).toHaveValue('a lot')
    await expect(dialog.getByLabel('Notes')).toHaveValue('In two parts')
    await dialog.getByLabel('Product').selectOption('Single Session, $180.00')
    await dialog.getByLabel('Amount').fill('180')
    await dialog.getByLabel('Payment method').selectOption('Cash')
    await dialog.getByRole('button', { name: 'Record Purchase' }).click()
    await expect(page.getByText('Purchase recorded successfully')).toBeVisible()
    await expect(dialog).toHaveCount(0)

    await page.goto('/purchases')
    await page
      .getByRole('row', { name: /Single Session/ })
      .getByRole('link', { name: /^Edit/ })
      .click()
    await page.getByRole('dialog').getByLabel('Status').selectOption('Cancelled')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Purchase updated')).toBeVisible()
    await page.getByLabel('Status').selectOption('Completed')
    await page.getByRole('button', { name: 'Show' }).click()
    await expect(page.getByText('No purchases found')).toBeVisible()
    await page.goto('/purchases')
    await page
      .getByRole('button', { name: /^Delete the purchase/ })
      .first()
      .click()
    await expect(page.getByText('No purchases yet')).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByRole('row', { name: /Single Session/ })).toContainText('Cancelled')
  })
})

test('a new client can start with a product, recorded as a pending purchase', async ({ page, app }) => {
  const coach = await app.createCoach()
  await coach.signIn(page.context())
  await page.goto('/products?dialog=add')
  await waitForHydration(page)
  await page.getByLabel('Name').fill('Single Session')
  await page.getByLabel('Price').fill('180')
  await page.getByRole('dialog').getByRole('button', { name: 'Add Product' }).click()
  await expect(page.getByText('$180.00')).toBeVisible()
  await page.goto('/clients?dialog=add')
  await waitForHydration(page)
  await page.getByLabel('Name', { exact: true }).fill('Kwame Mensah')
  await page.getByLabel('Email').fill('kwame@example.com')
  await page.getByLabel('Product').selectOption({ label: 'Single Session, $180.00' })
  await page.getByRole('dialog').getByRole('button', { name: 'Add Client' }).click()
  await expect(page.getByText('Client added successfully!')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Purchase History' })).toContainText('Pending')
})

test('a second purchase takes two clicks: product, amount, method and date are prefilled', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Ada Lovelace' }] })
  const [client] = await getClients(coach)
  await inTenant(coach, async (ctx) => {
    const { id: productId } = await createProduct(ctx, NewProduct.parse({ name: 'Session', price: '180.00' }))
    await createProduct(ctx, NewProduct.parse({ name: 'Intensive', price: '2400.00' }))
    const input = { clientId: client!.id, productId, amount: 9_000, paymentMethod: 'paypal' }
    await recordPurchase(ctx, NewPurchase.parse(input))
  })
  await coach.signIn(page.context())
  await page.goto(`/clients/${client!.id}`)
  await waitForHydration(page)
  const history = page.getByRole('region', { name: 'Purchase History' })
  await history.getByRole('link', { name: 'Record Purchase' }).click()
  const dialog = page.getByRole('dialog', { name: /^Record Purchase/ })
  await expect(dialog.getByLabel('Amount')).toHaveValue('180.00')
  await expect(dialog.getByLabel('Payment method')).toHaveValue('paypal')
  await expect(dialog.getByLabel('Date')).toHaveValue(/^\d{4}-\d\d-\d\d$/)
  // Another product replaces the prefilled amount.
  await dialog.getByLabel('Product').selectOption('Intensive, $2,400.00')
  await expect(dialog.getByLabel('Amount')).toHaveValue('2400.00')
  await dialog.getByLabel('Product').selectOption('Session, $180.00')
  await dialog.getByRole('button', { name: 'Record Purchase' }).click()
  await expect(page.getByText('Purchase recorded successfully')).toBeVisible()
  await expect(history).toContainText('Total $270.00')

  await history.getByRole('link', { name: /\$180\.00/ }).click()
  await page.getByRole('dialog').getByLabel('Amount').fill('160')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Purchase updated')).toBeVisible()
  await expect(history).toContainText('Total $250.00')

  await page.goto('/purchases?status=completed')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^Purchases \d{4}-\d\d-\d\d\.csv$/)
})
