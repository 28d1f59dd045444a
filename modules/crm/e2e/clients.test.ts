import type { Page } from '@playwright/test'
import { expect, test, type Coach } from '#tests/e2e/support/test-app.ts'
import { hydrated } from '#tests/e2e/support/wait-for-idle.ts'

const people = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `Client ${String(at + 1).padStart(3, '0')}` }))
const three = [{ name: 'Ada Lovelace' }, { name: 'Grace Hopper' }, { name: 'Mary Somerville' }]
const rowsOf = (page: Page) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('link') })
    .filter({ hasNot: page.getByRole('columnheader') })

/** Edit Client, as one gets to it from the list. */
async function openDialog(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Edit Client' }).click()
  await expect(page.getByRole('dialog', { name: 'Edit Client' })).toBeVisible()
}

async function open(page: Page, coach: Coach, at = '/clients'): Promise<void> {
  await coach.signIn(page.context())
  await page.goto(at)
  await hydrated(page)
}

test('a client is added by keyboard alone', async ({ page, house }) => {
  await open(page, await house.aCoach({ clients: three }))
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
  await expect(page).toHaveURL('/clients')
  await expect(rowsOf(page).first()).toContainText('Emmy Noether')
  await expect(page.getByRole('link', { name: /^Clients/ }).first()).toContainText('4')

  await page.getByRole('link', { name: 'Add Client' }).click()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Add Client' })).toBeFocused()
})

test('what is wrong is said beside its field, and what was typed stays', async ({ page, house }) => {
  await open(page, await house.aCoach(), '/clients?dialog=add')
  await page.getByLabel('Name', { exact: true }).fill('Ada')
  await page.getByLabel('Email').fill('ada@nowhere')
  await page.getByRole('textbox', { name: 'Goals' }).fill('Write the first program')
  await page.getByRole('dialog').getByRole('button', { name: 'Add Client' }).click()
  await expect(page.getByText('Enter a valid email address')).toBeVisible()
  await expect(page.getByLabel('Email')).toBeFocused()
  await expect(page.getByRole('textbox', { name: 'Goals' })).toHaveText('Write the first program')
})

