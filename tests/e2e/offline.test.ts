import type { Page, Route } from '@playwright/test'
import { NewProduct, NewPurchase } from '#modules/billing/forms.ts'
import { createProduct } from '#modules/billing/services/products.ts'
import { recordPurchase } from '#modules/billing/services/purchases.ts'
import { NewAppointment } from '#modules/scheduling/forms.ts'
import { addAppointment } from '#modules/scheduling/services/appointments.ts'
import { NewInteraction } from '#modules/crm/forms.ts'
import { deleteClient } from '#modules/crm/services/clients.ts'
import { addInteraction } from '#modules/crm/services/interactions.ts'
import { NewProspect } from '#modules/pipeline/forms.ts'
import { addProspect } from '#modules/pipeline/services/prospects.ts'
import { type Coach, expect, getClients, inTenant, test } from './support/test-app.ts'
import { waitForHydration } from './support/wait-for-idle.ts'

// Every form and every one-click action while the server is unreachable.

type OfflineCase = [path: string, values: Record<string, string>, button: string, title: string, text: string]
type RecordIds = Record<
  'client' | 'deletedClient' | 'product' | 'purchase' | 'interaction' | 'prospect' | 'stage' | 'session',
  number
>
type ListCases = (ids: RecordIds) => OfflineCase[]

const tryAgain = 'The server could not be reached. Please try again.'

const visitors: ListCases = () => [
  ['/auth', { email: 'ada@example.com', password: 'secret words' }, 'Sign In', 'Login failed', tryAgain],
  [
    '/auth?tab=register',
    { firstName: 'Ada', lastName: 'Winter', email: 'ada@example.com', password: 'secret words' },
    'Create Account',
    'Registration failed',
    tryAgain,
  ],
  ['/auth/forgot', { email: 'ada@example.com' }, 'Send Link', 'Error', 'Please try again.'],
  ['/auth/reset?token=x', { password: 'secret words' }, 'Save Password', 'Error', 'The password was not changed.'],
  ['/test-purchase', { amount: '12.50' }, 'Record Purchase', 'Error', 'Failed to create purchase'],
]

const clients: ListCases = (ids) => [
  [
    '/clients?dialog=add',
    { name: 'Ada Lovelace', email: 'lovelace@example.com' },
    'Add Client',
    'Error',
    'Failed to add client. Please try again.',
  ],
  [
    `/clients?dialog=delete&client=${ids.client}`,
    {},
    'Delete Client',
    'Error',
    'Failed to delete client. Please try again.',
  ],
  [
    `/clients/${ids.client}?dialog=edit`,
    { name: 'Grace Brewster', profession: 'Admiral' },
    'Save',
    'Error',
    'Failed to update client. Please try again.',
  ],
  [`/clients/${ids.client}?edit`, { name: 'Grace Brewster' }, 'Save', 'Error', 'Failed to save client changes.'],
  [`/clients/${ids.client}?dialog=delete`, {}, 'Delete Client', 'Error', 'Failed to delete client. Please try again.'],
  [`/clients/${ids.client}?kind=purchase`, {}, 'Archive', 'Error', 'Failed to archive client. Please try again.'],
]

const contacts: ListCases = (ids) => [
  [
    `/clients/${ids.client}?dialog=interaction`,
    { name: 'A letter' },
    'Add Interaction',
    'Error',
    'Failed to add interaction.',
  ],
  [
    `/clients/${ids.client}?dialog=interaction&interaction=${ids.interaction}`,
    { name: 'A longer call' },
    'Save',
    'Error',
    'Failed to update interaction.',
  ],
  [`/clients/${ids.client}/interactions`, {}, 'Delete A call', 'Error', 'Failed to delete interaction.'],
]

