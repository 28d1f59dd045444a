import { NewAppointment } from '#modules/scheduling/forms.ts'
import { completeSession, createAppointment } from '#modules/scheduling/services/appointments.ts'
import { contextFor, createClient, expect, inTenant, test } from '#tests/e2e/support/test-app.ts'

const transcript = [
  '[00:00:05] Ada Coach: What has happened since we last spoke?',
  '[00:00:12] Grace: I told my manager that I answer messages after eight, and she agreed at once.',
  '[00:01:20] Grace: Most of what I feared did not happen, the fear was only in my head.',
  '[00:02:05] Grace: I will send you the plan for the spring by Friday.',
].join('\n')

test('a session gets a cited summary with the consent of the client, and loses it when that is withdrawn', async ({
  page,
  app,
}) => {
  const coach = await app.createCoach({ plan: 'pro', ownHost: true })
  const { id: clientId } = await createClient({ coach, name: 'Grace Hopper' })
  const start = (await contextFor(coach)).now().getTime() - 7_200_000
  await inTenant(coach, async (tx) => {
    const times = { startTime: new Date(start).toISOString(), endTime: new Date(start + 3_600_000).toISOString() }
    const { id } = await createAppointment(tx, NewAppointment.parse({ title: 'Spring plan', clientId, ...times }))
    await completeSession(tx, id, { notes: null })
    const ahead = {
      startTime: new Date(start + 86_400_000).toISOString(),
      endTime: new Date(start + 90_000_000).toISOString(),
    }
    await createAppointment(tx, NewAppointment.parse({ title: 'Next step', clientId, ...ahead }))
  })
  await coach.signIn(page.context())
  await page.goto('/session-summaries')
  await page.getByRole('list', { name: 'Session Management' }).getByRole('link', { name: 'Spring plan' }).click()
  await expect(page.getByText('Record the consent first.')).toBeVisible()

  await page.getByRole('link', { name: 'Record Consent' }).click()
  const dialog = page.getByRole('dialog', { name: 'Record Consent' })
  await expect(dialog.getByLabel('What they agreed to')).toHaveValue(/transcribes our sessions/)
  await dialog.getByRole('button', { name: 'Record Consent' }).click()
  await page.getByRole('textbox', { name: 'Transcript' }).fill(transcript)
  await page.getByRole('button', { name: 'Add Transcript' }).click()

  // A job makes the summary; the page waits for it.
  const actions = page.getByRole('list', { name: 'Action items' })
  await expect(actions).toContainText('I will send you the plan for the spring by Friday.')
  await actions.getByRole('link', { name: 'Line 4 of the transcript' }).click()
  await expect(page.locator('#line-4')).toHaveAttribute('aria-current', 'true')
  await page.getByLabel('Search this transcript').fill('feared')
  await expect(page.getByText('1 line contains these words.')).toBeVisible()

  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Action 1').fill('Send the plan for the spring.')
  await page.getByRole('button', { name: 'Save Summary' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('It is on the timeline of the client.')).toBeVisible()
  await page.getByRole('button', { name: 'Mark as Shared' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Stop Sharing' })).toBeFocused()
  await page.getByRole('button', { name: 'Email to Client' }).click()
  await expect(page.getByRole('button', { name: 'Email Again' })).toBeVisible()
  await page.getByRole('link', { name: 'Session Notes', exact: true }).first().click()
  await page.getByRole('list', { name: 'Session Management' }).getByRole('link', { name: 'Next step' }).click()
  await expect(page.getByRole('list', { name: 'Promised last time' })).toContainText('Send the plan for the spring.')
  await page.getByRole('link', { name: 'Session Notes', exact: true }).first().click()
  const recent = page.getByRole('list', { name: 'Recent AI-Generated Summaries' })
  await expect(recent).toContainText('Send the plan for the spring.')
  await expect(recent.getByText('Manual Rev.ai')).toBeVisible()

  await recent.getByRole('link', { name: 'Read transcript' }).click()
  await page.getByRole('link', { name: 'Withdraw Consent' }).click()
  await page.getByRole('button', { name: 'Withdraw and Delete' }).click()
  await expect(page.getByText('Everything that came from the transcripts was deleted.')).toBeVisible()
  await expect(page.locator('#line-1')).toHaveCount(0)
})
