import type { Page } from '@playwright/test'
import { getRecordKind } from '#modules/core/record-kinds.ts'
import { eraseRecord } from '#modules/core/trash.ts'
import { clientStatuses } from '#modules/crm/fields.ts'
import { NewInteraction } from '#modules/crm/forms.ts'
import { runImportJob } from '#modules/crm/import/import-job.ts'
import { runImport, startImport } from '#modules/crm/import/service.ts'
import { undoImport } from '#modules/crm/import/undo.ts'
import { findClientByEmail } from '#modules/crm/queries/clients.ts'
import { archiveClient, deleteClient } from '#modules/crm/services/clients.ts'
import { createInteraction } from '#modules/crm/services/interactions.ts'
import { type Coach, contextFor, createClient, inTenant } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'
import { navigateToFailingPage, unreadableResponse } from '#tests/e2e/support/screens/failing.ts'
import { openRowMenu } from '#tests/e2e/support/screens/row-menu.ts'
import type { Screen, World } from '#tests/e2e/support/screens/screen.ts'

declare module '#tests/e2e/support/screens/screen.ts' {
  /** Ids of the clients of `full`, unless they say otherwise. */
  interface World {
    /** Every field is filled in. */
    client: number
    /** Has the longest texts. */
    longClient: number
    /** Has a name and an email address only. */
    bareClient: number
    archivedClient: number
    deletedClient: number
    /** The only client of `limited`. */
    onlyClient: number
    /** An interaction of `client`. */
    interaction: number
    imports: { columns: number; preview: number; noRoom: number; running: number; done: number; undone: number }
  }
}

