import { NewAppointment } from '#modules/scheduling/forms.ts'
import { completeSession, createAppointment } from '#modules/scheduling/services/appointments.ts'
import { standardWording } from '#modules/summaries/fields.ts'
import { giveConsent } from '#modules/summaries/services/consents.ts'
import { expectOfflineErrors } from '#tests/e2e/support/offline.ts'
import { contextFor, createClient, inTenant, test } from '#tests/e2e/support/test-app.ts'

test('forms of session notes keep their values when the server is unreachable', async ({
  page,
  app,
  browserErrors,
}) => {
  const coach = await app.createCoach({ plan: 'pro' })
  const { id: clientId } = await createClient({ coach, name: 'Grace Hopper' })
  const start = (await contextFor(coach)).now().getTime() - 7_200_000
  const session = await inTenant(coach, async (tx) => {
    const times = { startTime: new Date(start).toISOString(), endTime: new Date(start + 3_600_000).toISOString() }
    const { id } = await createAppointment(tx, NewAppointment.parse({ title: 'Spring plan', clientId, ...times }))
    await completeSession(tx, id, { notes: null })
    await giveConsent(tx, { appointmentId: id }, { channel: 'spoken', wording: standardWording })
    return id
  })
  await coach.signIn(page.context())
  const text = 'Grace: I will send you the plan for the spring.'
  await expectOfflineErrors(page, browserErrors, [
    [
      '/session-summaries',
      {},
      'Generate Summary for Spring plan',
      'Summary Generation Failed',
      'The summary could not be started.',
    ],
    [`/session-summaries/${session}`, { text }, 'Add Transcript', 'Error', 'The transcript could not be added.'],
    [
      `/session-summaries/${session}?dialog=withdraw`,
      {},
      'Withdraw and Delete',
      'Error',
      'The consent could not be withdrawn.',
    ],
    ['/settings/session-notes', { wording: 'You may' }, 'Save', 'Error', 'The settings could not be saved.'],
  ])
})
