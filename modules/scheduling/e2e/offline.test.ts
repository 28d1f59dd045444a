import { createAppointment } from '#modules/scheduling/e2e/factories.ts'
import { createClient } from '#tests/support/factories.ts'
import { expectOfflineErrors } from '#tests/e2e/support/offline.ts'
import { test } from '#tests/e2e/support/test-app.ts'

test('a form of an appointment that does not reach the server shows its failure message and keeps its values', async ({
  page,
  app,
  browserErrors,
}) => {
  const coach = await app.createCoach()
  const { id: clientId } = await createClient({ coach })
  const { id: session } = await createAppointment({ coach, clientId })
  await coach.signIn(page.context())
  await expectOfflineErrors(page, browserErrors, [
    ['/calendar?dialog=schedule', { title: 'A walk' }, 'Schedule', 'Error', 'Failed to create appointment'],
    [
      `/calendar?dialog=edit-appointment&appointment=${session}`,
      { title: 'A walk' },
      'Save',
      'Error',
      'Failed to update appointment',
    ],
    [`/calendar?dialog=appointment&appointment=${session}`, {}, 'Delete', 'Error', 'Failed to delete appointment'],
    [
      `/calendar?dialog=complete&appointment=${session}`,
      {},
      'Mark Complete',
      'Completion Failed',
      'Failed to complete session',
    ],
    [`/calendar?dialog=add-notes&appointment=${session}`, {}, 'Add Notes', 'Error', 'Failed to add notes'],
    ['/settings?dialog=add-type', { name: 'Walking' }, 'Add Type', 'Error', 'Failed to add appointment type'],
  ])
})
