import { expectOfflineErrors } from '#tests/e2e/support/offline.ts'
import { test } from '#tests/e2e/support/test-app.ts'

test('forms of the admin console keep their values when the server is unreachable', async ({
  page,
  app,
  browserErrors,
}) => {
  const coach = await app.createCoach({ isAdmin: true })
  await coach.signIn(page.context())
  await expectOfflineErrors(page, browserErrors, [
    ['/admin?dialog=add', { email: 'new@example.com' }, 'Add Coach', 'Error', 'Failed to add coach.'],
  ])
})
