import type { Page } from '@playwright/test'
import { NewInteraction } from '#modules/crm/forms.ts'
import { createInteraction, deleteInteraction } from '#modules/crm/services/interactions.ts'
import { deleteClient } from '#modules/crm/services/clients.ts'
import {
  type Coach,
  contextFor,
  expect,
  getClients,
  inTenant,
  test,
  type TestApp,
} from '#tests/e2e/support/test-app.ts'
import { answerLeavePrompt } from '#tests/e2e/support/leave-prompt.ts'
import { waitForHydration, waitForIdle } from '#tests/e2e/support/wait-for-idle.ts'

const ada = {
  name: 'Ada Lovelace',
  phone: '+44 20 7946 0018',
  goals: 'Write the first program',
  notes: 'She talks in *numbers*.',
  fears: 'Boredom',
}

async function openPractice(app: TestApp, page: Page): Promise<{ coach: Coach; id: number; url: string }> {
  const coach = await app.createCoach({ clients: [ada] })
  await coach.signIn(page.context())
  const [client] = await getClients(coach)
  return { coach, id: client!.id, url: `/clients/${client!.id}` }
}
const note = (
  coach: Coach,
  clientId: number,
  name: string,
  day: string,
  more: { content?: string; source?: string } = {},
) =>
  inTenant(coach, (ctx) =>
    createInteraction(
      ctx,
      clientId,
      NewInteraction.parse({ name, content: more.content, interactionDate: `${day}T17:00:00Z` }),
      { source: more.source ?? 'manual' },
    ),
  )

