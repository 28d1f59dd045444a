import type { Page } from '@playwright/test'
import { NewProspect } from '#modules/pipeline/forms.ts'
import { createProspect } from '#modules/pipeline/services/prospects.ts'
import { holdRequests } from './support/network.ts'
import { contextFor, expect, getClients, inTenant, test } from './support/test-app.ts'
import { answerLeavePrompt } from './support/leave-prompt.ts'
import { waitForHydration } from './support/wait-for-idle.ts'

/** Opens a page whose scripts load when the returned function is called. */
async function openBeforeScripts(page: Page, path: string): Promise<() => void> {
  const release = await holdRequests(page, /\/assets\/entry\.client-[^/]*\.js/)
  await page.goto(path, { waitUntil: 'commit' })
  return release
}

test('text typed before hydration is kept by the editor, which stays focused', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Ada Lovelace', email: 'ada@example.com' }] })
  await coach.signIn(page.context())
  const [client] = await getClients(coach)
  const releaseScripts = await openBeforeScripts(page, `/clients/${client!.id}?edit`)
  await page.locator('textarea[name=notes]').focus()
  await page.keyboard.type('Came in **tired**')
  releaseScripts()
  await expect(
    page.getByRole('textbox', { name: 'Session Notes & Observations' }).and(page.locator('[contenteditable]')),
  ).toBeFocused()
  await page.keyboard.type(', left awake')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Client changes saved successfully.')).toBeVisible()
  const [row] = await (await contextFor(coach)).query<{ notes: string }>({
    name: 'test.typed',
    text: 'select notes from client',
  })
  expect(row!.notes).toBe('Came in **tired**, left awake')
})

test('a search term typed before hydration filters the list', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Ada Lovelace' }, { name: 'Grace Hopper' }] })
  await coach.signIn(page.context())
  const releaseScripts = await openBeforeScripts(page, '/clients')
  await page.getByRole('searchbox', { name: 'Search clients' }).fill('grace')
  await page.keyboard.press('Tab')
  releaseScripts()
  await expect(page).toHaveURL(/[?&]q=grace/)
  await expect(page.getByRole('main').getByText('Ada Lovelace')).toHaveCount(0)
  await expect(page.getByRole('searchbox', { name: 'Search clients' })).toHaveValue('grace')
})

test('filters set before hydration keep their values while loading', async ({ page, app }) => {
  const coach = await app.createCoach()
  await inTenant(coach, (ctx) =>
    createProspect(ctx, NewProspect.parse({ name: 'Grace Hopper', stageId: 'lead', probability: 80 })),
  )
  await coach.signIn(page.context())
  const releaseScripts = await openBeforeScripts(page, '/pipeline')
  const [search, probability] = [
    page.getByRole('searchbox', { name: 'Search prospects' }),
    page.getByLabel('Probability'),
  ]
  await search.fill('grace')
  await probability.selectOption('75')
  await page.keyboard.press('Tab')
  const requested = page.waitForRequest(/pipeline\.data/)
  const releaseResponse = await holdRequests(page, /\.data(\?|$)/)
  releaseScripts()
  await requested
  expect([await search.inputValue(), await probability.inputValue()]).toEqual(['grace', '75'])
  releaseResponse()
  await expect(page).toHaveURL(/q=grace&likely=75/)
})

test('a form rejected before hydration focuses its invalid field', async ({ page, app }) => {
  const coach = await app.createCoach()
  await coach.signIn(page.context())
  const releaseScripts = await openBeforeScripts(page, '/clients?dialog=add')
  await page.getByLabel('Name', { exact: true }).fill('Ada')
  await page.getByLabel('Email', { exact: true }).fill('nonsense')
  await page.getByRole('dialog').getByRole('button', { name: 'Add Client' }).click()
  await expect(page.getByText('Enter a valid email address')).toBeVisible()
  releaseScripts()
  await waitForHydration(page)
  await expect(page.getByLabel('Email', { exact: true })).toBeFocused()
})

test('text typed before hydration counts as unsaved changes', async ({ page, app }) => {
  const coach = await app.createCoach()
  await coach.signIn(page.context())
  const releaseScripts = await openBeforeScripts(page, '/settings')
  await page.getByLabel('Business name').fill('Winter & Co')
  releaseScripts()
  await waitForHydration(page)
  await page.getByRole('complementary').getByRole('link', { name: 'Clients' }).click()
  await answerLeavePrompt(page, 'Keep editing')
  await expect(page.getByLabel('Business name')).toHaveValue('Winter & Co')
})

