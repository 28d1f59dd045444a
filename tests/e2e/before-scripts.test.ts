import type { Page } from '@playwright/test'
import { NewProspect } from '#modules/pipeline/forms.ts'
import { addProspect } from '#modules/pipeline/services/prospects.ts'
import { clientsOf, expect, test } from './support/test-app.ts'
import { hydrated } from './support/wait-for-idle.ts'

/** Opens a page whose scripts come when the answer is called. */
async function openEarly(page: Page, at: string): Promise<() => void> {
  let arrive = () => {}
  const held = new Promise<void>((resolve) => (arrive = resolve))
  await page.route(/\/assets\/entry\.client-[^/]*\.js/, async (route) => {
    await held
    await route.continue()
  })
  await page.goto(at, { waitUntil: 'commit' })
  return arrive
}

test('who types before scripts have loaded types on in the editor', async ({ page, house }) => {
  const coach = await house.aCoach({ clients: [{ name: 'Ada Lovelace', email: 'ada@example.com' }] })
  await coach.signIn(page.context())
  const [client] = await clientsOf(coach)
  const arrive = await openEarly(page, `/clients/${client!.id}?edit`)
  await page.locator('textarea[name=notes]').focus()
  await page.keyboard.type('Came in **tired**')
  arrive()
  await expect(
    page.getByRole('textbox', { name: 'Session Notes & Observations' }).and(page.locator('[contenteditable]')),
  ).toBeFocused()
  await page.keyboard.type(', left awake')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Client changes saved successfully.')).toBeVisible()
  const [row] = await (await coach.ctx()).rows<{ notes: string }>({
    name: 'test.typed',
    text: 'select notes from client',
  })
  expect(row!.notes).toBe('Came in **tired**, left awake')
})

test('a list is searched by what was typed before scripts have loaded', async ({ page, house }) => {
  const coach = await house.aCoach({ clients: [{ name: 'Ada Lovelace' }, { name: 'Grace Hopper' }] })
  await coach.signIn(page.context())
  const arrive = await openEarly(page, '/clients')
  await page.getByRole('searchbox', { name: 'Search clients' }).fill('grace')
  await page.keyboard.press('Tab')
  arrive()
  await expect(page).toHaveURL(/[?&]q=grace/)
  await expect(page.getByRole('main').getByText('Ada Lovelace')).toHaveCount(0)
  await expect(page.getByRole('searchbox', { name: 'Search clients' })).toHaveValue('grace')
})

test('what was typed and chosen in a filter before scripts have loaded stays while its answer is awaited', async ({
  page,
  house,
}) => {
  const coach = await house.aCoach()
  await coach.write((ctx) =>
    addProspect(ctx, NewProspect.parse({ name: 'Grace Hopper', stageId: 'lead', probability: 80 })),
  )
  await coach.signIn(page.context())
  const arrive = await openEarly(page, '/pipeline')
  const [words, likely] = [page.getByRole('searchbox', { name: 'Search prospects' }), page.getByLabel('Probability')]
  await words.fill('grace')
  await likely.selectOption('75')
  await page.keyboard.press('Tab')
  let answer = () => {}
  const until = new Promise<void>((resolve) => (answer = resolve))
  const asked = page.waitForRequest(/pipeline\.data/)
  await page.route(/\.data(\?|$)/, async (route) => {
    await until
    await route.continue()
  })
  arrive()
  await asked
  expect([await words.inputValue(), await likely.inputValue()]).toEqual(['grace', '75'])
  answer()
  await expect(page).toHaveURL(/q=grace&likely=75/)
})

test('a form refused before scripts have loaded has the focus in the field that is wrong', async ({ page, house }) => {
  const coach = await house.aCoach()
  await coach.signIn(page.context())
  const arrive = await openEarly(page, '/clients?dialog=add')
  await page.getByLabel('Name', { exact: true }).fill('Ada')
  await page.getByLabel('Email', { exact: true }).fill('nonsense')
  await page.getByRole('dialog').getByRole('button', { name: 'Add Client' }).click()
  await expect(page.getByText('Enter a valid email address')).toBeVisible()
  arrive()
  await hydrated(page)
  await expect(page.getByLabel('Email', { exact: true })).toBeFocused()
})

test('what was typed before scripts have loaded is not left without a question', async ({ page, house }) => {
  const coach = await house.aCoach()
  await coach.signIn(page.context())
  const arrive = await openEarly(page, '/settings')
  await page.getByLabel('Business name').fill('Winter & Co')
  arrive()
  await hydrated(page)
  const asked = page.waitForEvent('dialog')
  const pressed = page.getByRole('complementary').getByRole('link', { name: 'Clients' }).click()
  await (await asked).dismiss()
  await pressed
  await expect(page.getByLabel('Business name')).toHaveValue('Winter & Co')
})

test('the search of the sidebar finds what was typed before scripts have loaded', async ({ page, house }) => {
  const coach = await house.aCoach({ clients: [{ name: 'Grace Hopper' }] })
  await coach.signIn(page.context())
  const arrive = await openEarly(page, '/settings')
  const search = page.getByRole('complementary').getByRole('combobox', { name: 'Search' })
  await search.fill('grac')
  arrive()
  await expect(page.getByRole('option', { name: /Grace Hopper/ })).toBeVisible()
  await search.press('e')
  await expect(search).toHaveValue('grace')
})

test('the preview of the branding follows what was typed before scripts have loaded', async ({ page, house }) => {
  const coach = await house.aCoach()
  await coach.signIn(page.context())
  const arrive = await openEarly(page, '/branding')
  await page.getByLabel('Hex value').fill('#0f766e')
  await page.getByLabel('Web address').fill('grace-and-co')
  arrive()
  await expect(page.getByRole('button', { name: '#0f766e' })).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByText(/grace-and-co\.localhost/)).toBeVisible()
  await expect(page.getByLabel('Hex value')).toHaveValue('#0f766e')
})
