import type { Page, Route } from '@playwright/test'
import { NewProduct, NewPurchase } from '#modules/billing/forms.ts'
import { addProduct } from '#modules/billing/services/products.ts'
import { recordPurchase } from '#modules/billing/services/purchases.ts'
import { NewAppointment } from '#modules/scheduling/forms.ts'
import { addAppointment } from '#modules/scheduling/services/appointments.ts'
import { NewInteraction } from '#modules/crm/forms.ts'
import { deleteClient } from '#modules/crm/services/clients.ts'
import { addInteraction } from '#modules/crm/services/interactions.ts'
import { NewProspect } from '#modules/pipeline/forms.ts'
import { addProspect } from '#modules/pipeline/services/prospects.ts'
import { clientsOf, expect, test, type Coach } from './support/test-app.ts'
import { hydrated } from './support/wait-for-idle.ts'

// Every form and every deed of one press, on a server that isn't reached.

/** Where, what is typed into which field, the button, and the words of the toast. */
type Row = [at: string, typed: Record<string, string>, button: string, title: string, text: string]
/** What a coach has, by its ids. */
type Made = Record<
  'client' | 'away' | 'product' | 'purchase' | 'interaction' | 'prospect' | 'stage' | 'session',
  number
>
type Rows = (made: Made) => Row[]

const again = 'The server could not be reached. Please try again.'

const visitors: Rows = () => [
  ['/auth', { email: 'ada@example.com', password: 'secret words' }, 'Sign In', 'Login failed', again],
  [
    '/auth?tab=register',
    { firstName: 'Ada', lastName: 'Winter', email: 'ada@example.com', password: 'secret words' },
    'Create Account',
    'Registration failed',
    again,
  ],
  ['/auth/forgot', { email: 'ada@example.com' }, 'Send Link', 'Error', 'Please try again.'],
  ['/auth/reset?token=x', { password: 'secret words' }, 'Save Password', 'Error', 'The password was not changed.'],
  ['/test-purchase', { amount: '12.50' }, 'Record Purchase', 'Error', 'Failed to create purchase'],
]

const clients: Rows = (made) => [
  [
    '/clients?dialog=add',
    { name: 'Ada Lovelace', email: 'lovelace@example.com' },
    'Add Client',
    'Error',
    'Failed to add client. Please try again.',
  ],
  [
    `/clients?dialog=delete&client=${made.client}`,
    {},
    'Delete Client',
    'Error',
    'Failed to delete client. Please try again.',
  ],
  [
    `/clients/${made.client}?dialog=edit`,
    { name: 'Grace Brewster', profession: 'Admiral' },
    'Save',
    'Error',
    'Failed to update client. Please try again.',
  ],
  [`/clients/${made.client}?edit`, { name: 'Grace Brewster' }, 'Save', 'Error', 'Failed to save client changes.'],
  [`/clients/${made.client}?dialog=delete`, {}, 'Delete Client', 'Error', 'Failed to delete client. Please try again.'],
  [`/clients/${made.client}?kind=purchase`, {}, 'Archive', 'Error', 'Failed to archive client. Please try again.'],
]

const contacts: Rows = (made) => [
  [
    `/clients/${made.client}?dialog=interaction`,
    { name: 'A letter' },
    'Add Interaction',
    'Error',
    'Failed to add interaction.',
  ],
  [
    `/clients/${made.client}?dialog=interaction&interaction=${made.interaction}`,
    { name: 'A longer call' },
    'Save',
    'Error',
    'Failed to update interaction.',
  ],
  [`/clients/${made.client}/interactions`, {}, 'Delete A call', 'Error', 'Failed to delete interaction.'],
]

const sales: Rows = (made) => [
  [
    `/clients/${made.client}?dialog=purchase`,
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
    `/purchases?dialog=edit-purchase&purchase=${made.purchase}`,
    { notes: 'By hand' },
    'Save',
    'Error',
    'Failed to update purchase.',
  ],
  [`/purchases?dialog=edit-purchase&purchase=${made.purchase}`, {}, 'Delete', 'Error', 'Failed to delete purchase.'],
  ['/products?dialog=add', { name: 'Retainer', price: '420.00' }, 'Add Product', 'Error', 'Failed to create product'],
  [`/products?dialog=edit&product=${made.product}`, { name: 'Retainer' }, 'Save', 'Error', 'Failed to update product'],
  [`/products?dialog=delete&product=${made.product}`, {}, 'Delete Product', 'Error', 'Failed to delete product'],
]

const pipeline: Rows = (made) => [
  [
    '/pipeline?dialog=add',
    { name: 'Sam Ito', company: 'Ito & Co' },
    'Add Prospect',
    'Error',
    'Failed to create prospect. Please try again.',
  ],
  [
    `/pipeline?dialog=edit&prospect=${made.prospect}`,
    { company: 'Haddad Ltd' },
    'Save',
    'Error',
    'Failed to update prospect. Please try again.',
  ],
  [
    `/pipeline?dialog=delete&prospect=${made.prospect}`,
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
    `/pipeline?dialog=edit-stage&stage=${made.stage}`,
    { name: 'Dreaming' },
    'Save',
    'Error',
    'Failed to update stage. Please try again.',
  ],
  [
    `/pipeline?dialog=delete-stage&stage=${made.stage}`,
    {},
    'Delete Stage',
    'Error',
    'Failed to delete stage. Please try again.',
  ],
]

