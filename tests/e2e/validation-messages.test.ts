import type { Locator, Page } from '@playwright/test'
import { clientsOf, expect, test } from './support/test-app.ts'
import { hydrated } from './support/wait-for-idle.ts'

type Refused = { at: string; button: string; typed?: Record<string, string>; says: Record<string, string> }

const visitor: Refused[] = [
  { at: '/auth', button: 'Sign In', says: { Email: 'Email is required', Password: 'Password is required' } },
  {
    at: '/auth?tab=register',
    button: 'Create Account',
    typed: { 'First name': 'Nora', Email: 'nora', Password: 'abc' },
    says: {
      'Last name': 'Last name is required',
      Email: 'Enter a valid email address',
      Password: 'Use at least 6 characters',
    },
  },
  {
    at: '/auth?tab=register',
    button: 'Create Account',
    says: { 'First name': 'First name is required', 'Last name': 'Last name is required', Email: 'Email is required' },
  },
  { at: '/auth/forgot', button: 'Send Link', says: { Email: 'Email is required' } },
  {
    at: '/auth/reset?token=x',
    button: 'Save Password',
    typed: { 'New password': 'abc' },
    says: { 'New password': 'Use at least 6 characters' },
  },
]

const coach = (client: number): Refused[] => [
  { at: '/clients?dialog=add', button: 'Add Client', says: { Name: 'Name is required', Email: 'Email is required' } },
  {
    at: '/clients?dialog=add',
    button: 'Add Client',
    typed: { Name: 'Ada', Email: 'ada' },
    says: { Email: 'Enter a valid email address' },
  },
  {
    at: `/clients/${client}?dialog=edit`,
    button: 'Save',
    typed: { Name: '', Email: '', Progress: '150' },
    says: { Name: 'Name is required', Email: 'Email is required', Progress: 'Enter a whole number from 0 to 100' },
  },
  {
    at: `/clients/${client}?edit`,
    button: 'Save',
    typed: { Name: '', Progress: '150' },
    says: { Name: 'Name is required', Progress: 'Enter a whole number from 0 to 100' },
  },
  {
    at: `/clients/${client}?dialog=interaction`,
    button: 'Add Interaction',
    typed: { Date: '' },
    says: { Title: 'Title is required', Date: 'Date is required' },
  },
  {
    at: `/clients/${client}?dialog=interaction`,
    button: 'Add Interaction',
    typed: { Title: 'Call', Date: '1800-01-01' },
    says: { Date: 'Enter a date from 1900 to 2200' },
  },
  { at: '/clients/import', button: 'Upload and Preview', says: { 'CSV file': 'Choose a CSV file.' } },
  { at: '/pipeline?dialog=add-stage', button: 'Add Stage', says: { Name: 'Stage name is required' } },
  {
    at: '/pipeline?dialog=add',
    button: 'Add Prospect',
    typed: { Email: 'ada', Probability: '150', 'Next follow-up': '2300-01-01' },
    says: {
      Name: 'Name is required',
      Email: 'Enter a valid email address',
      Probability: 'Enter a whole number from 0 to 100',
      'Next follow-up': 'Use a date from 1900 to 2200',
    },
  },
  { at: '/products?dialog=add', button: 'Add Product', says: { Name: 'Name is required', Price: 'Price is required' } },
  { at: '/calendar?dialog=add-type', button: 'Add Type', says: { Name: 'Name is required' } },
  {
    at: '/settings',
    button: 'Save Profile',
    typed: { 'Business name': '' },
    says: { 'Business name': 'Business name is required' },
  },
  {
    at: '/branding',
    button: 'Save Branding',
    typed: { 'Hex value': '', 'Web address': 'a' },
    says: {
      'Hex value': 'Choose a color such as #6366f1',
      'Web address': 'Use 3 to 40 of a–z, 0–9 and hyphens, with no hyphen at either end',
    },
  },
  { at: '/admin?dialog=add', button: 'Add Coach', says: { Email: 'Email is required' } },
]

test('a visitor’s form that lacks something says so in our words beside each field', async ({ page }) => {
  for (const form of visitor) await refuses(page, form)
})

test('a coach’s form that lacks something says so in our words beside each field', async ({ page, house }) => {
  test.slow()
  const one = await house.aCoach({ isAdmin: true, clients: [{ name: 'Grace Hopper' }] })
  const [grace] = await clientsOf(one)
  await one.signIn(page.context())
  for (const form of coach(grace!.id)) await refuses(page, form)
})