test('the sidebar search finds a term typed before hydration', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  await coach.signIn(page.context())
  const releaseScripts = await openBeforeScripts(page, '/settings')
  const search = page.getByRole('complementary').getByRole('combobox', { name: 'Search' })
  await search.fill('grac')
  releaseScripts()
  await expect(page.getByRole('option', { name: /Grace Hopper/ })).toBeVisible()
  await search.press('e')
  await expect(search).toHaveValue('grace')
})

test('the branding preview shows values typed before hydration', async ({ page, app }) => {
  const coach = await app.createCoach()
  await coach.signIn(page.context())
  const releaseScripts = await openBeforeScripts(page, '/branding')
  await page.getByLabel('Hex value').fill('#0f766e')
  await page.getByLabel('Web address').fill('grace-and-co')
  releaseScripts()
  await expect(page.getByRole('button', { name: '#0f766e' })).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByText(/grace-and-co\.localhost/)).toBeVisible()
  await expect(page.getByLabel('Hex value')).toHaveValue('#0f766e')
})

test('a key pressed while the data of the page is decoded does not stop hydration', async ({ page, app }) => {
  const coach = await app.createCoach()
  await coach.signIn(page.context())
  await page.addInitScript(() => {
    const { enqueue, close } = ReadableStreamDefaultController.prototype
    const released = new Promise<void>((resolve) => Object.assign(window, { releaseData: resolve }))
    ReadableStreamDefaultController.prototype.enqueue = function (chunk) {
      void released.then(() => enqueue.call(this, chunk))
    }
    ReadableStreamDefaultController.prototype.close = function () {
      void released.then(() => close.call(this))
    }
  })
  await page.goto('/dashboard')
  // Remix takes the stream when it begins to decode.
  await page.waitForFunction(() => '__remixContext' in window && !(window.__remixContext as { stream?: object }).stream)
  await page.keyboard.press('Control+k')
  await page.evaluate(() => (window as unknown as { releaseData(): void }).releaseData())
  await waitForHydration(page)
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Search' }).getByRole('combobox')).toBeFocused()
})

test('the search opens with a key pressed as soon as the page is hydrated', async ({ page, app }) => {
  const coach = await app.createCoach()
  await coach.signIn(page.context())
  // React works in time slices that it begins by messages. End the one of the first render, and hold back the next,
  // in which effects run.
  await page.addInitScript(() => {
    const { postMessage } = MessagePort.prototype
    const released = new Promise<void>((resolve) => Object.assign(window, { releaseMessages: resolve }))
    const isHydrated = () => {
      const root = Object.entries(document).find(([name]) => name.startsWith('__reactContainer$'))?.[1]
      return root?.stateNode.current.memoizedState.isDehydrated === false
    }
    MessagePort.prototype.postMessage = function (message: unknown) {
      if (isHydrated()) void released.then(() => postMessage.call(this, message))
      else postMessage.call(this, message)
    }
    const { now } = Performance.prototype
    Performance.prototype.now = function () {
      return now.call(this) + (isHydrated() ? 100 : 0)
    }
  })
  await page.goto('/dashboard')
  await waitForHydration(page)
  await page.keyboard.press('Control+k')
  await page.evaluate(() => (window as unknown as { releaseMessages(): void }).releaseMessages())
  await expect(page.getByRole('dialog', { name: 'Search' }).getByRole('combobox')).toBeFocused()
})

test('a person chosen by key before hydration stays chosen, and the combobox has the focus', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Ada Lovelace' }, { name: 'Grace Hopper' }] })
  await coach.signIn(page.context())
  const releaseScripts = await openBeforeScripts(page, '/payments?dialog=create')
  await page.getByLabel('Client', { exact: true }).focus()
  await page.keyboard.press('g')
  releaseScripts()
  const client = page.getByRole('combobox', { name: 'Client', exact: true }).and(page.locator('input'))
  await expect(client).toBeFocused()
  await expect(client).toHaveValue('Grace Hopper')
})
