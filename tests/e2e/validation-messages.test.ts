import type { Locator, Page } from '@playwright/test'
import { holdRequests } from './support/network.ts'
import { getClients, expect, test } from './support/test-app.ts'
import { waitForHydration } from './support/wait-for-idle.ts'

type InvalidForm = { path: string; button: string; values?: Record<string, string>; errors: Record<string, string> }

const visitor: InvalidForm[] = [
  { path: '/auth', button: 'Sign In', errors: { Email: 'Email is required', Password: 'Password is required' } },
  {
    path: '/auth?tab=register',
    button: 'Create Account',
    values: { 'First name': 'Nora', Email: 'nora', Password: 'abc' },
    errors: {
      'Last name': 'Last name is required',
      Email: 'Enter a valid email address',
      Password: 'Use at least 6 characters',
    },
  },
  {
    path: '/auth?tab=register',
    button: 'Create Account',
    errors: {
      'First name': 'First name is required',
      'Last name': 'Last name is required',
      Email: 'Email is required',
    },
  },
  { path: '/auth/forgot', button: 'Send Link', errors: { Email: 'Email is required' } },
  {
    path: '/auth/reset?token=x',
    button: 'Save Password',
    values: { 'New password': 'abc' },
    errors: { 'New password': 'Use at least 6 characters' },
  },
]

const coach = (client: number): InvalidForm[] => [
  {
    path: '/clients?dialog=add',
    button: 'Add Client',
    errors: { Name: 'Name is required', Email: 'Email is required' },
  },
  {
    path: '/clients?dialog=add',
    button: 'Add Client',
    values: { Name: 'Ada', Email: 'ada' },
    errors: { Email: 'Enter a valid email address' },
  },
  {
    path: `/clients/${client}?dialog=edit`,
    button: 'Save',
    values: { Name: '', Email: '', Progress: '150' },
    errors: { Name: 'Name is required', Email: 'Email is required', Progress: 'Enter a whole number from 0 to 100' },
  },
  {
    path: `/clients/${client}?edit`,
    button: 'Save',
    values: { Name: '', Progress: '150' },
    errors: { Name: 'Name is required', Progress: 'Enter a whole number from 0 to 100' },
  },
  {
    path: `/clients/${client}?dialog=interaction`,
    button: 'Add Interaction',
    values: { Date: '' },
    errors: { Title: 'Title is required', Date: 'Date is required' },
  },
  {
    path: `/clients/${client}?dialog=interaction`,
    button: 'Add Interaction',
    values: { Title: 'Call', Date: '1800-01-01' },
    errors: { Date: 'Use a date from 1900 to 2200' },
  },
  { path: '/clients/import', button: 'Upload and Preview', errors: { 'CSV file': 'Choose a CSV file.' } },
  { path: '/pipeline?dialog=add-stage', button: 'Add Stage', errors: { Name: 'Stage name is required' } },
  {
    path: '/pipeline?dialog=add',
    button: 'Add Prospect',
    values: { Email: 'ada', 'Probability (%)': '150', 'Next follow-up': '2300-01-01' },
    errors: {
      Name: 'Name is required',
      Email: 'Enter a valid email address',
      'Probability (%)': 'Enter a whole number from 0 to 100',
      'Next follow-up': 'Use a date from 1900 to 2200',
    },
  },
  {
    path: '/products?dialog=add',
    button: 'Add Product',
    errors: { Name: 'Name is required', Price: 'Price is required' },
  },
  { path: '/calendar?dialog=add-type', button: 'Add Type', errors: { Name: 'Name is required' } },
  {
    path: '/settings',
    button: 'Save Profile',
    values: { 'Business name': '' },
    errors: { 'Business name': 'Business name is required' },
  },
  {
    path: '/branding',
    button: 'Save Branding',
    values: { 'Hex value': '', 'Web address': 'a' },
    errors: {
      'Hex value': 'Choose a color such as #6366f1',
      'Web address': 'Use 3 to 40 of a–z, 0–9 and hyphens, with no hyphen at either end',
    },
  },
  { path: '/admin?dialog=add', button: 'Add Coach', errors: { Email: 'Email is required' } },
]

test("a visitor's incomplete form shows our own messages beside its fields", async ({ page }) => {
  for (const form of visitor) await expectValidationErrors(page, form)
})

test("a coach's incomplete form shows our own messages beside its fields", async ({ page, app }) => {
  test.slow()
  const one = await app.createCoach({ isAdmin: true, clients: [{ name: 'Grace Hopper' }] })
  const [grace] = await getClients(one)
  await one.signIn(page.context())
  for (const form of coach(grace!.id)) await expectValidationErrors(page, form)
})