async function open(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await waitForHydration(page)
}
// Excludes the text area that the editor replaces.
const editor = (page: Page, name: string) =>
  page.getByRole('textbox', { name, exact: true }).and(page.locator('[contenteditable]'))
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('interactions are added, shown in the timeline, edited, deleted and restored by mouse', async ({ page, app }) => {
  const { coach, id, url } = await openPractice(app, page)
  await open(page, url)
  await page.getByRole('link', { name: 'Add interaction' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Interaction' })
  await dialog.getByRole('button', { name: 'Add Interaction' }).click()
  await expect(dialog.getByLabel('Title')).toBeFocused()
  await dialog.getByLabel('Title').fill('Session 1')
  await dialog.getByLabel('Date').fill('')
  await dialog.getByLabel('Title').press('Enter')
  await expect(dialog).toBeVisible()
  await dialog.getByLabel('Date').fill('2026-02-26')
  await dialog.getByRole('textbox', { name: 'Content' }).click()
  await page.keyboard.type('Nervous about the ')
  await dialog.getByRole('button', { name: 'Bold' }).click()
  await page.keyboard.type('salary')
  await dialog.getByRole('button', { name: 'Add Interaction' }).click()
  await expect(page.getByText('Interaction added')).toBeVisible()
  await expect(page).toHaveURL(url)
  const recent = region(page, 'Recent Contact')
  await expect(recent).toContainText('Session 1')
  await expect(recent).toContainText('Feb 26, 2026')
  await expect(recent).toContainText('Nervous about the salary')
  await expect(region(page, 'Timeline')).toContainText('Nervous about the salary')
  // Noon of that day in the coach's time zone.
  const stored = async () =>
    (await contextFor(coach)).query<{ content: string; date: Date }>({
      name: 'test.interaction',
      text: 'select content, interaction_date as date from client_interaction where deleted_at is null',
    })
  expect(await stored()).toEqual([{ content: 'Nervous about the **salary**', date: new Date('2026-02-26T17:00:00Z') }])

  await recent.getByRole('link', { name: 'Edit Session 1' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit Interaction' })
  await edit.getByLabel('Title').fill('Session 1, by phone')
  await edit.getByLabel('Date').fill('2026-02-27')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Interaction updated')).toBeVisible()
  await expect(recent).toContainText('Feb 27, 2026')

  await recent.getByRole('button', { name: 'Delete Session 1, by phone' }).click()
  await expect(page.getByText('Interaction deleted')).toBeVisible()
  await expect(recent).toContainText('No contact logged yet.')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Interaction restored')).toBeVisible()
  await expect(recent).toContainText('Session 1, by phone')
  expect(await stored()).toHaveLength(1)

  for (const [name, day, source] of [
    ['One', '2026-01-01', 'manual'],
    ['Two', '2026-01-02', 'zoom'],
    ['Reminder', '2026-03-03', 'system_notification'],
    ['Three', '2026-01-03', 'manual'],
  ] as const)
    await note(coach, id, name, day, { source })
  await page.reload()
  await expect(recent.getByRole('listitem')).toHaveText([/Session 1, by phone/, /Three/, /Two.*auto-generated/])
  await expect(region(page, 'Timeline')).toContainText('Reminder')
  await recent.getByRole('link', { name: 'View all interactions' }).click()
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Reminder',
    'Session 1, by phone',
    'Three',
    'Two',
    'One',
  ])
  await expect(page.locator('strong', { hasText: 'salary' })).toBeVisible()
  await page.getByRole('button', { name: 'Delete Reminder' }).click()
  await expect(page.getByText('Interaction deleted')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('heading', { level: 2, name: 'Reminder' })).toBeVisible()
  await expect(page).toHaveURL(`${url}/interactions`)
})

test('the timeline groups everything by day, filters by kind, and loads more', async ({ page, app }) => {
  const { coach, id, url } = await openPractice(app, page)
  for (let day = 1; day <= 28; day++) await note(coach, id, `Note ${day}`, `2026-02-${String(day).padStart(2, '0')}`)
  await inTenant(coach, async (ctx) => {
    const { createProduct: addProduct } = await import('#modules/billing/services/products.ts')
    const { createPurchase } = await import('#modules/billing/services/purchases.ts')
    const { NewProduct, NewPurchase } = await import('#modules/billing/forms.ts')
    const product = await addProduct(ctx, NewProduct.parse({ name: 'Career Reset', price: '960.00' }))
    await createPurchase(
      ctx,
      NewPurchase.parse({
        clientId: id,
        productId: product.id,
        amount: 96000,
        paymentMethod: 'cash',
        purchaseDate: '2026-02-28T15:00:00Z',
        notes: '5 * 3 * 2',
      }),
    )
  })
  await open(page, url)
  const timeline = region(page, 'Timeline')
  const entries = timeline.getByRole('listitem')
  await expect(entries.first()).toContainText('Client added')
  await expect(region(page, 'Feb 28, 2026').getByRole('listitem')).toHaveText([
    /Note 28/,
    /Career Reset, \$960\.00.*Completed, cash\. 5 \* 3 \* 2/,
  ])
  await expect(entries).toHaveCount(15)
  await timeline.getByRole('link', { name: 'Show more' }).click()
  await expect(entries).toHaveCount(30)
  await expect(timeline.getByRole('link', { name: 'Show more' })).toHaveCount(0)
  await timeline.getByRole('link', { name: 'Purchases' }).click()
  await expect(entries).toHaveCount(1)
  await expect(page).toHaveURL(/kind=purchase/)
  await timeline.getByRole('link', { name: 'Interactions' }).click()
  await expect(entries).toHaveCount(15)
  await timeline.getByRole('link', { name: 'Note 20' }).click()
  await expect(page.getByRole('dialog', { name: 'Edit Interaction' }).getByLabel('Title')).toHaveValue('Note 20')
})

test('the client page is edited, validated and saved by keyboard', async ({ page, app }) => {
  const { coach, url } = await openPractice(app, page)
  await open(page, url)
  await page.getByRole('main').getByRole('link', { name: 'Edit', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${url}?edit`)
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  await expect(editor(page, 'Past Failures')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('   ')
  for (const field of ['Email', 'Phone', 'Location', 'Profession']) {
    await page.keyboard.press('Tab')
    await expect(page.getByLabel(field, { exact: true })).toBeFocused()
  }
  await page.keyboard.type('Mathematician')
  for (const field of ['Time zone', 'Program type', 'Tags', 'Status']) {
    await page.keyboard.press('Tab')
    await expect(page.getByLabel(field, { exact: true })).toBeFocused()
  }
  await page.keyboard.press('Tab')
  await expect(page.getByRole('spinbutton', { name: 'Progress' })).toBeFocused()
  await page.keyboard.type('45')
  // Each editor has two tab stops: its toolbar and the text.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(editor(page, 'Client Goals')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(editor(page, 'Session Notes & Observations')).toBeFocused()
  // Right after focus the editor restores its caret once more.
  await waitForIdle(page)
  await expect(async () => {
    await page.keyboard.press('ControlOrMeta+End')
    expect(await beforeCaret(page)).toBe('She talks in numbers.')
  }).toPass()
  await page.keyboard.press('Enter')
  await page.keyboard.type('# Next')
  await page.keyboard.press('Enter')
  for (const [key, word] of [
    ['b', 'bold'],
    ['i', 'italic'],
    ['u', 'under'],
  ] as const) {
    await page.keyboard.press(`ControlOrMeta+${key}`)
    await page.keyboard.type(word)
    await page.keyboard.press(`ControlOrMeta+${key}`)
    await page.keyboard.type(' ')
  }
  await page.keyboard.type('gone')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(editor(page, 'Session Notes & Observations')).not.toContainText('gone')
  await page.keyboard.press('ControlOrMeta+Shift+z')
  await expect(editor(page, 'Session Notes & Observations')).toContainText('gone')
  await page.getByRole('button', { name: 'Save', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Name is required')).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  await expect(page.getByLabel('Profession')).toHaveValue('Mathematician')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Ada King')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Client changes saved successfully.')).toBeVisible()
  await expect(page).toHaveURL(url)
  await expect(page.getByRole('heading', { level: 1, name: 'Ada King' })).toBeVisible()
  await expect(page.getByText('45%')).toBeVisible()
  const [stored] = await (await contextFor(coach)).query<{ notes: string; fears: string }>({
    name: 'test.words',
    text: 'select notes, fears from client',
  })
  expect(stored).toMatchObject({
    fears: 'Boredom',
    notes: expect.stringMatching(/^She talks in \*numbers\*\.\n# Next\n\*\*bold\*\* \*italic\* __under__ gone$/),
  })
})

/** Returns the text before the caret. */
function beforeCaret(page: Page): Promise<string> {
  return editor(page, 'Session Notes & Observations').evaluate((element) => {
    const { focusNode, focusOffset } = getSelection()!
    if (!focusNode || !element.contains(focusNode)) return ''
    const range = document.createRange()
    range.selectNodeContents(element)
    range.setEnd(focusNode, focusOffset)
    return range.toString()
  })
}

test('a progress that is not a number counts as 0', async ({ page, app }) => {
  const { url } = await openPractice(app, page)
  await open(page, `${url}?edit`)
  await page.getByRole('spinbutton', { name: 'Progress' }).fill('')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Client changes saved successfully.')).toBeVisible()
  await expect(page.getByText('0%', { exact: true })).toBeVisible()
})

test('leaving with unsaved changes asks for confirmation, inside the app and outside', async ({ page, app }) => {
  const { url } = await openPractice(app, page)
  await open(page, `${url}?edit`)
  await expect(editor(page, 'Session Notes & Observations')).toBeVisible()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(url)

  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await editor(page, 'Session Notes & Observations').fill('Half a thought')
  for (const leave of [
    () => page.getByRole('link', { name: 'Cancel' }).click(),
    () => page.getByRole('link', { name: 'Products' }).first().click(),
  ]) {
    await leave()
    await answerLeavePrompt(page, 'Keep editing')
    await expect(editor(page, 'Session Notes & Observations')).toHaveText('Half a thought')
  }
  const closing = page.waitForEvent('dialog').then(async (dialog) => [dialog.type(), await dialog.dismiss()])
  await page.close({ runBeforeUnload: true })
  expect((await closing)[0]).toBe('beforeunload')
  await page.getByRole('link', { name: 'Cancel' }).click()
  await answerLeavePrompt(page, 'Discard')
  await expect(page).toHaveURL(url)
  await expect(page.getByText('Half a thought')).toHaveCount(0)
})

test('a second tab is warned, resolves each field, and no change is lost', async ({ page, app }) => {
  const { coach, url } = await openPractice(app, page)
  await open(page, `${url}?edit`)
  const second = await page.context().newPage()
  await open(second, `${url}?edit`)
  await page.getByLabel('Phone').fill('first phone')
  await page.getByLabel('Time zone').selectOption({ label: 'Rome' })
  await editor(page, 'Client Goals').fill('Goals of the first')
  await editor(page, 'Session Notes & Observations').fill('Notes of the first')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Client changes saved successfully.')).toBeVisible()

  await second.getByLabel('Phone').fill('second phone')
  await second.getByLabel('Location').fill('Turin')
  // A custom program, which this tab's list doesn't have.
  await inTenant(coach, (ctx) =>
    ctx.query({
      name: 'test.own-program',
      text: `update client set program = 'Analytical Engines', version = version + 1`,
    }),
  )
  await editor(second, 'Session Notes & Observations').fill('Notes of the second')
  await second.getByRole('button', { name: 'Save', exact: true }).click()
  const notice = second
    .getByRole('alert')
    .filter({ hasText: 'This client was changed in another tab while you were editing.' })
  await expect(notice).toBeVisible()
  await expect(notice).toBeFocused()
  await expect(notice.getByRole('group')).toHaveCount(6)
  // Fields changed only in the first tab are taken over; those changed in both wait for a choice.
  await expect(notice.getByRole('group', { name: 'Client Goals' }).getByLabel('Saved version')).toBeChecked()
  await expect(editor(second, 'Client Goals')).toHaveText('Goals of the first')
  await expect(notice.getByRole('group', { name: 'Location' }).getByLabel('Your version')).toBeChecked()
  const notes = notice.getByRole('group', { name: 'Session Notes & Observations' })
  await expect(notes.getByLabel('Your version')).toBeChecked()
  await expect(notes).toContainText('Notes of the first')
  await notes.getByLabel('Saved version').check()
  await expect(editor(second, 'Session Notes & Observations')).toHaveText('Notes of the first')
  await notes.getByLabel('Your version').check()
  await expect(editor(second, 'Session Notes & Observations')).toHaveText('Notes of the second')
  await editor(second, 'Session Notes & Observations').fill('Notes of both')
  await second.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(second.getByText('Client changes saved successfully.')).toBeVisible()
  const [stored] = await (await contextFor(coach)).query({
    name: 'test.both',
    text: 'select phone, location, timezone, program, goals, notes, fears from client',
  })
  expect(stored).toEqual({
    phone: 'second phone',
    location: 'Turin',
    timezone: 'Europe/Rome',
    program: 'Analytical Engines',
    goals: 'Goals of the first',
    notes: 'Notes of both',
    fears: 'Boredom',
  })
})

test('a second tab that edits the same interaction is warned, and keeps what it left alone', async ({ page, app }) => {
  const { coach, id, url } = await openPractice(app, page)
  const { id: interaction } = await note(coach, id, 'Session 1', '2026-03-01', { content: 'old' })
  const dialogAt = `${url}?dialog=interaction&interaction=${interaction}`
  await open(page, dialogAt)
  const second = await page.context().newPage()
  await open(second, dialogAt)
  await page.getByLabel('Title').fill('First title')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Interaction updated')).toBeVisible()
  await second.getByRole('textbox', { name: 'Content' }).fill('new')
  await second.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(second.getByText('This interaction was changed in another tab.')).toBeVisible()
  await expect(second.getByRole('textbox', { name: 'Content' })).toHaveText('new')
  await expect(second.getByRole('textbox', { name: 'Title' })).toHaveValue('First title')
  await second.getByRole('button', { name: 'Save mine' }).click()
  await expect(second.getByText('Interaction updated')).toBeVisible()
  const [stored] = await (await contextFor(coach)).query({
    name: 'test.interaction-both',
    text: 'select name, content from client_interaction',
  })
  expect(stored).toEqual({ name: 'First title', content: 'new' })
})

test('a record deleted in another tab: a message, a link, and the form keeps its values', async ({ page, app }) => {
  const { coach, id, url } = await openPractice(app, page)
  const { id: interaction } = await note(coach, id, 'Session 1', '2026-03-01')
  await open(page, `${url}?dialog=interaction&interaction=${interaction}`)
  await page.getByRole('textbox', { name: 'Content' }).fill('Typed')
  await inTenant(coach, (ctx) => deleteInteraction(ctx, { clientId: id, id: interaction }))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('This interaction was deleted.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Content' })).toHaveText('Typed')
  await expect(page.getByRole('link', { name: 'Restore it from the trash' })).toHaveAttribute('href', '/trash')
  page.once('dialog', (dialog) => dialog.accept())
  await page.goto(`${url}?dialog=interaction&interaction=${interaction}`)
  await page.getByRole('link', { name: 'Open trash' }).click()
  await page.getByRole('button', { name: 'Restore Session 1' }).click()
  await expect(page.getByText('Interaction restored')).toBeVisible()

  await open(page, `${url}?edit`)
  await editor(page, 'Session Notes & Observations').fill('A long thought')
  await inTenant(coach, (ctx) => deleteClient(ctx, id))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('This client was deleted.')).toBeVisible()
  await expect(editor(page, 'Session Notes & Observations')).toHaveText('A long thought')
  const trash = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Restore it from the trash' }).click()
  const other = await trash
  await other.getByRole('button', { name: 'Restore Ada Lovelace' }).click()
  await expect(other.getByText('Client restored')).toBeVisible()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Client changes saved successfully.')).toBeVisible()
  await expect(page.getByText('A long thought')).toBeVisible()
})

test('a save that does not reach the server changes nothing on the page', async ({ page, app, browserErrors }) => {
  const { url } = await openPractice(app, page)
  await open(page, `${url}?edit`)
  await editor(page, 'Session Notes & Observations').fill('Written on a train')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Failed to save client changes.').first()).toBeVisible()
  await expect(editor(page, 'Session Notes & Observations')).toHaveText('Written on a train')
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Client changes saved successfully.')).toBeVisible()
  await expect(page.getByText('Written on a train')).toBeVisible()
  browserErrors.ignore(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
})

test('archiving without a connection shows the failure and keeps the page', async ({ page, app, browserErrors }) => {
  const { url } = await openPractice(app, page)
  await open(page, url)
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await expect(page.getByText('Failed to archive client. Please try again.').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'More actions' })).toBeVisible()
  await page.context().setOffline(false)
  browserErrors.ignore(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
})

test.describe('by touch, 390 pixels wide', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('a coach logs a call and edits the notes', async ({ page, app }) => {
    const { url } = await openPractice(app, page)
    await open(page, url)
    await page.getByRole('link', { name: 'Add interaction' }).tap()
    await page.getByLabel('Title').fill('Call from the car')
    await page.getByRole('textbox', { name: 'Content' }).tap()
    await page.getByRole('toolbar').getByRole('button', { name: 'Highlight' }).tap()
    await page.keyboard.type('said yes')
    await page.getByRole('button', { name: 'Add Interaction' }).tap()
    await expect(page.getByText('Interaction added')).toBeVisible()
    await expect(region(page, 'Recent Contact')).toContainText('said yes')

    await page.getByRole('main').getByRole('link', { name: 'Edit', exact: true }).tap()
    await editor(page, 'Session Notes & Observations').tap()
    await page.keyboard.press('ControlOrMeta+End')
    await page.keyboard.type(' She decided.')
    // Save stays visible while scrolling.
    await editor(page, 'Past Failures').tap()
    await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeInViewport()
    await page.getByRole('button', { name: 'Save', exact: true }).tap()
    await expect(page.getByText('Client changes saved successfully.')).toBeVisible()
    await expect(page.getByText('She decided.')).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('interactions are validated, added, edited, deleted and restored; a second tab resolves a conflict', async ({
    page,
    app,
  }) => {
    const { coach, url } = await openPractice(app, page)
    await page.goto(url)
    await page.getByRole('link', { name: 'Add interaction' }).click()
    await page.getByLabel('Title').fill('   ')
    await page.getByRole('textbox', { name: 'Content' }).fill('• one\n**two**')
    await page.getByRole('button', { name: 'Add Interaction' }).click()
    await expect(page.getByText('Title is required')).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Content' })).toHaveValue('• one\n**two**')
    await page.getByLabel('Title').fill('Session 1')
    await page.getByRole('button', { name: 'Add Interaction' }).click()
    await expect(page.getByText('Interaction added')).toBeVisible()
    await page.getByRole('link', { name: 'Edit Session 1' }).click()
    await page.getByLabel('Title').fill('Session one')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('Interaction updated')).toBeVisible()
    await page.getByRole('button', { name: 'Delete Session one' }).click()
    await expect(page.getByText('Interaction deleted')).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('Interaction restored')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Edit Session one' })).toBeVisible()

    const second = await page.context().newPage()
    for (const tab of [page, second]) await tab.goto(`${url}?edit`)
    await page.getByLabel('Phone').fill('first phone')
    await page.getByRole('textbox', { name: 'Client Goals' }).fill('Goals of the first')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('Client changes saved successfully.')).toBeVisible()
    await second.getByLabel('Phone').fill('second phone')
    await second.getByRole('textbox', { name: 'Fears' }).fill('line one\nline two')
    await second.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(second.getByText('was changed in another tab while you were editing')).toBeVisible()
    await expect(second.getByLabel('Phone', { exact: true })).toHaveValue('second phone')
    await expect(second.getByRole('group', { name: 'Client Goals' }).getByLabel('Saved version')).toBeChecked()
    await second.getByRole('group', { name: 'Phone' }).getByLabel('Saved version').check()
    await second.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(second.getByText('Client changes saved successfully.')).toBeVisible()
    const [stored] = await (await contextFor(coach)).query({
      name: 'test.plain-both',
      text: 'select phone, goals, fears from client',
    })
    expect(stored).toEqual({ phone: 'first phone', goals: 'Goals of the first', fears: 'line one\nline two' })
  })
})

test("on a phone, the client's actions are in one row, and the most frequent one keeps its label", async ({
  page,
  app,
}) => {
  const { url } = await openPractice(app, page)
  for (const width of [390, 360]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto(url)
    const actions = page.locator('main header').filter({ has: page.getByRole('link', { name: 'Edit', exact: true }) })
    const buttons = actions.locator('.btn')
    await expect(buttons).toHaveCount(4)
    const tops = await buttons.evaluateAll((all) => all.map((button) => button.getBoundingClientRect().top))
    expect([width, new Set(tops).size]).toEqual([width, 1])
    const label = await buttons.filter({ hasText: 'Schedule Session' }).boundingBox()
    expect(label!.width).toBeGreaterThan(100)
  }
})