const sales: ListCases = (ids) => [
  [
    `/clients/${ids.client}?dialog=purchase`,
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
    `/purchases?dialog=edit-purchase&purchase=${ids.purchase}`,
    { notes: 'By hand' },
    'Save',
    'Error',
    'Failed to update purchase.',
  ],
  [`/purchases?dialog=edit-purchase&purchase=${ids.purchase}`, {}, 'Delete', 'Error', 'Failed to delete purchase.'],
  ['/products?dialog=add', { name: 'Retainer', price: '420.00' }, 'Add Product', 'Error', 'Failed to create product'],
  [`/products?dialog=edit&product=${ids.product}`, { name: 'Retainer' }, 'Save', 'Error', 'Failed to update product'],
  [`/products?dialog=delete&product=${ids.product}`, {}, 'Delete Product', 'Error', 'Failed to delete product'],
]

const pipeline: ListCases = (ids) => [
  [
    '/pipeline?dialog=add',
    { name: 'Sam Ito', company: 'Ito & Co' },
    'Add Prospect',
    'Error',
    'Failed to create prospect. Please try again.',
  ],
  [
    `/pipeline?dialog=edit&prospect=${ids.prospect}`,
    { company: 'Haddad Ltd' },
    'Save',
    'Error',
    'Failed to update prospect. Please try again.',
  ],
  [
    `/pipeline?dialog=delete&prospect=${ids.prospect}`,
    {},
    'Delete Prospect',
    'Error',
    'Failed to delete prospect. Please try again.',
  ],
  [
    '/pipeline?dialog=add-stage',
    { name: 'Dreaming' },
    'Add Stage',
    'Error',
    'Failed to create stage. Please try again.',
  ],
  [
    `/pipeline?dialog=edit-stage&stage=${ids.stage}`,
    { name: 'Dreaming' },
    'Save',
    'Error',
    'Failed to update stage. Please try again.',
  ],
  [
    `/pipeline?dialog=delete-stage&stage=${ids.stage}`,
    {},
    'Delete Stage',
    'Error',
    'Failed to delete stage. Please try again.',
  ],
]

const calendar: ListCases = (ids) => [
  ['/calendar?dialog=schedule', { title: 'A walk' }, 'Schedule', 'Error', 'Failed to create appointment'],
  [
    `/calendar?dialog=edit-appointment&appointment=${ids.session}`,
    { title: 'A walk' },
    'Save',
    'Error',
    'Failed to update appointment',
  ],
  [`/calendar?dialog=appointment&appointment=${ids.session}`, {}, 'Delete', 'Error', 'Failed to delete appointment'],
  [
    `/calendar?dialog=complete&appointment=${ids.session}`,
    {},
    'Mark Complete',
    'Completion Failed',
    'Failed to complete session',
  ],
]

const practice: ListCases = (ids) => [
  ['/settings?dialog=add-type', { name: 'Walking' }, 'Add Type', 'Error', 'Failed to add appointment type'],
  ['/settings', { businessName: 'Winter & Co' }, 'Save Profile', 'Error', 'Failed to save profile.'],
  ['/branding', { subdomain: 'winter-and-co' }, 'Save Branding', 'Error', 'Failed to save branding.'],
  [`/trash?erase=client-${ids.deletedClient}`, {}, 'Delete permanently', 'Error', 'Failed to delete the record.'],
  ['/admin?dialog=add', { email: 'new@example.com' }, 'Add Coach', 'Error', 'Failed to add coach.'],
]

for (const [area, listCases] of Object.entries({ visitors, clients, contacts, sales, pipeline, calendar, practice })) {
  test(`${area}: a form that does not reach the server shows its failure message and keeps its values`, async ({
    page,
    app,
    browserErrors,
  }) => {
    await blockRequests(page)
    const coach = await app.createCoach({ isAdmin: true, clients: [{ name: 'Grace Hopper' }, { name: 'Put Away' }] })
    if (area !== 'visitors') await coach.signIn(page.context())
    for (const offlineCase of listCases(await createRecords(coach))) await expectOfflineError(page, offlineCase)
    browserErrors.ignore(/ERR_FAILED|Failed to fetch/)
  })
}

