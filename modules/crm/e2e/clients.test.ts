import type { Page } from '@playwright/test'
import { mainFlow } from '#tests/e2e/support/main-flow.ts'
import { type Coach, expect, inTenant, test } from '#tests/e2e/support/test-app.ts'
import { answerLeavePrompt } from '#tests/e2e/support/leave-prompt.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

const people = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `Client ${String(index + 1).padStart(3, '0')}` }))
const three = [{ name: 'Ada Lovelace' }, { name: 'Grace Hopper' }, { name: 'Mary Somerville' }]
const listRows = (page: Page) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('link') })
    .filter({ hasNot: page.getByRole('columnheader') })

/** Opens Edit Client from the list. */
async function openDialog(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Edit Client' }).click()
  await expect(page.getByRole('dialog', { name: 'Edit Client' })).toBeVisible()
}

async function open(page: Page, coach: Coach, path = '/clients'): Promise<void> {
  await coach.signIn(page.context())
  await page.goto(path)
  await waitForHydration(page)
}

mainFlow('a client is added by keyboard', async ({ page, app }) => {
  await open(page, await app.createCoach({ clients: three }))
  await page.getByRole('link', { name: 'Add Client' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Add Client' })).toBeVisible()
  await expect(page).toHaveURL('/clients?dialog=add')
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  await page.keyboard.type('Emmy Noether')
  await page.keyboard.press('Tab')
  await page.keyboard.type('emmy@example.com')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Client added successfully!')).toBeVisible()
  await expect(page).toHaveURL(/\/clients\/\d+$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Emmy Noether' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to clients' }).click()
  await expect(listRows(page).first()).toContainText('Emmy Noether')
  await expect(page.getByRole('link', { name: /^Clients/ }).first()).toContainText('4')

  await page.getByRole('link', { name: 'Add Client' }).click()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Add Client' })).toBeFocused()
})

test('errors show beside their fields, and the form keeps its values', async ({ page, app }) => {
  await open(page, await app.createCoach(), '/clients?dialog=add')
  await page.getByLabel('Name', { exact: true }).fill('Ada')
  await page.getByLabel('Email').fill('ada@nowhere')
  await page.getByRole('textbox', { name: 'Goals' }).fill('Write the first program')
  await page.getByRole('dialog').getByRole('button', { name: 'Add Client' }).click()
  await expect(page.getByText('Enter a valid email address')).toBeVisible()
  await expect(page.getByLabel('Email')).toBeFocused()
  await expect(page.getByRole('textbox', { name: 'Goals' })).toHaveText('Write the first program')
})

test('search follows the typing, and the URL holds the whole state', async ({ page, app }) => {
  await open(page, await app.createCoach({ clients: [...people(60), { name: 'Ünal_100%' }] }))
  await expect(page.getByText('Showing 1–50 of 61')).toBeVisible()
  await page.getByRole('link', { name: 'Next' }).click()
  await expect(page.getByText('Showing 51–61 of 61')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search clients' }).fill('ÜNAL_100%')
  await expect(page).toHaveURL(/q=%C3%9CNAL_100%25/)
  await expect(listRows(page)).toHaveCount(1)
  await page.getByRole('link', { name: 'Card view' }).click()
  await expect(page).toHaveURL(/view=cards/)
  await page.reload()
  await expect(page.getByRole('searchbox', { name: 'Search clients' })).toHaveValue('ÜNAL_100%')
  await expect(page.getByRole('heading', { name: 'Ünal_100%' })).toBeVisible()

  await page.getByRole('searchbox', { name: 'Search clients' }).fill('nobody at all')
  await expect(page.getByRole('heading', { name: 'No clients found' })).toBeVisible()
  await page.getByRole('link', { name: 'Clear search' }).click()
  await expect(page.getByText('Showing 1–50 of 61')).toBeVisible()
})

test('each column sorts the list in both directions', async ({ page, app }) => {
  await open(
    page,
    await app.createCoach({ clients: [{ name: 'Zoe' }, { name: 'Åsa' }, { name: 'Bea', status: 'pending' }] }),
  )
  const names = () => listRows(page).locator('strong').allTextContents()
  await expect.poll(names).toEqual(['Bea', 'Åsa', 'Zoe'])
  for (const [head, ...orders] of [
    ['Name', ['ascending', ['Åsa', 'Bea', 'Zoe']], ['descending', ['Zoe', 'Bea', 'Åsa']]],
    ['Status', ['ascending', ['Åsa', 'Zoe', 'Bea']], ['descending', ['Bea', 'Åsa', 'Zoe']]],
    ['Date Joined', ['descending', ['Bea', 'Åsa', 'Zoe']], ['ascending', ['Zoe', 'Åsa', 'Bea']]],
  ] as const) {
    const column = page.getByRole('columnheader', { name: head })
    for (const [direction, order] of orders) {
      await column.getByRole('link').click()
      // Two columns can have the same order, so also wait for the URL.
      await expect(column).toHaveAttribute('aria-sort', direction)
      await expect.poll(names).toEqual(order)
    }
  }
})

test('a client is deleted from the row menu by keyboard and restored', async ({ page, app }) => {
  await open(page, await app.createCoach({ clients: three }))
  await page.getByRole('button', { name: 'Actions for Grace Hopper' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem')).toHaveText([
    'View Details',
    'Edit Client',
    'Add Purchase',
    'Payment Link',
    'Resources',
    'Messages',
    'Tasks',
    'Portal',
    'Archive Client',
    'Delete Client',
  ])
  await expect(page.getByRole('menuitem', { name: 'View Details' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Actions for Grace Hopper' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(
    page.getByText('Are you sure you want to delete this client? This action cannot be undone.'),
  ).toBeVisible()
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Client deleted successfully!')).toBeVisible()
  await expect(listRows(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(listRows(page)).toHaveCount(3)
  await expect(page.getByText('Client restored')).toBeVisible()
})

test('the trash restores a client or deletes it permanently', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: three })
  await open(page, coach)
  for (const name of ['Ada Lovelace', 'Grace Hopper']) {
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Delete Client' }).click()
    await page.getByRole('button', { name: 'Delete Client' }).click()
    await expect(page.getByRole('link', { name })).toHaveCount(0)
  }
  await page.getByRole('button', { name: 'More' }).first().click()
  await page.getByRole('menuitem', { name: 'Trash' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Trash')
  await page.getByRole('button', { name: 'Restore Ada Lovelace' }).click()
  await expect(page.getByText('Client restored')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Restore Ada Lovelace' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Permanently delete Grace Hopper' }).click()
  await page.getByRole('button', { name: 'Delete permanently' }).click()
  await expect(page.getByRole('heading', { name: 'The trash is empty' })).toBeVisible()
  await page.getByRole('link', { name: 'Erasure Reports' }).click()
  const reports = page.getByRole('list', { name: 'Erasure reports' })
  await expect(reports.getByRole('heading', { name: /^Client no\. \d+$/ })).toHaveCount(1)
  await expect(reports).toContainText('Deleted: name, contact details, notes')
  await expect(reports).not.toContainText('Grace')
})

test('a client is edited, archived and unarchived', async ({ page, app }) => {
  await open(page, await app.createCoach({ clients: three }))
  await page.getByRole('button', { name: 'Actions for Ada Lovelace' }).click()
  await page.getByRole('menuitem', { name: 'Edit Client' }).click()
  await expect(page).toHaveURL(/\/clients\/\d+\?dialog=edit/)
  await page.getByLabel('Phone').fill('+44 20 7946 0018')
  await page.getByRole('spinbutton', { name: 'Progress' }).fill('')
  await page.getByLabel('Status').selectOption('Completed')
  await page.getByRole('textbox', { name: 'Session Notes & Observations' }).fill('First line\n\n**second** line')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Client updated successfully!')).toBeVisible()
  await expect(page.getByText('+44 20 7946 0018')).toBeVisible()
  await expect(page.getByText('Status changed')).toBeVisible()

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await expect(page.getByText('Archived on')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Archived on')).toHaveCount(0)

  await page.getByRole('link', { name: 'Back to clients' }).click()
  await page.getByRole('button', { name: 'Actions for Ada Lovelace' }).click()
  await page.getByRole('menuitem', { name: 'Archive Client' }).click()
  await expect(page.getByRole('link', { name: /Ada Lovelace/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('link', { name: /Ada Lovelace/ })).toBeVisible()
})

test('leaving with unsaved changes asks for confirmation', async ({ page, app }) => {
  await open(page, await app.createCoach({ clients: three }))
  await openDialog(page, 'Ada Lovelace')
  await page.getByLabel('Phone').fill('1')
  await page.keyboard.press('Escape')
  await answerLeavePrompt(page, 'Keep editing')
  await expect(page.getByLabel('Phone')).toHaveValue('1')
  await page.keyboard.press('Escape')
  await answerLeavePrompt(page, 'Discard')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a second tab is warned, sees the differences, and loses nothing', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: three })
  await open(page, coach)
  await openDialog(page, 'Ada Lovelace')
  const second = await page.context().newPage()
  await second.goto(page.url())
  await waitForHydration(second)
  await page.getByLabel('Phone').fill('first tab')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Client updated successfully!')).toBeVisible()

  await second.getByLabel('Phone').fill('second tab')
  await second.getByRole('textbox', { name: 'Goals', exact: true }).fill('Kept')
  await second.getByRole('button', { name: 'Save' }).click()
  await expect(second.getByText('This client was changed in another tab while you were editing.')).toBeVisible()
  const phone = second.getByRole('group', { name: 'Phone' })
  await expect(phone.getByText('first tab')).toBeVisible()
  await expect(phone.getByText('second tab')).toBeVisible()
  await expect(second.getByLabel('Phone', { exact: true })).toHaveValue('second tab')
  await phone.getByLabel('Saved version').check()
  await expect(second.getByLabel('Phone', { exact: true })).toHaveValue('first tab')
  await second.getByRole('button', { name: 'Save' }).click()
  await expect(second.getByText('Client updated successfully!')).toBeVisible()
  await expect(second.getByText('Kept')).toBeVisible()
})

test("the plan's limit is explained before and after it is reached", async ({ page, app }) => {
  const coach = await app.createCoach({ plan: 'free' })
  await open(page, coach)
  await expect(page.getByText('0 of 1 on your plan')).toBeVisible()
  await page.getByRole('link', { name: 'Add Client' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('Ada')
  await page.getByLabel('Email').fill('ada@example.com')
  await inTenant(coach, async (ctx) => {
    const { createClient, NewClient } = await import('#modules/crm/index.ts')
    await createClient(ctx, NewClient.parse({ name: 'From elsewhere', email: 'else@example.com' }))
  })
  await page.getByRole('dialog').getByRole('button', { name: 'Add Client' }).click()
  await expect(page.getByText('Your entries are kept.')).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ada')
  await page.goto('/clients?dialog=add')
  await expect(page.getByRole('dialog', { name: 'Your plan is full' })).toBeVisible()
  await page.getByRole('link', { name: 'Upgrade Plan' }).last().click()
  await expect(page).toHaveURL('/upgrade')
})

test('Refresh confirms that it is done', async ({ page, app }) => {
  await open(page, await app.createCoach({ clients: three }))
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('Refreshed')).toBeVisible()
})

test('every dialog of a deleted client says so', async ({ page, app }) => {
  await (await app.createCoach({ clients: [{ name: 'Ada Lovelace' }] })).signIn(page.context())
  for (const dialog of ['delete', 'purchase']) {
    await page.goto(`/clients?dialog=${dialog}&client=999999999`)
    await expect(
      page.getByRole('dialog', { name: 'Client not found' }).getByRole('link', { name: 'Open trash' }),
    ).toHaveAttribute('href', '/trash?kind=client')
  }
  await page.getByRole('dialog').getByRole('link', { name: 'Close' }).last().click()
  await expect(page).toHaveURL(/\/clients$/)
})

test('a missing client shows a page with a way back', async ({ page, app }) => {
  const stranger = await app.createCoach({ clients: three })
  const [{ id }] = (await inTenant(stranger, (ctx) =>
    ctx.query<{ id: number }>({ name: 'a-client', text: 'select id from client limit 1' }),
  )) as [{ id: number }]
  await open(page, await app.createCoach())
  for (const param of [id, '99999999999', 'abc', '0', '%00', '1.5']) {
    const response = await page.goto(`/clients/${param}`)
    expect([400, 404]).toContain(response?.status())
    if (response?.status() === 404) await expect(page.getByText('not found', { exact: false }).first()).toBeVisible()
    else await expect(page).not.toHaveTitle(/not found/i)
  }
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('clients are added, searched, sorted, edited, deleted and restored', async ({ page, app }) => {
    const coach = await app.createCoach({ clients: three })
    await coach.signIn(page.context())
    await page.goto('/clients')
    await page.getByRole('link', { name: 'Add Client' }).click()
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Emmy Noether')
    await page.getByRole('dialog').getByLabel('Email').fill('emmy@nowhere')
    await page.getByRole('dialog').getByRole('button', { name: 'Add Client' }).click()
    await expect(page.getByText('Enter a valid email address')).toBeVisible()
    await expect(page.getByRole('dialog').getByLabel('Name', { exact: true })).toHaveValue('Emmy Noether')
    await page.getByRole('dialog').getByLabel('Email').fill('emmy@example.com')
    await page.getByRole('dialog').getByRole('button', { name: 'Add Client' }).click()
    await expect(page.getByText('Client added successfully!')).toBeVisible()
    await page.getByRole('link', { name: 'Back to clients' }).click()

    await page.getByRole('searchbox', { name: 'Search clients' }).fill('noether')
    await page.keyboard.press('Enter')
    await expect(listRows(page)).toHaveCount(1)
    await page.getByRole('link', { name: 'Emmy Noether' }).click()
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Client Goals' }).fill('Symmetry')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Client changes saved successfully.')).toBeVisible()
    await expect(page.getByText('Symmetry')).toBeVisible()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete Client' }).click()
    await expect(page.getByText('Client deleted successfully!')).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('Client restored')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Emmy Noether' })).toBeVisible()
  })
})
