import type { Page } from '@playwright/test'
import { NewInteraction } from '#modules/crm/forms.ts'
import { importJob, runImport, startImport } from '#modules/crm/services/import.ts'
import { addInteraction } from '#modules/crm/services/interactions.ts'
import type { Coach, House } from '#tests/e2e/support/test-app.ts'
import { hydrated } from '#tests/e2e/support/wait-for-idle.ts'
import { failingLoad, unreadable } from '#tests/e2e/support/screens/failing.ts'
import type { Screen } from '#tests/e2e/support/screens/screen.ts'

export const clientScreens: Screen[] = [
  { name: 'clients', page: '/clients', at: '/clients', as: 'full' },
  {
    name: 'clients-failed',
    page: '/clients',
    at: '/dashboard',
    as: 'full',
    then: (page) => failingLoad(page, '/clients', 'Error Loading Clients'),
    complains: unreadable,
  },
  { name: 'clients-cards', page: '/clients', at: '/clients?view=cards&page=2', as: 'full' },
  { name: 'clients-empty', page: '/clients', at: '/clients', as: 'newcomer' },
  { name: 'clients-nothing-found', page: '/clients', at: '/clients?q=zzzz', as: 'full' },
  { name: 'clients-archive', page: '/clients', at: '/clients?show=archive', as: 'full' },
  { name: 'clients-second-page', page: '/clients', at: '/clients?page=2', as: 'full' },
  {
    name: 'clients-more',
    page: '/clients',
    at: '/clients?page=2',
    as: 'full',
    then: (page) => page.getByRole('main').getByRole('button', { name: 'More' }).click(),
  },
  {
    name: 'clients-row-menu',
    page: '/clients',
    at: '/clients?page=2',
    as: 'full',
    then: (page) =>
      page
        .getByRole('button', { name: /^Actions for / })
        .first()
        .click(),
  },
  { name: 'client-add', page: '/clients', at: '/clients?page=2&dialog=add', as: 'full' },
  { name: 'client-add-refused', page: '/clients', at: '/clients?page=2&dialog=add', as: 'full', then: refuseClient },
  { name: 'client-add-limit', page: '/clients', at: '/clients?dialog=add', as: 'limited' },
  { name: 'client', page: '/clients/:id', at: ({ client }) => `/clients/${client}`, as: 'full' },
  { name: 'client-long', page: '/clients/:id', at: ({ long }) => `/clients/${long}`, as: 'full' },
  { name: 'client-bare', page: '/clients/:id', at: ({ bare }) => `/clients/${bare}`, as: 'full' },
  { name: 'client-archived', page: '/clients/:id', at: ({ archived }) => `/clients/${archived}`, as: 'full' },
  { name: 'client-missing', page: '/clients/:id', at: '/clients/999999999', as: 'full', status: 404 },
  { name: 'client-edit-mode', page: '/clients/:id', at: ({ client }) => `/clients/${client}?edit`, as: 'full' },
  { name: 'client-edit-mode-long', page: '/clients/:id', at: ({ long }) => `/clients/${long}?edit`, as: 'full' },
  {
    name: 'client-edit-mode-refused',
    page: '/clients/:id',
    at: ({ client }) => `/clients/${client}?edit`,
    as: 'full',
    then: refuseSave,
  },
  {
    name: 'client-saved-meanwhile',
    page: '/clients/:id',
    at: ({ client }) => `/clients/${client}?edit`,
    as: 'full',
    then: saveMeanwhile,
  },
  {
    name: 'client-timeline-purchases',
    page: '/clients/:id',
    at: ({ client }) => `/clients/${client}?kind=purchase`,
    as: 'full',
  },
  {
    name: 'interaction-add',
    page: '/clients/:id',
    at: ({ client }) => `/clients/${client}?dialog=interaction`,
    as: 'full',
  },
  {
    name: 'interaction-add-refused',
    page: '/clients/:id',
    at: ({ client }) => `/clients/${client}?dialog=interaction`,
    as: 'full',
    then: refuseInteraction,
  },
  {
    name: 'interaction-edit',
    page: '/clients/:id',
    at: ({ client, interaction }) => `/clients/${client}?dialog=interaction&interaction=${interaction}`,
    as: 'full',
  },
  {
    name: 'interaction-gone',
    page: '/clients/:id',
    at: ({ client }) => `/clients/${client}?dialog=interaction&interaction=999999999`,
    as: 'full',
  },
  {
    name: 'interaction-history',
    page: '/history/client_interaction/:id',
    at: ({ interaction }) => `/history/client_interaction/${interaction}`,
    as: 'full',
  },
  {
    name: 'interactions',
    page: '/clients/:id/interactions',
    at: ({ client }) => `/clients/${client}/interactions`,
    as: 'full',
  },
  {
    name: 'interactions-failed',
    page: '/clients/:id/interactions',
    at: ({ client }) => `/clients/${client}`,
    as: 'full',
    then: (page) => failingLoad(page, `${new URL(page.url()).pathname}/interactions`, 'Failed to fetch interactions'),
    complains: unreadable,
  },
  {
    name: 'interactions-empty',
    page: '/clients/:id/interactions',
    at: ({ long }) => `/clients/${long}/interactions`,
    as: 'full',
  },
  {
    name: 'interactions-missing',
    page: '/clients/:id/interactions',
    at: '/clients/999999999/interactions',
    as: 'full',
    status: 404,
  },
  { name: 'client-edit', page: '/clients/:id', at: ({ client }) => `/clients/${client}?dialog=edit`, as: 'full' },
  {
    name: 'client-edit-refused',
    page: '/clients/:id',
    at: ({ client }) => `/clients/${client}?dialog=edit`,
    as: 'full',
    then: refuseEdit,
  },
  { name: 'import', page: '/clients/import', at: '/clients/import', as: 'full' },
  { name: 'import-empty', page: '/clients/import', at: '/clients/import', as: 'newcomer' },
  {
    name: 'import-columns',
    page: '/clients/import/:id',
    at: ({ imports }) => `/clients/import/${imports.columns}`,
    as: 'full',
  },
  {
    name: 'import-preview',
    page: '/clients/import/:id',
    at: ({ imports }) => `/clients/import/${imports.preview}`,
    as: 'full',
  },
  {
    name: 'import-no-room',
    page: '/clients/import/:id',
    at: ({ imports }) => `/clients/import/${imports.noRoom}`,
    as: 'limited',
  },
  {
    name: 'import-running',
    page: '/clients/import/:id',
    at: ({ imports }) => `/clients/import/${imports.running}`,
    as: 'full',
  },
  {
    name: 'import-done',
    page: '/clients/import/:id',
    at: ({ imports }) => `/clients/import/${imports.done}`,
    as: 'full',
  },
  { name: 'import-missing', page: '/clients/import/:id', at: '/clients/import/999999999', as: 'full', status: 404 },
  { name: 'client-gone', page: '/clients', at: '/clients?dialog=delete&client=999999999', as: 'full' },
  {
    name: 'client-delete',
    page: '/clients',
    at: ({ client }) => `/clients?page=2&dialog=delete&client=${client}`,
    as: 'full',
  },
]

