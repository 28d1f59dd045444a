import type { Locator, Page } from '@playwright/test'
import { NewProspect } from '#modules/pipeline/forms.ts'
import { createProspect } from '#modules/pipeline/services/prospects.ts'
import { pickUpByKeyboard } from '#tests/e2e/support/keyboard-drag.ts'
import { mainFlow } from '#tests/e2e/support/main-flow.ts'
import { holdRequests } from '#tests/e2e/support/network.ts'
import { type Coach, contextFor, expect, inTenant, test } from '#tests/e2e/support/test-app.ts'
import { phone } from '#tests/e2e/support/screens.ts'
import { waitForHydration, waitForIdle } from '#tests/e2e/support/wait-for-idle.ts'
import { expectNoLongTasks } from '#tests/e2e/support/frame-timing.ts'

type NewProspectFields = { name: string; stageId?: string } & Record<string, unknown>

async function openBoard(coach: Coach, page: Page, prospects: NewProspectFields[]): Promise<void> {
  await inTenant(coach, async (ctx) => {
    for (const prospect of prospects)
      await createProspect(ctx, NewProspect.parse({ stageId: 'lead', email: 'somebody@example.com', ...prospect }))
  })
  await coach.signIn(page.context())
  await page.goto('/pipeline')
  await waitForHydration(page)
}

const stage = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })
const cardsIn = (page: Page, name: string): Locator => stage(page, name).getByRole('heading', { level: 3 })
const card = (page: Page, name: string): Locator =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name, exact: true }) })

/** Reads the board from the database: stage → names in order. */
async function getStoredBoard(coach: Coach): Promise<Record<string, string[]>> {
  const rows = await (await contextFor(coach)).query<{ stage: string; names: string[] }>({
    name: 'test.board',
    text: `select s.name as stage, array_agg(p.name order by p.position, p.id) as names
      from prospect p join pipeline_stage s on s.coach_id = p.coach_id and s.id = p.stage_id
      where p.deleted_at is null group by s.name`,
  })
  return Object.fromEntries(rows.map(({ stage: name, names }) => [name, names]))
}

async function drag(page: Page, from: Locator, to: { x: number; y: number }): Promise<void> {
  const box = (await from.boundingBox())!
  await page.mouse.move(box.x + 120, box.y + 60)
  await page.mouse.down()
  await page.mouse.move(box.x + 124, box.y + 64)
  await page.mouse.move(to.x, to.y, { steps: 12 })
}
const getCenter = async (locator: Locator): Promise<{ x: number; y: number }> => {
  const { x, y, width, height } = (await locator.boundingBox())!
  return { x: x + width / 2, y: y + height / 2 }
}

async function convertIn(page: Page, stageName: string): Promise<void> {
  await stage(page, stageName).getByRole('button', { name: 'Convert to Client' }).click()
}

test('a card is moved by mouse, within its stage and to a position in another', async ({ page, app }) => {
  const coach = await app.createCoach()
  await openBoard(coach, page, [
    { name: 'Ada' },
    { name: 'Bea' },
    { name: 'Cleo' },
    { name: 'Dora', stageId: 'qualified' },
    { name: 'Eve', stageId: 'qualified' },
  ])

  await drag(page, card(page, 'Bea'), await getCenter(card(page, 'Eve')))
  await expect(page.locator('.pcard.is-dragging')).toBeVisible()
  await expect(stage(page, 'Qualified')).toHaveClass(/is-over/)
  await page.mouse.up()
  await expect(cardsIn(page, 'Qualified')).toHaveText(['Dora', 'Bea', 'Eve'])
  await expect(stage(page, 'Qualified').getByRole('heading', { level: 2 }).locator('~ span').first()).toContainText('3')

  await drag(page, card(page, 'Cleo'), await getCenter(card(page, 'Ada')))
  await page.mouse.up()
  await expect(cardsIn(page, 'Lead')).toHaveText(['Cleo', 'Ada'])
  await expect.poll(() => getStoredBoard(coach)).toEqual({ Lead: ['Cleo', 'Ada'], Qualified: ['Dora', 'Bea', 'Eve'] })
  await page.reload()
  await expect(cardsIn(page, 'Qualified')).toHaveText(['Dora', 'Bea', 'Eve'])

  await drag(page, card(page, 'Ada'), await getCenter(stage(page, 'Proposal')))
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expect(cardsIn(page, 'Lead')).toHaveText(['Cleo', 'Ada'])
})