test('an installment that is not a number and an incomplete date are rejected', async ({ page, app }) => {
  const one = await app.createCoach()
  await one.signIn(page.context())
  await expectValidationErrors(page, {
    path: '/products?dialog=add',
    button: 'Add Product',
    values: { Name: 'Reset', Price: '10', 'Payment type': 'installment', 'Number of installments': '0' },
    errors: { 'Number of installments': 'Enter at least 1' },
  })

  await page.goto('/pipeline?dialog=add')
  await waitForHydration(page)
  await page.getByLabel('Name', { exact: true }).fill('Ada')
  const followUp = page.getByLabel('Next follow-up')
  await followUp.press('1')
  await page.getByRole('dialog').getByRole('button', { name: 'Add Prospect' }).click()
  await expect(followUp).toBeFocused()
  await expect(followUp).toHaveAccessibleDescription('Enter a complete date')
  expect(await followUp.evaluate((input: HTMLInputElement) => input.validity.badInput), 'what was typed stays').toBe(
    true,
  )
  await followUp.fill('2030-01-01')
  await page.getByRole('dialog').getByRole('button', { name: 'Add Prospect' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('the error of a field disappears as soon as the field is edited', async ({ page, app }) => {
  await (await app.createCoach()).signIn(page.context())
  await page.goto('/clients?dialog=add')
  await waitForHydration(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add Client' }).click()
  const name = dialog.getByLabel('Name', { exact: true })
  await expect(name).toHaveAccessibleDescription('Name is required')
  await name.press('A')
  await expect(name).toHaveAccessibleDescription('')
  await expect(name).not.toHaveAttribute('aria-invalid')
  await expect(dialog.getByLabel('Email')).toHaveAccessibleDescription('Email is required')
})

for (const [action, submit] of [
  ['has moved to another field', (dialog: Locator) => dialog.getByRole('button', { name: 'Add Prospect' }).click()],
  ['keeps typing in the submitted field', (dialog: Locator) => dialog.getByLabel('Company').press('Enter')],
] as const) {
  test(`a user who ${action} when the response arrives keeps the focus there and sees the errors`, async ({
    page,
    app,
  }) => {
    await (await app.createCoach()).signIn(page.context())
    await page.goto('/pipeline?dialog=add')
    await waitForHydration(page)
    const respond = await holdRequests(page, /\.data(\?|$)/)
    const dialog = page.getByRole('dialog')
    await submit(dialog)
    await dialog.getByLabel('Company').focus()
    await page.keyboard.type('Haddad ')
    respond()
    await expect(dialog.getByLabel('Name', { exact: true })).toHaveAccessibleDescription('Name is required')
    await expect(page.getByRole('alert').filter({ hasText: 'Name is required' })).toBeVisible()
    await page.keyboard.type('Ltd')
    await expect(dialog.getByLabel('Company')).toHaveValue('Haddad Ltd')
    await dialog.getByRole('button', { name: 'Add Prospect' }).click()
    await expect(dialog.getByLabel('Name', { exact: true })).toBeFocused()
  })
}

test('a user who has moved to the search when the response arrives keeps the focus there', async ({ page, app }) => {
  await (await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })).signIn(page.context())
  await page.goto('/settings')
  await waitForHydration(page)
  const respond = await holdRequests(page, /\.data(\?|$)/)
  await page.getByLabel('Business name').fill('')
  await page.getByRole('button', { name: 'Save Profile' }).click()
  const search = page.getByRole('complementary').getByRole('combobox', { name: 'Search' })
  await search.pressSequentially('gra')
  respond()
  await expect(page.getByLabel('Business name')).toHaveAccessibleDescription('Business name is required')
  await page.keyboard.type('ce')
  await expect(search).toHaveValue('grace')
})

async function expectValidationErrors(page: Page, { path, button, values = {}, errors }: InvalidForm): Promise<void> {
  await page.goto(path)
  await waitForHydration(page)
  // The button of a client's page is outside its form.
  const form = path.endsWith('?edit')
    ? page.locator('#client')
    : page.locator('form[novalidate]').filter({ has: page.getByRole('button', { name: button, exact: true }) })
  for (const [label, text] of Object.entries(values)) {
    const field = form.getByLabel(label, { exact: true })
    await ((await field.evaluate(({ tagName }) => tagName)) === 'SELECT' ? field.selectOption(text) : field.fill(text))
  }
  await page.getByRole('button', { name: button, exact: true }).filter({ visible: true }).last().click()
  for (const [label, message] of Object.entries(errors)) {
    await expect(form.getByLabel(label, { exact: true }), `${path}: ${label}`).toHaveAccessibleDescription(message)
    await expect(form.getByText(message).first(), `${path}: ${label}`).toBeVisible()
  }
  await expect(
    form.getByLabel(Object.keys(errors)[0]!, { exact: true }),
    `${path}: the first invalid field`,
  ).toBeFocused()
  for (const [label, text] of Object.entries(values))
    if (!/password/i.test(label))
      await expect(form.getByLabel(label, { exact: true }), `${path}: ${label} keeps its value`).toHaveValue(text)
}

test('a busy page that renders while a response arrives shows its messages and moves the focus', async ({
  page,
  app,
}) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  await coach.signIn(page.context())
  await page.goto('/calendar?date=2094-05-20&dialog=schedule')
  await waitForHydration(page)
  const dialog = page.getByRole('dialog', { name: 'Schedule New Appointment' })
  // Events on another field: the form's component renders, and nothing has changed.
  await page.evaluate(() => {
    const field = document.body.appendChild(document.createElement('input'))
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      field.dispatchEvent(new Event('input', { bubbles: true }))
      port2.postMessage(null)
    }
    port2.postMessage(null)
  })
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await expect(page.getByRole('alert')).toContainText('Missing Information')
  await expect(dialog.getByLabel('Title')).toBeFocused()
})