const calendar: Rows = (made) => [
  ['/calendar?dialog=schedule', { title: 'A walk' }, 'Schedule', 'Error', 'Failed to create appointment'],
  [
    `/calendar?dialog=edit-appointment&appointment=${made.session}`,
    { title: 'A walk' },
    'Save',
    'Error',
    'Failed to update appointment',
  ],
  [`/calendar?dialog=appointment&appointment=${made.session}`, {}, 'Delete', 'Error', 'Failed to delete appointment'],
  [
    `/calendar?dialog=complete&appointment=${made.session}`,
    {},
    'Mark Complete',
    'Completion Failed',
    'Failed to complete session',
  ],
]

const practice: Rows = (made) => [
  ['/settings?dialog=add-type', { name: 'Walking' }, 'Add Type', 'Error', 'Failed to add appointment type'],
  ['/settings', { businessName: 'Winter & Co' }, 'Save Profile', 'Error', 'Failed to save profile.'],
  ['/branding', { subdomain: 'winter-and-co' }, 'Save Branding', 'Error', 'Failed to save branding.'],
  [`/trash?erase=client-${made.away}`, {}, 'Delete forever', 'Error', 'Failed to erase it.'],
  ['/admin?dialog=add', { email: 'new@example.com' }, 'Add Coach', 'Error', 'Failed to add coach.'],
]

for (const [where, rows] of Object.entries({ visitors, clients, contacts, sales, pipeline, calendar, practice })) {
  test(`${where}: what does not reach the server is said in the words of the catalogue, and what was typed stays`, async ({
    page,
    house,
    complaints,
  }) => {
    await unreachable(page)
    const coach = await house.aCoach({ isAdmin: true, clients: [{ name: 'Grace Hopper' }, { name: 'Put Away' }] })
    if (where !== 'visitors') await coach.signIn(page.context())
    for (const one of rows(await madeFor(coach))) await refused(page, one)
    complaints.forget(/ERR_FAILED|Failed to fetch/)
  })
}

test('when the server is back after two that failed at once, the page loads anew with what is done', async ({
  page,
  house,
  complaints,
}) => {
  const coach = await house.aCoach()
  await coach.signIn(page.context())
  await page.goto('/settings')
  await hydrated(page)
  const asked: Route[] = []
  await page.route(/\.data(\?|$)/, (route) => void asked.push(route))
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Dark' }).click()
  await expect.poll(() => asked.length).toBe(1)
  await main.getByLabel('Business name').fill('Winter & Co')
  await main.getByRole('button', { name: 'Save Profile' }).click()
  await expect.poll(() => asked.length).toBe(2)
  for (const [at, said] of ['The theme is not saved.', 'Failed to save profile.'].entries()) {
    await asked[at]!.abort()
    await expect(page.getByRole('alert')).toContainText(said)
  }
  await page.unroute(/\.data(\?|$)/)
  await main.getByRole('button', { name: 'Save Profile' }).click()
  await expect(page.getByRole('status').filter({ hasText: /saved|updated/i })).toBeVisible()
  await expect(page.getByRole('complementary').getByText('Winter & Co')).toBeVisible()
  complaints.forget(/ERR_FAILED|Failed to fetch/)
})

test('who logs out and does not reach the server is told, and stays', async ({ page, house, complaints }) => {
  await unreachable(page)
  await (await house.aCoach()).signIn(page.context())
  await page.goto('/settings')
  await hydrated(page)
  await page.getByRole('button', { name: 'Log out' }).first().click()
  await expect(page.getByRole('alert')).toContainText('Logout failed')
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  complaints.forget(/ERR_FAILED|Failed to fetch/)
})

/** Pages come, and nothing else. */
async function unreachable(page: Page): Promise<void> {
  await page.route(/\.data(\?|$)|\/api\//, (route) => route.abort())
}

async function refused(page: Page, [at, typed, button, title, text]: Row): Promise<void> {
  await test.step(`${button} on ${at}`, async () => {
    await page.goto(at)
    await hydrated(page)
    const form = page.locator('dialog').or(page.getByRole('main')).last()
    for (const [name, value] of Object.entries(typed)) await field(page, name).fill(value)
    await form.getByRole('button', { name: button, exact: true }).first().click()
    const toast = page.getByRole('alert').filter({ hasText: title })
    await expect(toast).toContainText(text)
    for (const [name, value] of Object.entries(typed)) await expect(field(page, name)).toHaveValue(value)
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(at)
    await expect(form.getByRole('button', { name: button, exact: true }).first()).toBeEnabled()
  })
}

const field = (page: Page, name: string) => page.locator(`[name="${name}"]:not([type="hidden"])`).last()

async function madeFor(coach: Coach): Promise<Made> {
  const [client, away] = (await clientsOf(coach)).map(({ id }) => id) as [number, number]
  const soon = new Date(Date.now() + 3_600_000)
  return coach.write(async (ctx) => {
    const product = await addProduct(ctx, NewProduct.parse({ name: 'Career Reset', price: '960.00' }))
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
      NewInteraction.parse({ name: 'A call', interactionDate: soon.toISOString() }),
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
        startTime: soon.toISOString(),
        endTime: new Date(soon.getTime() + 3_600_000).toISOString(),
      }),
    )
    await deleteClient(ctx, away)
    return {
      client,
      away,
      product: product.id,
      purchase: purchase.id,
      interaction: interaction.id,
      prospect: prospect.id,
      stage: prospect.stageId,
      session: session.id,
    }
  })
}