export const screens: Screen[] = [
  { name: 'clients', route: '/clients', path: '/clients', as: 'full' },
  {
    name: 'clients-failed',
    route: '/clients',
    path: '/dashboard',
    as: 'full',
    setup: (page) => navigateToFailingPage(page, '/clients', 'Error Loading Clients'),
    expectedErrors: unreadableResponse,
  },
  { name: 'clients-cards', route: '/clients', path: '/clients?view=cards&page=2', as: 'full' },
  { name: 'clients-empty', route: '/clients', path: '/clients', as: 'newcomer' },
  { name: 'clients-nothing-found', route: '/clients', path: '/clients?q=zzzz', as: 'full' },
  { name: 'clients-archive', route: '/clients', path: '/clients?show=archive', as: 'full' },
  { name: 'clients-second-page', route: '/clients', path: '/clients?page=2', as: 'full' },
  {
    name: 'clients-more',
    route: '/clients',
    path: '/clients?page=2',
    as: 'full',
    setup: (page) => page.getByRole('main').getByRole('button', { name: 'More' }).click(),
  },
  {
    name: 'clients-row-menu',
    route: '/clients',
    path: '/clients?page=2',
    as: 'full',
    setup: openRowMenu,
  },
  { name: 'clients-filters', route: '/clients', path: '/clients?page=2&status=active&dialog=filters', as: 'full' },
  { name: 'clients-select', route: '/clients', path: '/clients?page=2&select=on', as: 'full' },
  { name: 'client-add', route: '/clients', path: '/clients?page=2&dialog=add', as: 'full' },
  {
    name: 'client-add-refused',
    route: '/clients',
    path: '/clients?page=2&dialog=add',
    as: 'full',
    setup: submitInvalidClient,
  },
  { name: 'client-add-limit', route: '/clients', path: '/clients?dialog=add', as: 'limited' },
  { name: 'client', route: '/clients/:id', path: ({ client }) => `/clients/${client}`, as: 'full' },
  { name: 'client-long', route: '/clients/:id', path: ({ longClient }) => `/clients/${longClient}`, as: 'full' },
  { name: 'client-bare', route: '/clients/:id', path: ({ bareClient }) => `/clients/${bareClient}`, as: 'full' },
  {
    name: 'client-archived',
    route: '/clients/:id',
    path: ({ archivedClient }) => `/clients/${archivedClient}`,
    as: 'full',
  },
  { name: 'client-missing', route: '/clients/:id', path: '/clients/999999999', as: 'full', status: 404 },
  { name: 'client-edit-mode', route: '/clients/:id', path: ({ client }) => `/clients/${client}?edit`, as: 'full' },
  {
    name: 'client-edit-mode-long',
    route: '/clients/:id',
    path: ({ longClient }) => `/clients/${longClient}?edit`,
    as: 'full',
  },
  {
    name: 'client-edit-mode-refused',
    route: '/clients/:id',
    path: ({ client }) => `/clients/${client}?edit`,
    as: 'full',
    setup: submitInvalidSave,
  },
  {
    name: 'client-edit-conflict',
    route: '/clients/:id',
    path: ({ client }) => `/clients/${client}?edit`,
    as: 'full',
    setup: saveInAnotherTab,
  },
  {
    name: 'client-timeline-purchases',
    route: '/clients/:id',
    path: ({ client }) => `/clients/${client}?kind=purchase`,
    as: 'full',
  },
  {
    name: 'interaction-add',
    route: '/clients/:id',
    path: ({ client }) => `/clients/${client}?dialog=interaction`,
    as: 'full',
  },
  {
    name: 'interaction-add-refused',
    route: '/clients/:id',
    path: ({ client }) => `/clients/${client}?dialog=interaction`,
    as: 'full',
    setup: submitInvalidInteraction,
  },
  {
    name: 'interaction-edit',
    route: '/clients/:id',
    path: ({ client, interaction }) => `/clients/${client}?dialog=interaction&interaction=${interaction}`,
    as: 'full',
  },
  {
    name: 'interaction-not-found',
    route: '/clients/:id',
    path: ({ client }) => `/clients/${client}?dialog=interaction&interaction=999999999`,
    as: 'full',
  },
  {
    name: 'interaction-history',
    route: '/history/client_interaction/:id',
    path: ({ interaction }) => `/history/client_interaction/${interaction}`,
    as: 'full',
  },
  {
    name: 'interactions',
    route: '/clients/:id/interactions',
    path: ({ client }) => `/clients/${client}/interactions`,
    as: 'full',
  },
  {
    name: 'interactions-failed',
    route: '/clients/:id/interactions',
    path: ({ client }) => `/clients/${client}`,
    as: 'full',
    setup: (page) =>
      navigateToFailingPage(page, `${new URL(page.url()).pathname}/interactions`, 'Failed to fetch interactions'),
    expectedErrors: unreadableResponse,
  },
  {
    name: 'interactions-empty',
    route: '/clients/:id/interactions',
    path: ({ longClient }) => `/clients/${longClient}/interactions`,
    as: 'full',
  },
  {
    name: 'interactions-missing',
    route: '/clients/:id/interactions',
    path: '/clients/999999999/interactions',
    as: 'full',
    status: 404,
  },
  { name: 'client-edit', route: '/clients/:id', path: ({ client }) => `/clients/${client}?dialog=edit`, as: 'full' },
  {
    name: 'client-edit-refused',
    route: '/clients/:id',
    path: ({ client }) => `/clients/${client}?dialog=edit`,
    as: 'full',
    setup: submitInvalidEdit,
  },
  {
    name: 'client-merge-choose',
    route: '/clients/:id/merge',
    path: ({ bareClient }) => `/clients/${bareClient}/merge`,
    as: 'full',
  },
  {
    name: 'client-merge',
    route: '/clients/:id/merge',
    path: ({ client, bareClient }) => `/clients/${bareClient}/merge?with=${client}`,
    as: 'full',
  },
  {
    name: 'client-merge-long',
    route: '/clients/:id/merge',
    path: ({ client, longClient }) => `/clients/${client}/merge?with=${longClient}`,
    as: 'full',
  },
  {
    name: 'client-merge-missing',
    route: '/clients/:id/merge',
    path: '/clients/999999999/merge',
    as: 'full',
    status: 404,
  },
  { name: 'import', route: '/clients/import', path: '/clients/import', as: 'full' },
  { name: 'import-empty', route: '/clients/import', path: '/clients/import', as: 'newcomer' },
  {
    name: 'import-columns',
    route: '/clients/import/:id',
    path: ({ imports }) => `/clients/import/${imports.columns}`,
    as: 'full',
  },
  {
    name: 'import-preview',
    route: '/clients/import/:id',
    path: ({ imports }) => `/clients/import/${imports.preview}`,
    as: 'full',
  },
  {
    name: 'import-no-room',
    route: '/clients/import/:id',
    path: ({ imports }) => `/clients/import/${imports.noRoom}`,
    as: 'limited',
  },
  {
    name: 'import-running',
    route: '/clients/import/:id',
    path: ({ imports }) => `/clients/import/${imports.running}`,
    as: 'full',
  },
  {
    name: 'import-done',
    route: '/clients/import/:id',
    path: ({ imports }) => `/clients/import/${imports.done}`,
    as: 'full',
  },
  {
    name: 'import-undone',
    route: '/clients/import/:id',
    path: ({ imports }) => `/clients/import/${imports.undone}`,
    as: 'full',
  },
  { name: 'import-missing', route: '/clients/import/:id', path: '/clients/import/999999999', as: 'full', status: 404 },
  { name: 'client-not-found', route: '/clients', path: '/clients?dialog=delete&client=999999999', as: 'full' },
  {
    name: 'client-delete',
    route: '/clients',
    path: ({ client }) => `/clients?page=2&dialog=delete&client=${client}`,
    as: 'full',
  },
  { name: 'trash-of-clients', route: '/trash', path: '/trash?kind=client', as: 'full' },
  {
    name: 'trash-erase',
    route: '/trash',
    path: ({ deletedClient }) => `/trash?erase=client-${deletedClient}`,
    as: 'full',
  },
  { name: 'erasure-reports', route: '/trash', path: '/trash?view=reports', as: 'full' },
  { name: 'erasure-reports-none', route: '/trash', path: '/trash?view=reports', as: 'newcomer' },
  {
    name: 'client-history',
    route: '/history/client/:id',
    path: ({ longClient }) => `/history/client/${longClient}`,
    as: 'full',
  },
  {
    name: 'client-history-deleted',
    route: '/history/client/:id',
    path: ({ deletedClient }) => `/history/client/${deletedClient}`,
    as: 'full',
  },
]

