import { createClient, createInteraction } from '#tests/support/factories.ts'
import { expectOfflineErrors } from '#tests/e2e/support/offline.ts'
import { test } from '#tests/e2e/support/test-app.ts'

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