test('a click that moves less than three pixels opens the card', async ({ page, app }) => {
  await openBoard(await app.createCoach(), page, [{ name: 'Ada' }])
  await page.getByRole('link', { name: 'Ada', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Edit Prospect' })).toBeVisible()
})

test('a stage is moved by mouse and from its menu', async ({ page, app }) => {
  await openBoard(await app.createCoach(), page, [{ name: 'Ada' }])
  let saved = 0
  page.on('response', (response) => {
    if (response.request().method() === 'POST' && response.ok()) saved++
  })
  const names = page.getByRole('main').getByRole('heading', { level: 2 })
  const getNextX = async () => (await stage(page, 'Qualified').boundingBox())!.x
  const nextX = await getNextX()
  const from = await getCenter(stage(page, 'Lead').getByRole('heading', { level: 2 }))
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + 5, from.y)
  // One column and its gap further.
  await page.mouse.move(from.x + 340, from.y, { steps: 15 })
  await expect.poll(getNextX, 'the next stage makes room').toBeLessThan(nextX)
  await page.mouse.up()
  await expect(names).toHaveText(['Qualified', 'Lead', 'Proposal', 'Negotiation', 'Closed Won'])
  await page.getByRole('button', { name: 'Actions for Qualified' }).click()
  await page.getByRole('menuitem', { name: 'Move right' }).click()
  await expect(names).toHaveText(['Lead', 'Qualified', 'Proposal', 'Negotiation', 'Closed Won'])
  await expect.poll(() => saved).toBe(2)
  await page.reload()
  await expect(names).toHaveText(['Lead', 'Qualified', 'Proposal', 'Negotiation', 'Closed Won'])
})

test('a card is moved by keyboard, and each step is announced', async ({ page, app }) => {
  const coach = await app.createCoach()
  await openBoard(coach, page, [
    { name: 'Ada' },
    { name: 'Bea' },
    { name: 'Dora', stageId: 'qualified' },
    { name: 'Eve', stageId: 'qualified' },
  ])
  const announcement = page.locator('[id^="DndLiveRegion"]')
  const bea = page.getByRole('link', { name: 'Bea', exact: true })
  await pickUpByKeyboard(page, bea, /^Bea is picked up in Lead, position 2 of 2/)
  await page.keyboard.press('ArrowRight')
  await expect(announcement).toHaveText('Bea is over Qualified, position 2 of 3. Space to drop, Escape to cancel.')
  await page.keyboard.press('ArrowUp')
  await expect(announcement).toHaveText(/position 1 of 3/)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(announcement).toHaveText(/position 3 of 3/)
  await page.keyboard.press('Space')
  await expect(announcement).toHaveText('Bea was dropped in Qualified, position 3.')
  await expect(cardsIn(page, 'Qualified')).toHaveText(['Dora', 'Eve', 'Bea'])
  await expect(bea).toBeFocused()
  await expect.poll(() => getStoredBoard(coach)).toEqual({ Lead: ['Ada'], Qualified: ['Dora', 'Eve', 'Bea'] })

  await pickUpByKeyboard(page, bea, /^Bea is picked up in Qualified/)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Escape')
  await expect(announcement).toHaveText('Move cancelled.')
  await expect(cardsIn(page, 'Qualified')).toHaveText(['Dora', 'Eve', 'Bea'])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Edit Prospect' })).toBeVisible()
})

test('a card is moved to another stage from its menu', async ({ page, app }) => {
  const coach = await app.createCoach()
  await openBoard(coach, page, [{ name: 'Ada' }])
  await page.getByRole('button', { name: 'Actions for Ada' }).click()
  await expect(page.getByRole('menuitem', { name: 'Move to Lead' })).toHaveCount(0)
  await page.getByRole('menuitem', { name: 'Move to Proposal' }).click()
  await expect(cardsIn(page, 'Proposal')).toHaveText(['Ada'])
  await expect.poll(() => getStoredBoard(coach)).toEqual({ Proposal: ['Ada'] })
})

test('a card is moved by touch after a long press', async ({ newContext, app, browserErrors }) => {
  const coach = await app.createCoach()
  const context = await newContext({ viewport: phone, hasTouch: true, isMobile: true, baseURL: coach.origin })
  const page = await context.newPage()
  browserErrors.watch(page)
  await openBoard(coach, page, [{ name: 'Ada' }, { name: 'Bea' }])
  const client = await context.newCDPSession(page)
  const touch = (type: string, point?: { x: number; y: number }) =>
    client.send('Input.dispatchTouchEvent', { type: type as 'touchStart', touchPoints: point ? [point] : [] })
  const from = await getCenter(card(page, 'Ada'))

  await touch('touchStart', from)
  await expect(page.locator('.pcard.is-dragging')).toBeVisible()
  const to = { x: phone.width - 8, y: from.y }
  for (let step = 1; step <= 10; step++)
    await touch('touchMove', { x: from.x + ((to.x - from.x) * step) / 10, y: from.y })
  // At the edge the board scrolls to the next stage.
  await expect(stage(page, 'Qualified')).toHaveClass(/is-over/)
  await touch('touchEnd')
  await expect(cardsIn(page, 'Lead')).toHaveText(['Bea'])
  await expect.poll(() => getStoredBoard(coach)).toMatchObject({ Lead: ['Bea'] })
})

test('a move without a response is undone and blocks no form', async ({ page, app }) => {
  const coach = await app.createCoach()
  await page.clock.install()
  await openBoard(coach, page, [{ name: 'Ada' }, { name: 'Bea' }])
  const asked = page.waitForRequest('**/api/prospects/*')
  await page.route('**/api/prospects/*', () => {})
  await drag(page, card(page, 'Ada'), await getCenter(stage(page, 'Qualified')))
  await page.mouse.up()
  await asked
  await expect(cardsIn(page, 'Qualified')).toHaveText(['Ada'])
  await page.getByRole('link', { name: 'Bea', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Company').fill('Acme')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.clock.fastForward(20_000)
  await expect(card(page, 'Bea')).toContainText('Acme')
  await expect(cardsIn(page, 'Lead')).toContainText(['Ada', 'Bea'])
})

test('after a saved move whose reload failed the board is read again, and shows what others changed', async ({
  page,
  app,
  browserErrors,
}) => {
  const coach = await app.createCoach()
  await page.clock.install()
  await openBoard(coach, page, [{ name: 'Ada' }])
  await page.route('**/api/user', (route) => route.abort())
  const failed = page
    .waitForResponse((response) => response.request().method() === 'PATCH')
    .then(() => page.waitForEvent('requestfailed'))
  await drag(page, card(page, 'Ada'), await getCenter(stage(page, 'Proposal')))
  await page.mouse.up()
  await failed
  await expect(cardsIn(page, 'Proposal')).toHaveText(['Ada'])
  await inTenant(coach, (ctx) =>
    ctx.query({
      name: 'test.move-ada',
      text: `update prospect set stage_id = (select id from pipeline_stage where name = 'Qualified') where name = 'Ada'`,
    }),
  )
  await page.unroute('**/api/user')
  await page.clock.fastForward(10_000)
  await expect(cardsIn(page, 'Qualified')).toHaveText(['Ada'])
  await expect(cardsIn(page, 'Proposal')).toHaveText([])
  browserErrors.ignore(/ERR_FAILED/)
})

test('a move that the server rejects is undone with a toast', async ({ page, app, browserErrors }) => {
  const coach = await app.createCoach()
  await openBoard(coach, page, [{ name: 'Ada' }, { name: 'Bea' }])
  const release = await holdRequests(page, '**/api/prospects/*', (route) =>
    route.fulfill({ status: 500, json: { message: 'no', code: 'internal' } }),
  )
  await drag(page, card(page, 'Ada'), await getCenter(stage(page, 'Qualified')))
  await page.mouse.up()
  await expect(cardsIn(page, 'Qualified')).toHaveText(['Ada'])
  release()
  await expect(page.getByRole('alert')).toContainText('ErrorFailed to move prospect. Please try again.')
  await expect(cardsIn(page, 'Lead')).toHaveText(['Ada', 'Bea'])
  await expect(cardsIn(page, 'Qualified')).toHaveText([])
  expect(await getStoredBoard(coach)).toEqual({ Lead: ['Ada', 'Bea'] })

  await page.unroute('**/api/prospects/*')
  await page.route('**/api/prospects/*', (route) => route.abort())
  await drag(page, card(page, 'Bea'), await getCenter(stage(page, 'Proposal')))
  await page.mouse.up()
  await expect(cardsIn(page, 'Lead')).toHaveText(['Ada', 'Bea'])

  // The reason is shown if there is one.
  await page.unroute('**/api/prospects/*')
  await page.route('**/api/prospects/*', (route) =>
    route.fulfill({ status: 403, json: { message: 'You may not do this', code: 'forbidden' } }),
  )
  await drag(page, card(page, 'Bea'), await getCenter(stage(page, 'Proposal')))
  await page.mouse.up()
  await expect(
    page.getByRole('alert').filter({ hasText: 'Failed to update prospect: 403 - You may not do this' }),
  ).toBeVisible()
  await expect(cardsIn(page, 'Lead')).toHaveText(['Ada', 'Bea'])

  const names = page.getByRole('main').getByRole('heading', { level: 2 })
  const before = ['Lead', 'Qualified', 'Proposal', 'Negotiation', 'Closed Won']
  const reject = await holdRequests(page, '**/api/pipeline/stages/reorder', (route) =>
    route.fulfill({ status: 500, json: { message: 'no', code: 'internal' } }),
  )
  await page.getByRole('button', { name: 'Actions for Lead' }).click()
  await page.getByRole('menuitem', { name: 'Move right' }).click()
  await expect(names).toHaveText(['Qualified', 'Lead', 'Proposal', 'Negotiation', 'Closed Won'])
  reject()
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to reorder stages. Please try again.' })).toBeVisible()
  await expect(names).toHaveText(before)
  await page.reload()
  await expect(names).toHaveText(before)
  browserErrors.ignore(/500|403|ERR_FAILED/)
})

test('two tabs show the same board, and a prospect removed in one is reported in the other', async ({
  page,
  app,
  context,
  browserErrors,
}) => {
  const coach = await app.createCoach()
  await openBoard(coach, page, [{ name: 'Ada' }, { name: 'Bea' }])
  const other = await context.newPage()
  await other.goto('/pipeline')
  await waitForHydration(other)
  await drag(other, card(other, 'Ada'), await getCenter(stage(other, 'Qualified')))
  await other.mouse.up()
  await expect(cardsIn(page, 'Qualified')).toHaveText(['Ada'])

  // Deleted elsewhere, unknown to this tab.
  await inTenant(coach, (ctx) =>
    ctx.query({ name: 'test.delete-bea', text: `update prospect set deleted_at = now() where name = 'Bea'` }),
  )
  await drag(page, card(page, 'Bea'), await getCenter(stage(page, 'Proposal')))
  await page.mouse.up()
  await expect(page.getByRole('alert')).toContainText('Bea was deleted or converted.')
  await expect(card(page, 'Bea')).toHaveCount(0)
  await expect(cardsIn(page, 'Proposal')).toHaveText([])
  browserErrors.ignore(/404/)
})

mainFlow('a prospect is added, edited, deleted, restored and converted', async ({ page, app }) => {
  const coach = await app.createCoach()
  await openBoard(coach, page, [])
  await page.goto('/pipeline?openProspectModal=true')
  await waitForHydration(page)
  await expect(page).not.toHaveURL(/openProspectModal/)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add Prospect' }).click()
  await dialog.getByLabel('Name', { exact: true }).fill('Leila Haddad')
  await dialog.getByLabel('Company').fill('Saffron Table')
  await dialog.getByLabel('Value').fill('3,600.50')
  await dialog.getByLabel('Probability').fill('40')
  await dialog.getByLabel('Stage', { exact: true }).selectOption('Closed Won')
  await dialog.getByRole('button', { name: 'Add Prospect' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Prospect created' })).toBeVisible()
  await expect(stage(page, 'Closed Won')).toContainText('$3,600.50')
  await expect(page.getByText('1 prospect, $3,600.50 in total, $1,440 weighted')).toBeVisible()

  // A client needs an email address: the link leads to its field.
  await convertIn(page, 'Closed Won')
  await expect(page.getByRole('alert')).toContainText('Add an email address first')
  await expect(dialog.getByLabel('Email')).toBeFocused()
  await dialog.getByLabel('Email').fill('leila@example.com')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Prospect updated' })).toBeVisible()

  await page.getByRole('button', { name: 'Actions for Leila Haddad' }).click()
  await page.getByRole('menuitem', { name: 'Delete Prospect' }).click()
  await dialog.getByRole('button', { name: 'Delete Prospect' }).click()
  await expect(card(page, 'Leila Haddad')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(card(page, 'Leila Haddad')).toBeVisible()

  await page.getByRole('link', { name: 'Leila Haddad', exact: true }).click()
  await expect(dialog.getByRole('region', { name: 'Activity' })).toContainText('Moved to the trash')
  await dialog.getByRole('link', { name: 'Cancel' }).click()
  await convertIn(page, 'Closed Won')
  await expect(page.getByText('Leila Haddad is a client now.')).toBeVisible()
  await expect(card(page, 'Leila Haddad')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Conversion undone')).toBeVisible()
  await expect(cardsIn(page, 'Closed Won')).toHaveText(['Leila Haddad'])
  await convertIn(page, 'Closed Won')
  await expect(page.getByText('Leila Haddad is a client now.')).toBeVisible()
  await page.getByRole('link', { name: 'View client' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Leila Haddad' })).toBeVisible()
  await expect(page.getByText('Leila Haddad is a client now.')).toHaveCount(0)
})

test('a conversion right after a move waits for the move', async ({ page, app }) => {
  const coach = await app.createCoach()
  await openBoard(coach, page, [{ name: 'Ada', stageId: 'negotiation' }])
  const release = await holdRequests(page, '**/api/prospects/*')
  const announcement = page.locator('[id^="DndLiveRegion"]')
  const ada = page.getByRole('link', { name: 'Ada', exact: true })
  await pickUpByKeyboard(page, ada, /^Ada is picked up in Negotiation/)
  await page.keyboard.press('ArrowRight')
  await expect(announcement).toHaveText(/^Ada is over Closed Won/)
  await page.keyboard.press('Space')
  await convertIn(page, 'Closed Won')
  release()
  await expect(page.getByText('Ada is a client now.')).toBeVisible()
  const told = await (await contextFor(coach)).query<{ type: string }>({
    name: 'test.told',
    text: 'select type from pipeline_activity order by id',
  })
  expect(told.map(({ type }) => type).slice(-2)).toEqual(['moved', 'converted'])
})

test("a conversion over the plan's limit keeps the prospect and links to the upgrade page", async ({ page, app }) => {
  await openBoard(await app.createCoach({ plan: 'free', clients: [{ name: 'Grace Hopper' }] }), page, [
    { name: 'Ada', stageId: 'closed_won' },
  ])
  await convertIn(page, 'Closed Won')
  const told = page.getByRole('alert').filter({ hasText: 'Your Free plan includes 1 client.' })
  await expect(told).toBeVisible()
  await expect(cardsIn(page, 'Closed Won')).toHaveText(['Ada'])
  await told.getByRole('link', { name: 'Upgrade Plan' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Upgrade' })).toBeVisible()
})

test('a second tab that saves is warned, and an unchanged form moves nothing back', async ({ page, app, context }) => {
  const coach = await app.createCoach()
  await openBoard(coach, page, [{ name: 'Ada' }])
  const other = await context.newPage()
  for (const tab of [page, other]) {
    await tab.goto('/pipeline')
    await waitForHydration(tab)
    await tab.getByRole('link', { name: 'Ada', exact: true }).click()
    await tab
      .getByRole('dialog')
      .getByLabel('Company')
      .fill(tab === page ? 'Here' : 'There')
  }
  await other.getByLabel('Stage', { exact: true }).selectOption('Proposal')
  await other.getByRole('button', { name: 'Save' }).click()
  await expect(cardsIn(other, 'Proposal')).toHaveText(['Ada'])

  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('This prospect was changed in another tab.')).toBeVisible()
  await expect(dialog.getByLabel('Company')).toHaveValue('Here')
  await expect(dialog.getByLabel('Stage', { exact: true }).locator('option:checked')).toHaveText('Proposal')
  await dialog.getByRole('button', { name: 'Save mine' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Prospect updated' })).toBeVisible()
  await expect(card(page, 'Ada')).toContainText('Here')
  expect(await getStoredBoard(coach)).toEqual({ Proposal: ['Ada'] })

  // Both move it to different stages: the second tab is warned and may save its own input.
  for (const tab of [page, other]) await tab.getByRole('link', { name: 'Ada', exact: true }).click()
  await other.getByRole('dialog').getByLabel('Stage', { exact: true }).selectOption('Negotiation')
  await other.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(cardsIn(other, 'Negotiation')).toHaveText(['Ada'])
  await dialog.getByLabel('Stage', { exact: true }).selectOption('Qualified')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('This prospect was changed in another tab.')).toBeVisible()
  await expect(dialog.getByLabel('Stage', { exact: true }).locator('option:checked')).toHaveText('Qualified')
  expect(await getStoredBoard(coach)).toEqual({ Negotiation: ['Ada'] })
  await dialog.getByRole('button', { name: 'Save mine' }).click()
  await expect(cardsIn(page, 'Qualified')).toHaveText(['Ada'])
  await expect.poll(() => getStoredBoard(coach)).toEqual({ Qualified: ['Ada'] })

  // Deleted while its dialog is open: the form keeps its values and links on.
  await page.getByRole('link', { name: 'Ada', exact: true }).click()
  await dialog.getByLabel('Company').fill('Typed')
  await other.reload()
  await other.getByRole('button', { name: 'Actions for Ada' }).click()
  await other.getByRole('menuitem', { name: 'Delete Prospect' }).click()
  await other.getByRole('dialog').getByRole('button', { name: 'Delete Prospect' }).click()
  await expect(card(other, 'Ada')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toContainText('This prospect was deleted.')
  await expect(dialog.getByLabel('Company')).toHaveValue('Typed')
})

test('a second tab that edits a stage is warned, and changing only its color keeps its position', async ({
  page,
  app,
  context,
}) => {
  const coach = await app.createCoach()
  await openBoard(coach, page, [])
  const other = await context.newPage()
  await other.goto('/pipeline')
  await waitForHydration(other)
  const names = (tab: Page) => tab.locator('.pboard').getByRole('heading', { level: 2 })
  const dialog = page.getByRole('dialog')
  const open = async (tab: Page, name: string) => {
    await tab.getByRole('button', { name: `Actions for ${name}` }).click()
    await tab.getByRole('menuitem', { name: 'Edit Stage' }).click()
  }

  await open(page, 'Proposal')
  for (let turn = 0; turn < 2; turn++) {
    await other.getByRole('button', { name: 'Actions for Proposal' }).click()
    await other.getByRole('menuitem', { name: 'Move left' }).click()
  }
  await expect(names(page)).toHaveText(['Proposal', 'Lead', 'Qualified', 'Negotiation', 'Closed Won'])
  await dialog.getByLabel('Color').fill('#123456')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Stage updated' })).toBeVisible()
  await expect(names(page)).toHaveText(['Proposal', 'Lead', 'Qualified', 'Negotiation', 'Closed Won'])

  await open(page, 'Lead')
  await open(other, 'Lead')
  await other.getByRole('dialog').getByLabel('Name').fill('There')
  await other.getByRole('dialog').getByLabel('Position').selectOption('After Closed Won')
  await other.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(names(other)).toHaveText(['Proposal', 'Qualified', 'Negotiation', 'Closed Won', 'There'])
  await dialog.getByLabel('Name').fill('Here')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('This stage was changed in another tab.')).toBeVisible()
  await expect(dialog.getByLabel('Name')).toHaveValue('Here')
  await expect(dialog.getByLabel('Position').locator('option:checked')).toHaveText('After Closed Won')
  await dialog.getByRole('button', { name: 'Save mine' }).click()
  await expect(names(page)).toHaveText(['Proposal', 'Qualified', 'Negotiation', 'Closed Won', 'Here'])
})

test('after the session ended, saving a prospect shows why it fails and keeps the form', async ({
  page,
  app,
  context,
  browserErrors,
}) => {
  const coach = await app.createCoach()
  await openBoard(coach, page, [{ name: 'Ada' }])
  await page.getByRole('link', { name: 'Ada', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Company').fill('Typed')
  await context.clearCookies()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('User session invalid. Please refresh the page.').first()).toBeVisible()
  await expect(dialog.getByLabel('Company')).toHaveValue('Typed')
  await coach.signIn(context)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(card(page, 'Ada')).toContainText('Typed')
  browserErrors.ignore(/401/)
})

test('navigating to the pipeline shows its heading at once', async ({ page, app }) => {
  const coach = await app.createCoach()
  await openBoard(coach, page, [{ name: 'Ada' }])
  await page.goto('/dashboard')
  await waitForHydration(page)
  const release = await holdRequests(page, '**/pipeline.data*')
  await page.getByRole('complementary').getByRole('link', { name: 'Pipeline' }).click()
  await expect(page.getByRole('heading', { name: 'Sales Pipeline' })).toBeVisible()
  await expect(page.getByText('Loading the pipeline')).toBeAttached()
  release()
  await expect(card(page, 'Ada')).toBeVisible()
})

test('a stage is added at a position, deleted with its prospects moved, and restored with them', async ({
  page,
  app,
}) => {
  const coach = await app.createCoach()
  await openBoard(coach, page, [{ name: 'Ada' }])
  const names = page.getByRole('main').getByRole('heading', { level: 2 })
  const dialog = page.getByRole('dialog')
  await page.getByRole('link', { name: 'Add Stage' }).click()
  await dialog.getByLabel('Name').fill('Waiting')
  await dialog.getByLabel('Position').selectOption('After Lead')
  await dialog.getByRole('button', { name: 'Add Stage' }).click()
  await expect(names).toHaveText(['Lead', 'Waiting', 'Qualified', 'Proposal', 'Negotiation', 'Closed Won'])

  await page.getByRole('button', { name: 'Actions for Lead' }).click()
  await page.getByRole('menuitem', { name: 'Delete Stage' }).click()
  await expect(dialog).toContainText('This stage has 1 prospect.')
  await dialog.getByLabel('Move them to').selectOption('Proposal')
  await dialog.getByRole('button', { name: 'Delete Stage' }).click()
  await expect(names).toHaveText(['Waiting', 'Qualified', 'Proposal', 'Negotiation', 'Closed Won'])
  await expect(cardsIn(page, 'Proposal')).toHaveText(['Ada'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(cardsIn(page, 'Lead')).toHaveText(['Ada'])
})

test('the URL holds the filter, and moves in a filtered board keep the intended position', async ({ page, app }) => {
  const coach = await app.createCoach()
  await openBoard(coach, page, [
    { name: 'Ada' },
    { name: 'Hidden One' },
    { name: 'Anna' },
    { name: 'Hidden Two' },
    { name: 'Anton', stageId: 'qualified', probability: 80 },
  ])
  await page.getByRole('searchbox', { name: 'Search prospects' }).fill('ÁN')
  await expect(page.getByText('2 of 5 prospects')).toBeVisible()
  await expect(page).toHaveURL(/q=/)
  await drag(page, card(page, 'Anton'), await getCenter(card(page, 'Anna')))
  await page.mouse.up()
  await expect.poll(() => getStoredBoard(coach)).toEqual({ Lead: ['Ada', 'Hidden One', 'Anton', 'Anna', 'Hidden Two'] })
  await page.getByLabel('Probability').selectOption('75% and more')
  await expect(page.getByText('1 of 5 prospects')).toBeVisible()
  await page.getByRole('button', { name: 'Actions for Anton' }).click()
  await page.getByRole('menuitem', { name: 'Delete Prospect' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Prospect' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('1 of 5 prospects')).toBeVisible()
  await expect(page).toHaveURL(/q=.*likely=75/)
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await expect(page.getByText('5 prospects,')).toBeVisible()
  await expect(page.getByRole('searchbox', { name: 'Search prospects' })).toHaveValue('')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('prospects are read, added, edited and moved', async ({ page, app }) => {
    const coach = await app.createCoach()
    await coach.signIn(page.context())
    await page.goto('/pipeline')
    await page.getByRole('link', { name: 'Add Prospect', exact: true }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('Ada')
    await page.getByRole('dialog').getByRole('button', { name: 'Add Prospect' }).click()
    await page.getByRole('link', { name: 'Ada', exact: true }).click()
    await page.getByLabel('Stage', { exact: true }).selectOption('Proposal')
    await page.getByLabel('Next follow-up').fill('2030-03-14')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(cardsIn(page, 'Proposal')).toHaveText(['Ada'])
    await expect(stage(page, 'Proposal')).toContainText('Mar 14, 2030')
    expect(await getStoredBoard(coach)).toEqual({ Proposal: ['Ada'] })
  })
})

test('with 1,000 prospects opening, scrolling, moving and searching have no task of 100 ms', {
  tag: '@timing',
}, async ({ page, app }) => {
  const coach = await app.createCoach()
  await inTenant(coach, (ctx) =>
    ctx.query({
      name: 'test.thousand',
      text: `insert into prospect (coach_id, name, email, company, title, stage_id, position, value, probability, source, next_follow_up, created_at, updated_at)
        select $1, 'Prospect Number ' || at, 'p' || at || '@example.com', 'Company ' || at, 'Director', (select id from pipeline_stage where position = at % 5), at * 65536,
          at * 1000, at % 101, 'Source ' || at % 7, now() + make_interval(days => at % 40 - 10), now(), now() from generate_series(1, 1000) at`,
      values: [coach.id],
    }),
  )
  await coach.signIn(page.context())
  await page.goto('/dashboard')
  await waitForHydration(page)

  await expectNoLongTasks(page, 'coming to the board', async () => {
    await page.getByRole('complementary').getByRole('link', { name: 'Dashboard' }).click()
    await expect(page).toHaveURL('/dashboard')
    await page.getByRole('complementary').getByRole('link', { name: 'Pipeline' }).click()
    await expect(page.getByText('1,000 prospects,')).toBeVisible()
    await expect(card(page, 'Prospect Number 1')).toBeVisible()
  })
  await expectNoLongTasks(page, 'scrolling a stage', async () => {
    const list = page.locator('[data-list]').nth(1)
    for (const part of [0.3, 0.6, 1, 0]) {
      await list.evaluate((element, fraction) => (element.scrollTop = element.scrollHeight * fraction), part)
      await waitForIdle(page)
    }
    await expect(card(page, 'Prospect Number 1')).toBeVisible()
  })
  let turn = 0
  await expectNoLongTasks(page, 'moving a card', async () => {
    const [from, to] = turn++ % 2 ? ['Qualified', 'Lead'] : ['Lead', 'Qualified']
    await drag(
      page,
      stage(page, from).getByRole('listitem').first(),
      await getCenter(stage(page, to).getByRole('listitem').nth(1)),
    )
    await page.mouse.up()
    // Forward, and back the next time.
    await expect(stage(page, to)).toContainText(to === 'Qualified' ? '201 prospects' : '200 prospects')
    await waitForIdle(page)
  })
  await expectNoLongTasks(page, 'moving a card by keys', async () => {
    const [from, to] = turn++ % 2 ? ['Qualified', 'Lead'] : ['Lead', 'Qualified']
    await stage(page, from).getByRole('listitem').first().getByRole('link').first().focus()
    for (const key of ['Space', from === 'Lead' ? 'ArrowRight' : 'ArrowLeft']) {
      await page.keyboard.press(key)
      await waitForIdle(page)
    }
    await page.keyboard.press('Space')
    await expect(stage(page, to)).toContainText(to === 'Qualified' ? '201 prospects' : '200 prospects')
    await waitForIdle(page)
  })
  await expectNoLongTasks(page, 'opening a prospect', async () => {
    await page.getByRole('link', { name: 'Prospect Number 12', exact: true }).click()
    await expect(page.getByRole('dialog').getByLabel('Company')).toHaveValue('Company 12')
    await page.getByRole('dialog').getByRole('link', { name: 'Cancel' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
  await expectNoLongTasks(page, 'searching', async () => {
    const search = page.getByRole('searchbox', { name: 'Search prospects' })
    await search.pressSequentially('number 77')
    await expect(page.getByText('11 of 1,000 prospects')).toBeVisible()
    await search.fill('')
    await expect(page.getByText('1,000 prospects,')).toBeVisible()
  })
})