test('after two failed actions the next successful one reloads the page', async ({ page, app, browserErrors }) => {
  const coach = await app.createCoach()
  await coach.signIn(page.context())
  await page.goto('/settings')
  await waitForHydration(page)
  const requests: Route[] = []
  await page.route(/\.data(\?|$)/, (route) => void requests.push(route))
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Dark' }).click()
  await expect.poll(() => requests.length).toBe(1)
  await main.getByLabel('Business name').fill('Winter & Co')
  await main.getByRole('button', { name: 'Save Profile' }).click()
  await expect.poll(() => requests.length).toBe(2)
  for (const [index, message] of ['The theme is not saved.', 'Failed to save profile.'].entries()) {
    await requests[index]!.abort()
    await expect(page.getByRole('alert')).toContainText(message)
  }
  await page.unroute(/\.data(\?|$)/)
  await main.getByRole('button', { name: 'Save Profile' }).click()
  await expect(page.getByRole('status').filter({ hasText: /saved|updated/i })).toBeVisible()
  await expect(page.getByRole('complementary').getByText('Winter & Co')).toBeVisible()
  browserErrors.ignore(/ERR_FAILED|Failed to fetch/)
})

test('a failed logout shows a message and stays on the page', async ({ page, app, browserErrors }) => {
  await blockRequests(page)
  await (await app.createCoach()).signIn(page.context())
  await page.goto('/settings')
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Log out' }).first().click()
  await expect(page.getByRole('alert')).toContainText('Logout failed')
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  browserErrors.ignore(/ERR_FAILED|Failed to fetch/)
})

/** Lets pages load and blocks everything else. */
async function blockRequests(page: Page): Promise<void> {
  await page.route(/\.data(\?|$)|\/api\//, (route) => route.abort())
}

async function expectOfflineError(page: Page, [path, values, button, title, text]: OfflineCase): Promise<void> {
  await test.step(`${button} on ${path}`, async () => {
    await page.goto(path)
    await waitForHydration(page)
    const form = page.locator('dialog').or(page.getByRole('main')).last()
    for (const [name, value] of Object.entries(values)) await field(page, name).fill(value)
    await form.getByRole('button', { name: button, exact: true }).first().click()
    const toast = page.getByRole('alert').filter({ hasText: title })
    await expect(toast).toContainText(text)
    for (const [name, value] of Object.entries(values)) await expect(field(page, name)).toHaveValue(value)
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(path)
    await expect(form.getByRole('button', { name: button, exact: true }).first()).toBeEnabled()
  })
}

const field = (page: Page, name: string) => page.locator(`[name="${name}"]:not([type="hidden"])`).last()

async function createRecords(coach: Coach): Promise<RecordIds> {
  const [client, deletedClient] = (await getClients(coach)).map(({ id }) => id) as [number, number]
  const inOneHour = new Date(coach.platform.now().getTime() + 3_600_000)
  return inTenant(coach, async (ctx) => {
    const product = await createProduct(ctx, NewProduct.parse({ name: 'Career Reset', price: '960.00' }))
    const purchase = await recordPurchase(
      ctx,
      NewPurchase.parse({
        clientId: client,
        productId: product.id,
        amount: '960.00',
        status: 'completed',
        paymentMethod: 'cash',
      }),
    )
    const interaction = await addInteraction(
      ctx,
      client,
      NewInteraction.parse({ name: 'A call', interactionDate: inOneHour.toISOString() }),
    )
    const prospect = await addProspect(
      ctx,
      NewProspect.parse({ name: 'Leila Haddad', email: 'leila@example.com', stageId: 'lead' }),
    )
    const session = await addAppointment(
      ctx,
      NewAppointment.parse({
        title: 'Session',
        clientId: client,
        startTime: inOneHour.toISOString(),
        endTime: new Date(inOneHour.getTime() + 3_600_000).toISOString(),
      }),
    )
    await deleteClient(ctx, deletedClient)
    return {
      client,
      deletedClient,
      product: product.id,
      purchase: purchase.id,
      interaction: interaction.id,
      prospect: prospect.id,
      stage: prospect.stageId,
      session: session.id,
    }
  })
}
