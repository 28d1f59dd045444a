import { NewAppointment } from '#modules/scheduling/forms.ts'
import { completeSession, createAppointment } from '#modules/scheduling/services/appointments.ts'
import { standardWording } from '#modules/summaries/fields.ts'
import { giveConsent } from '#modules/summaries/services/consents.ts'
import { addTranscript } from '#modules/summaries/services/transcripts.ts'
import { contextFor, createClient, expect, inTenant, test } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

// The modules summaries and tasks together ('#modules/tasks/').

const transcript = [
  '[00:00:12] Grace: I told my manager that I answer messages after eight, and she agreed at once.',
  '[00:02:05] Grace: I will send you the plan for the spring by Friday.',
  '[00:02:30] Ada Coach: I will read the plan before our next session.',
].join('\n')

test('a coach chooses the tasks of a session, and the next one begins with what is done', async ({ page, app }) => {
  const coach = await app.createCoach({ plan: 'pro' })
  const { id: clientId } = await createClient({ coach, name: 'Grace Hopper' })
  const start = (await contextFor(coach)).now().getTime() - 7_200_000
  const [id, next] = await inTenant(coach, async (tx) => {
    const add = (title: string, from: number) => {
      const times = { startTime: new Date(from).toISOString(), endTime: new Date(from + 1_800_000).toISOString() }
      return createAppointment(tx, NewAppointment.parse({ title, clientId, ...times }))
    }
    const session = await add('Spring plan', start)
    await completeSession(tx, session.id, { notes: null })
    await giveConsent(tx, { clientId }, { channel: 'spoken', wording: standardWording })
    await addTranscript(tx, session.id, { source: 'paste', fileName: null, content: transcript, field: 'text' })
    return [session.id, (await add('Next step', start + 3_600_000)).id]
  })
  await coach.signIn(page.context())
  await page.goto(`/session-summaries/${id}`)
  // A job makes the summary; the page waits for it.
  const actions = page.getByRole('list', { name: 'Action items' })
  await expect(actions).toContainText('I will read the plan')
  await waitForHydration(page)
  const [hers, mine] = [actions.getByRole('listitem').first(), actions.getByRole('listitem').nth(1)]
  await expect(hers.getByLabel('Who')).toHaveValue('client')
  await hers.getByLabel('By', { exact: true }).fill('2026-03-20')
  await mine.getByRole('checkbox').uncheck()
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('It is on the timeline of the client.')).toBeVisible()
  await expect(actions.getByRole('link', { name: 'Task', exact: true })).toHaveCount(1)

  await page.goto('/tasks?view=clients')
  await waitForHydration(page)
  const tasks = page.getByRole('list', { name: 'Tasks' })
  await expect(tasks).toContainText('Due: Mar 20')
  await expect(tasks.getByRole('link', { name: /^Session of / })).toHaveAttribute('href', /line=2#line-2$/)
  await tasks.getByRole('button', { name: /^Complete I will send/ }).click()
  await expect(page.getByText('Task completed')).toBeVisible()

  await page.goto(`/session-summaries/${next}`)
  const promised = page.getByRole('list', { name: 'Promised last time' })
  await expect(promised).toContainText('Grace Hopper, done on')
  await expect(promised.getByRole('listitem')).toHaveCount(2)

  await page.goto(`/session-summaries/${id}`)
  await waitForHydration(page)
  await page.getByRole('link', { name: 'Back to Draft' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Back to Draft' }).click()
  await expect(page.getByRole('button', { name: 'Approve' })).toBeVisible()
})
