import { expectOfflineErrors } from '#tests/e2e/support/offline.ts'
import { test } from '#tests/e2e/support/test-app.ts'
import { createProspect } from './factories.ts'

test('a form of a prospect or stage that does not reach the server shows its failure message and keeps its values', async ({
  page,
  app,
  browserErrors,
}) => {
  const coach = await app.createCoach()
  const { id: prospect, stageId: stage } = await createProspect({ coach })
  await coach.signIn(page.context())
  await expectOfflineErrors(page, browserErrors, [
    [
      '/pipeline?dialog=add',
      { name: 'Sam Ito', company: 'Ito & Co' },
      'Add Prospect',
      'Error',
      'Failed to create prospect. Please try again.',
    ],
    [
      `/pipeline?dialog=edit&prospect=${prospect}`,
      { company: 'Haddad Ltd' },
      'Save',
      'Error',
      'Failed to update prospect. Please try again.',
    ],
    [
      `/pipeline?dialog=delete&prospect=${prospect}`,
      {},
      'Delete Prospect',
      'Error',
      'Failed to delete prospect. Please try again.',
    ],
    [
      '/pipeline?dialog=add-stage',
      { name: 'Dreaming' },
      'Add Stage',
      'Error',
      'Failed to create stage. Please try again.',
    ],
    [
      `/pipeline?dialog=edit-stage&stage=${stage}`,
      { name: 'Dreaming' },
      'Save',
      'Error',
      'Failed to update stage. Please try again.',
    ],
    [
      `/pipeline?dialog=delete-stage&stage=${stage}`,
      {},
      'Delete Stage',
      'Error',
      'Failed to delete stage. Please try again.',
    ],
  ])
})
