import { createClient, createInteraction } from '#tests/support/factories.ts'
import { blockRequests, expectOfflineErrors, networkErrors } from '#tests/e2e/support/offline.ts'
import { expect, test } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

test('a form of a client that does not reach the server shows its failure message and keeps its values', async ({
  page,
  app,
  browserErrors,
}) => {
  const coach = await app.createCoach()
  const { id: client } = await createClient({ coach, name: 'Grace Hopper' })
  const { id: interaction } = await createInteraction({ coach, clientId: client, name: 'A call' })
  await coach.signIn(page.context())
  await expectOfflineErrors(page, browserErrors, [
    [
      '/clients?dialog=add',
      { name: 'Ada Lovelace', email: 'lovelace@example.com' },
      'Add Client',
      'Error',
      'Failed to add client. Please try again.',
    ],
    [
      `/clients?dialog=delete&client=${client}`,
      {},
      'Delete Client',
      'Error',
      'Failed to delete client. Please try again.',
    ],
    [
      `/clients/${client}?dialog=edit`,
      { name: 'Grace Brewster', profession: 'Admiral' },
      'Save',
      'Error',
      'Failed to update client. Please try again.',
    ],
    [`/clients/${client}?edit`, { name: 'Grace Brewster' }, 'Save', 'Error', 'Failed to save client changes.'],
    [`/clients/${client}?dialog=delete`, {}, 'Delete Client', 'Error', 'Failed to delete client. Please try again.'],
    [
      `/clients/${client}?dialog=interaction`,
      { name: 'A letter' },
      'Add Interaction',
      'Error',
      'Failed to add interaction.',
    ],
    [
      `/clients/${client}?dialog=interaction&interaction=${interaction}`,
      { name: 'A longer call' },
      'Save',
      'Error',
      'Failed to update interaction.',
    ],
    [`/clients/${client}/interactions`, {}, 'Delete A call', 'Error', 'Failed to delete interaction.'],
  ])
})

test('a client that was opened just before the connection went keeps what was typed', async ({
  page,
  app,
  browserErrors,
}) => {
  const coach = await app.createCoach()
  const { id } = await createClient({ coach, name: 'Grace Hopper' })
  await coach.signIn(page.context())
  // Remix has not learned which routes the page's links lead to.
  await page.route('**/__manifest?*', (route) => route.abort())
  await page.goto(`/clients/${id}?edit`)
  await waitForHydration(page)
  await page.getByLabel('Name', { exact: true }).fill('Grace Brewster')
  await blockRequests(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Failed to save client changes.').first()).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Grace Brewster')
  browserErrors.ignore(networkErrors)
  browserErrors.ignore(/Failed to fetch manifest patches/)
})