async function submitInvalidClient(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('   ')
  await dialog.getByLabel('Email').fill('ada@nowhere')
  await dialog.getByRole('button', { name: 'Add Client' }).click()
  await dialog.getByText('Name is required').waitFor()
}

async function submitInvalidEdit(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('   ')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Name is required').waitFor()
}

async function submitInvalidSave(page: Page): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill('   ')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Name is required').waitFor()
}

async function submitInvalidInteraction(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill('   ')
  await dialog.getByRole('button', { name: 'Add Interaction' }).click()
  await dialog.getByText('Title is required').waitFor()
}

/** Saves the same client in a second tab, then here. */
async function saveInAnotherTab(page: Page): Promise<void> {
  const other = await page.context().newPage()
  await other.goto(page.url())
  await waitForHydration(other)
  const mark = crypto.randomUUID()
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
  await page.getByText('was changed in another tab while you were editing').waitFor()
}

export async function world({ full, limited, longText }: World): Promise<Partial<World>> {
  const addClient = async (fields: Omit<Parameters<typeof createClient>[0], 'coach'>) =>
    (await createClient({ coach: full, ...fields })).id
  const archivedClient = await addClient({ name: 'Put Away' })
  const deletedClient = await addClient({ name: 'Thrown Away' })
  const bareClient = await addClient({ name: 'Client Number 1' })
  for (let number = 2; number <= 60; number++)
    await addClient({ name: `Client Number ${number}`, progress: number, status: clientStatuses[number % 4] })
  const longClient = await addClient({
    name: longText,
    email: `${'long'.repeat(16)}@${'host'.repeat(15)}.${'domain'.repeat(10)}.example`,
    goals: 'unbreakable'.repeat(60),
    location: longText,
    profession: longText,
    phone: '+1 555 0100 ext. 99999999999999999999',
    notes: longText.repeat(20),
  })
  const client = await addClient({
    name: 'Grace Hopper',
    email: 'grace.hopper@example.com',
    phone: '+1 555 0100',
    location: 'New York',
    profession: 'Admiral',
    program: 'Career Transition',
    timezone: 'America/New_York',
    progress: 60,
    goals: 'Write a **book**.\n• one chapter a week',
    notes: '## First session\nShe talks in *nanoseconds*.',
    futureGoals: 'Teach',
    frustrations: 'Meetings',
    fears: 'Boredom',
    failures: 'None that count',
  })
  const { id: onlyClient } = await createClient({ coach: limited, name: 'Only One' })
  await inTenant(full, (ctx) => archiveClient(ctx, archivedClient))
  await inTenant(full, (ctx) => deleteClient(ctx, deletedClient))
  await eraseClient(full, await addClient({ name: 'Forgotten' }), longText)
  return {
    client,
    longClient,
    bareClient,
    archivedClient,
    deletedClient,
    onlyClient,
    interaction: await createInteractions(full, client, longText),
    imports: {
      columns: await createImport(full, 'Who,Where to write\nZoe,zoe@example.com\n'),
      preview: await createImport(full, mixedCsv),
      noRoom: await createImport(limited, mixedCsv),
      running: await createStalledImport(full),
      done: await createFinishedImport(full),
      undone: await createUndoneImport(full, longText),
    },
  }
}