async function refuseClient(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('   ')
  await dialog.getByLabel('Email').fill('ada@nowhere')
  await dialog.getByRole('button', { name: 'Add Client' }).click()
  await dialog.getByText('Name is required').waitFor()
}

async function refuseEdit(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('   ')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Name is required').waitFor()
}

async function refuseSave(page: Page): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill('   ')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Name is required').waitFor()
}

async function refuseInteraction(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill('   ')
  await dialog.getByRole('button', { name: 'Add Interaction' }).click()
  await dialog.getByText('Title is required').waitFor()
}

/** Saves the same client in a second tab, then here. */
async function saveMeanwhile(page: Page): Promise<void> {
  const other = await page.context().newPage()
  await other.goto(page.url())
  await hydrated(other)
  const mark = String(Date.now())
  for (const [tab, location] of [
    [other, `Boston ${mark}`],
    [page, 'New York, after all'],
  ] as const) {
    await tab.getByLabel('Location').fill(location)
    await tab.getByRole('textbox', { name: 'Fears' }).fill(`${location} has too many meetings`)
    await tab.getByRole('button', { name: 'Save', exact: true }).click()
    if (tab === other) await other.getByText('Client changes saved successfully.').waitFor()
  }
  await other.close()
  await page.getByText('was saved in another tab meanwhile').waitFor()
}

/** Contacts of several kinds; answers the id of one. */
export async function interactions(coach: Coach, clientId: number, long: string): Promise<number> {
  return coach.write(async (ctx) => {
    const add = (name: string, content: string | null, day: string, source = 'manual') =>
      addInteraction(ctx, clientId, NewInteraction.parse({ name, content, interactionDate: `${day}T17:00:00Z` }), {
        source,
      })
    await add('Reminder sent', null, '2026-03-05', 'system_notification')
    await add(long, long.repeat(5), '2026-02-01')
    await add('Sent the values exercise', null, '2026-02-19')
    await add(
      'Session 5 summary',
      '## Key takeaways\n• Named the pattern of waiting\n• Agreed to draft the letter',
      '2026-03-03',
      'zoom',
    )
    const { id } = await add(
      'Short call before the interview',
      'Ten minutes. Nervous about the **salary question**; rehearsed the ==pause==.',
      '2026-02-26',
    )
    return id
  })
}

/** Rows to add, one that is there already, and some to correct. */
export const mixed = [
  'Name,Email',
  'New One,new.one@example.com',
  `${'Long'.repeat(50)},long.one@example.com`,
  'Grace Hopper,grace.hopper@example.com',
  'Broken,not an address',
  ',nameless@example.com',
  '',
].join('\n')

export async function anImport(coach: Coach, csv: string): Promise<number> {
  return startImport(await coach.ctx(), {
    name: 'A list of people that somebody kept for years.csv',
    content: Buffer.from(csv),
  })
}

export async function stalledImport(coach: Coach): Promise<number> {
  const id = await anImport(coach, mixed)
  await coach.write((ctx) =>
    ctx.rows({
      name: 'e2e.stalled',
      text: `update client_import set status = 'running', updated_at = now() - interval '1 hour' where id = $1`,
      values: [id],
    }),
  )
  return id
}

export async function doneImport({ platform }: House, coach: Coach): Promise<number> {
  const id = await anImport(coach, 'Name,Email\nBroken,not an address\nGrace Hopper,grace.hopper@example.com\n')
  await coach.write((ctx) => runImport(ctx, id))
  await importJob(platform, { coachId: coach.id, importId: id })
  return id
}