test('an installment that is no number, and half a date, are not taken for nothing', async ({ page, house }) => {
  const one = await house.aCoach()
  await one.signIn(page.context())
  await refuses(page, {
    at: '/products?dialog=add',
    button: 'Add Product',
    typed: { Name: 'Reset', Price: '10', 'Payment type': 'installment', 'Number of installments': '0' },
    says: { 'Number of installments': 'Enter at least 1' },
  })

  await page.goto('/pipeline?dialog=add')
  await hydrated(page)
  await page.getByLabel('Name', { exact: true }).fill('Ada')
  const followUp = page.getByLabel('Next follow-up')
  await followUp.press('1')
  await page.getByRole('dialog').getByRole('button', { name: 'Add Prospect' }).click()
  await expect(followUp).toBeFocused()
  await expect(followUp).toHaveAccessibleDescription('Enter a whole date')
  await followUp.fill('2030-01-01')
  await page.getByRole('dialog').getByRole('button', { name: 'Add Prospect' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

for (const [how, sendFrom] of [
  ['has gone on to another field', (dialog: Locator) => dialog.getByRole('button', { name: 'Add Prospect' }).click()],
  ['types on in the field from which it was sent', (dialog: Locator) => dialog.getByLabel('Company').press('Enter')],
] as const) {
  test(`who ${how} when the answer comes types on there, and is told what is wrong`, async ({ page, house }) => {
    await (await house.aCoach()).signIn(page.context())
    await page.goto('/pipeline?dialog=add')
    await hydrated(page)
    const answer = await held(page)
    const dialog = page.getByRole('dialog')
    await sendFrom(dialog)
    await dialog.getByLabel('Company').focus()
    await page.keyboard.type('Haddad ')
    answer()
    await expect(dialog.getByLabel('Name', { exact: true })).toHaveAccessibleDescription('Name is required')
    await expect(page.getByRole('alert').filter({ hasText: 'Name is required' })).toBeVisible()
    await page.keyboard.type('Ltd')
    await expect(dialog.getByLabel('Company')).toHaveValue('Haddad Ltd')
    await dialog.getByRole('button', { name: 'Add Prospect' }).click()
    await expect(dialog.getByLabel('Name', { exact: true })).toBeFocused()
  })
}

test('who has gone on to the search when the answer comes types on there', async ({ page, house }) => {
  await (await house.aCoach({ clients: [{ name: 'Grace Hopper' }] })).signIn(page.context())
  await page.goto('/settings')
  await hydrated(page)
  const answer = await held(page)
  await page.getByLabel('Business name').fill('')
  await page.getByRole('button', { name: 'Save Profile' }).click()
  const search = page.getByRole('complementary').getByRole('combobox', { name: 'Search' })
  await search.pressSequentially('gra')
  answer()
  await expect(page.getByLabel('Business name')).toHaveAccessibleDescription('Business name is required')
  await page.keyboard.type('ce')
  await expect(search).toHaveValue('grace')
})

/** Holds what the server says to forms and loads, until the answer is called. */
async function held(page: Page): Promise<() => void> {
  let answer = () => {}
  const until = new Promise<void>((resolve) => (answer = resolve))
  await page.route(/\.data(\?|$)/, async (route) => {
    await until
    await route.continue()
  })
  return answer
}

async function refuses(page: Page, { at, button, typed = {}, says }: Refused): Promise<void> {
  await page.goto(at)
  await hydrated(page)
  // The button of a client's page stands beside its form.
  const form = at.endsWith('?edit')
    ? page.locator('#client')
    : page.locator('form[novalidate]').filter({ has: page.getByRole('button', { name: button, exact: true }) })
  for (const [label, text] of Object.entries(typed)) {
    const field = form.getByLabel(label, { exact: true })
    await ((await field.evaluate(({ tagName }) => tagName)) === 'SELECT' ? field.selectOption(text) : field.fill(text))
  }
  await page.getByRole('button', { name: button, exact: true }).filter({ visible: true }).last().click()
  for (const [label, sentence] of Object.entries(says)) {
    await expect(form.getByLabel(label, { exact: true }), `${at}: ${label}`).toHaveAccessibleDescription(sentence)
    await expect(form.getByText(sentence).first(), `${at}: ${label}`).toBeVisible()
  }
  await expect(form.getByLabel(Object.keys(says)[0]!, { exact: true }), `${at}: the first that is wrong`).toBeFocused()
  for (const [label, text] of Object.entries(typed))
    if (!/password/i.test(label))
      await expect(form.getByLabel(label, { exact: true }), `${at}: ${label} stays`).toHaveValue(text)
}