test('the search follows the typing, and everything stands in the address', async ({ page, house }) => {
  await open(page, await house.aCoach({ clients: [...people(60), { name: 'Ünal_100%' }] }))
  await expect(page.getByText('Showing 1–50 of 61')).toBeVisible()
  await page.getByRole('link', { name: 'Next' }).click()
  await expect(page.getByText('Showing 51–61 of 61')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search clients' }).fill('ÜNAL_100%')
  await expect(page).toHaveURL(/q=%C3%9CNAL_100%25/)
  await expect(rowsOf(page)).toHaveCount(1)
  await page.getByRole('link', { name: 'Card view' }).click()
  await expect(page).toHaveURL(/view=cards/)
  await page.reload()
  await expect(page.getByRole('searchbox', { name: 'Search clients' })).toHaveValue('ÜNAL_100%')
  await expect(page.getByRole('heading', { name: 'Ünal_100%' })).toBeVisible()

  await page.getByRole('searchbox', { name: 'Search clients' }).fill('nobody at all')
  await expect(page.getByRole('heading', { name: 'No clients found' })).toBeVisible()
  await page.getByRole('link', { name: 'Show all' }).click()
  await expect(page.getByText('Showing 1–50 of 61')).toBeVisible()
})

test('each column orders the list, both ways', async ({ page, house }) => {
  await open(
    page,
    await house.aCoach({ clients: [{ name: 'Zoe' }, { name: 'Åsa' }, { name: 'Bea', status: 'pending' }] }),
  )
  const names = () => rowsOf(page).locator('strong').allTextContents()
  await expect.poll(names).toEqual(['Bea', 'Åsa', 'Zoe'])
  for (const [head, ...orders] of [
    ['Name', ['ascending', ['Åsa', 'Bea', 'Zoe']], ['descending', ['Zoe', 'Bea', 'Åsa']]],
    ['Status', ['ascending', ['Åsa', 'Zoe', 'Bea']], ['descending', ['Bea', 'Åsa', 'Zoe']]],
    ['Date Joined', ['descending', ['Bea', 'Åsa', 'Zoe']], ['ascending', ['Zoe', 'Åsa', 'Bea']]],
  ] as const) {
    const column = page.getByRole('columnheader', { name: head })
    for (const [direction, order] of orders) {
      await column.getByRole('link').click()
      // Two columns may have the same order: the names alone don't tell that the page has come.
      await expect(column).toHaveAttribute('aria-sort', direction)
      await expect.poll(names).toEqual(order)
    }
  }
})

test('a client is deleted from the row’s menu by keyboard, and taken back', async ({ page, house }) => {
  await open(page, await house.aCoach({ clients: three }))
  await page.getByRole('button', { name: 'Actions for Grace Hopper' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem')).toHaveText([
    'View Details',
    'Edit Client',
    'Add Purchase',
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
  await expect(rowsOf(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rowsOf(page)).toHaveCount(3)
  await expect(page.getByText('Client restored')).toBeVisible()
})

test('the trash gives back, or erases for good', async ({ page, house }) => {
  const coach = await house.aCoach({ clients: three })
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
  await page.getByRole('link', { name: 'Delete Grace Hopper forever' }).click()
  await page.getByRole('button', { name: 'Delete forever' }).click()
  await expect(page.getByRole('heading', { name: 'The trash is empty' })).toBeVisible()
})

test('a client is edited, archived and brought back', async ({ page, house }) => {
  await open(page, await house.aCoach({ clients: three }))
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

  await page.getByRole('button', { name: 'Archive' }).click()
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

test('leaving with unsaved edits asks', async ({ page, house }) => {
  await open(page, await house.aCoach({ clients: three }))
  await openDialog(page, 'Ada Lovelace')
  await page.getByLabel('Phone').fill('1')
  const stay = page.waitForEvent('dialog').then((dialog) => dialog.dismiss())
  await page.keyboard.press('Escape')
  await stay
  await expect(page.getByLabel('Phone')).toHaveValue('1')
  const leave = page.waitForEvent('dialog').then((dialog) => dialog.accept())
  await page.keyboard.press('Escape')
  await leave
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('the second of two tabs is told, sees what differs, and loses nothing', async ({ page, house }) => {
  const coach = await house.aCoach({ clients: three })
  await open(page, coach)
  await openDialog(page, 'Ada Lovelace')
  const second = await page.context().newPage()
  await second.goto(page.url())
  await hydrated(second)
  await page.getByLabel('Phone').fill('first tab')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Client updated successfully!')).toBeVisible()

  await second.getByLabel('Phone').fill('second tab')
  await second.getByRole('textbox', { name: 'Goals', exact: true }).fill('Kept')
  await second.getByRole('button', { name: 'Save' }).click()
  await expect(second.getByText('This client was saved in another tab meanwhile.')).toBeVisible()
  const phone = second.getByRole('group', { name: 'Phone' })
  await expect(phone.getByText('first tab')).toBeVisible()
  await expect(phone.getByText('second tab')).toBeVisible()
  await expect(second.getByLabel('Phone', { exact: true })).toHaveValue('second tab')
  await phone.getByLabel('Saved there').check()
  await expect(second.getByLabel('Phone', { exact: true })).toHaveValue('first tab')
  await second.getByRole('button', { name: 'Save' }).click()
  await expect(second.getByText('Client updated successfully!')).toBeVisible()
  await expect(second.getByText('Kept')).toBeVisible()
})

test('the plan’s limit is explained before and after it is hit', async ({ page, house }) => {
  const coach = await house.aCoach({ plan: 'free' })
  await open(page, coach)
  await expect(page.getByText('0 of 1 on your plan')).toBeVisible()
  await page.getByRole('link', { name: 'Add Client' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('Ada')
  await page.getByLabel('Email').fill('ada@example.com')
  await coach.write(async (ctx) => {
    const { addClient, NewClient } = await import('#modules/crm/index.ts')
    await addClient(ctx, NewClient.parse({ name: 'From elsewhere', email: 'else@example.com' }))
  })
  await page.getByRole('dialog').getByRole('button', { name: 'Add Client' }).click()
  await expect(page.getByText('What you typed stays here.')).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ada')
  await page.goto('/clients?dialog=add')
  await expect(page.getByRole('dialog', { name: 'Your plan is full' })).toBeVisible()
  await page.getByRole('link', { name: 'Upgrade Plan' }).last().click()
  await expect(page).toHaveURL('/upgrade')
})

test('Refresh says that it did', async ({ page, house }) => {
  await open(page, await house.aCoach({ clients: three }))
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('Refreshed')).toBeVisible()
})

test('who was deleted meanwhile is told, whichever dialog was asked for', async ({ page, house }) => {
  await (await house.aCoach({ clients: [{ name: 'Ada Lovelace' }] })).signIn(page.context())
  for (const dialog of ['delete', 'purchase']) {
    await page.goto(`/clients?dialog=${dialog}&client=999999999`)
    await expect(
      page.getByRole('dialog', { name: 'Client not found' }).getByRole('link', { name: 'Look in the trash' }),
    ).toHaveAttribute('href', '/trash?kind=client')
  }
  await page.getByRole('dialog').getByRole('link', { name: 'Close' }).last().click()
  await expect(page).toHaveURL(/\/clients$/)
})

test('what is not there is a page that leads on', async ({ page, house }) => {
  const stranger = await house.aCoach({ clients: three })
  const [{ id }] = (await stranger.write((ctx) =>
    ctx.rows<{ id: number }>({ name: 'a-client', text: 'select id from client limit 1' }),
  )) as [{ id: number }]
  await open(page, await house.aCoach())
  for (const at of [id, '99999999999', 'abc', '0', '%00', '1.5']) {
    const response = await page.goto(`/clients/${at}`)
    expect([400, 404]).toContain(response?.status())
    if (response?.status() === 404) await expect(page.getByText('not found', { exact: false }).first()).toBeVisible()
    else await expect(page).not.toHaveTitle(/not found/i)
  }
})

test.describe('before scripts have loaded', () => {
  test.use({ javaScriptEnabled: false })

  test('clients are added, found, sorted, edited, deleted and restored', async ({ page, house }) => {
    const coach = await house.aCoach({ clients: three })
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

    await page.getByRole('searchbox', { name: 'Search clients' }).fill('noether')
    await page.keyboard.press('Enter')
    await expect(rowsOf(page)).toHaveCount(1)
    await page.getByRole('link', { name: 'Emmy Noether' }).click()
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Client Goals' }).fill('Symmetry')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Client changes saved successfully.')).toBeVisible()
    await expect(page.getByText('Symmetry')).toBeVisible()
    await page.getByRole('link', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete Client' }).click()
    await expect(page.getByText('Client deleted successfully!')).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('Client restored')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Emmy Noether' })).toBeVisible()
  })
})