/** Permanently deletes a client with interactions, which leaves a report. */
async function eraseClient(coach: Coach, id: number, longText: string): Promise<void> {
  await createInteractions(coach, id, longText)
  await inTenant(coach, (ctx) => deleteClient(ctx, id))
  await inTenant(coach, (ctx) => eraseRecord(ctx, getRecordKind(ctx, 'client'), id))
}

/** Adds interactions of several kinds and returns the id of one. */
async function createInteractions(coach: Coach, clientId: number, longText: string): Promise<number> {
  return inTenant(coach, async (ctx) => {
    const add = (name: string, content: string | null, day: string, source = 'manual') =>
      createInteraction(ctx, clientId, NewInteraction.parse({ name, content, interactionDate: `${day}T17:00:00Z` }), {
        source,
      })
    await add('Reminder sent', null, '2026-03-05', 'system_notification')
    await add(longText, longText.repeat(5), '2026-02-01')
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

/** Rows to add, one that is a client already, and some that need fixing. */
const mixedCsv = [
  'Name,Email',
  'New One,new.one@example.com',
  `${'Long'.repeat(50)},long.one@example.com`,
  'Grace Hopper,grace.hopper@example.com',
  'Broken,not an address',
  ',nameless@example.com',
  '',
].join('\n')

async function createImport(coach: Coach, csv: string): Promise<number> {
  return startImport(await contextFor(coach), {
    name: 'A list of people that somebody kept for years.csv',
    content: Buffer.from(csv),
  })
}

async function createStalledImport(coach: Coach): Promise<number> {
  const id = await createImport(coach, mixedCsv)
  await inTenant(coach, (ctx) =>
    ctx.query({
      name: 'e2e.stalled',
      text: `update client_import set status = 'running', updated_at = $2::timestamptz - interval '1 hour' where id = $1`,
      values: [id, ctx.now()],
    }),
  )
  return id
}

async function createFinishedImport(coach: Coach): Promise<number> {
  const id = await createImport(coach, 'Name,Email\nBroken,not an address\nGrace Hopper,grace.hopper@example.com\n')
  await inTenant(coach, (ctx) => runImport(ctx, id))
  await runImportJob(coach.platform, { coachId: coach.id, importId: id })
  return id
}

/** Keeps one client, which was changed. */
async function createUndoneImport(coach: Coach, longText: string): Promise<number> {
  const id = await createImport(coach, `Name,Email\nTaken Back,taken.back@example.com\n${longText},kept@example.com\n`)
  const run = () => runImportJob(coach.platform, { coachId: coach.id, importId: id })
  await inTenant(coach, (ctx) => runImport(ctx, id))
  await run()
  await inTenant(coach, async (ctx) => {
    const kept = await findClientByEmail(ctx, 'kept@example.com')
    await archiveClient(ctx, kept!)
    await undoImport(ctx, id)
  })
  await run()
  return id
}
