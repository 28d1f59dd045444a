import type { Page } from '@playwright/test'
import { NewAppointment } from '#modules/scheduling/forms.ts'
import { createAppointment } from '#modules/scheduling/index.ts'
import { standardWording } from '#modules/summaries/fields.ts'
import { findRecording } from '#modules/summaries/recordings/queries.ts'
import { requestResult } from '#modules/summaries/recordings/queue.ts'
import { giveConsent } from '#modules/summaries/services/consents.ts'
import { findConnection } from '#modules/zoom/queries/connection.ts'
import { contextFor, createClient, expect, inTenant, test, type TestApp } from './support/test-app.ts'
import { waitForHydration } from './support/wait-for-idle.ts'

// The modules summaries and zoom together.

test('a session on Zoom becomes a cited summary, search finds a sentence said in it, and it all goes with the consent', async ({
  page,
  app,
}) => {
  const { coach, id } = await completeSession({ page, app, meetingUrl: 'https://us02web.zoom.us/j/86512345678' })
  await page.goto(`/session-summaries/${id}`)
  await waitForHydration(page)
  await expect(page.getByText('Rev.ai is transcribing the recording.')).toBeVisible()
  // As Rev.ai's webhook does it, which needs a public address.
  await inTenant(coach, async (tx) => requestResult(tx, (await findRecording(tx, id))!.id))
  const actions = page.getByRole('list', { name: 'Action items' })
  await expect(actions).toContainText('I will send the plan for the spring to my manager by Friday.')
  await actions.getByRole('link', { name: 'Line 2 of the transcript' }).click()
  await expect(page.locator('#line-2')).toHaveAttribute('aria-current', 'true')

  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await waitForHydration(page)
  await page.getByLabel('Action 1').fill('Send the plan to the manager.')
  await page.getByRole('button', { name: 'Save Summary' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('It is on the timeline of the client.')).toBeVisible()

  const searchSentence = '/search?q=send+the+plan+for+the+spring'
  await page.goto(searchSentence)
  await waitForHydration(page)
  await page.getByRole('main').getByRole('link', { name: 'I will send the plan for the spring' }).click()
  await expect(page.locator('#line-2')).toHaveAttribute('aria-current', 'true')
  await page.getByRole('link', { name: 'Withdraw Consent' }).click()
  await page.getByRole('button', { name: 'Withdraw and Delete' }).click()
  await expect(page.getByText('Everything that came from the transcripts was deleted.')).toBeVisible()
  await expect(page.locator('#line-2')).toHaveCount(0)
  await expect(actions).toHaveCount(0)
  await page.goto(searchSentence)
  await expect(page.getByText('No results found')).toBeVisible()
})

test('a recording at about the time of a session in a room of its own is offered, and used when the coach says so', async ({
  page,
  app,
}) => {
  const { coach, id } = await completeSession({ page, app, meetingUrl: 'https://meet.example.com/grace' })
  await page.goto(`/session-summaries/${id}`)
  await waitForHydration(page)
  await expect(async () => {
    await page.reload()
    await expect(
      page.getByText('A recording was made at about that time. Does it belong to this session?'),
    ).toBeVisible({
      timeout: 1_000,
    })
  }).toPass()
  await waitForHydration(page)
  const offered = page.getByRole('list', { name: 'Recordings at that time' })
  await expect(offered.getByRole('listitem')).toHaveCount(1)
  await offered.getByRole('button', { name: /^Use Spring plan, / }).press('Enter')
  await expect(page.getByText('Rev.ai is transcribing the recording.')).toBeVisible()
  await expect(offered).toHaveCount(0)
  await inTenant(coach, async (tx) => requestResult(tx, (await findRecording(tx, id))!.id))
  await expect(page.getByRole('list', { name: 'Action items' })).toContainText('I will send the plan for the spring')
})

/** A coach on Pro connects Zoom, and completes a session of an hour that began two hours ago. */
async function completeSession({ page, app, meetingUrl }: { page: Page; app: TestApp; meetingUrl: string }) {
  const coach = await app.createCoach({ plan: 'pro' })
  const { id: clientId } = await createClient({ coach, name: 'Grace Hopper' })
  const start = (await contextFor(coach)).now().getTime() - 7_200_000
  const { id } = await inTenant(coach, async (tx) => {
    await giveConsent(tx, { clientId }, { channel: 'spoken', wording: standardWording })
    return createAppointment(
      tx,
      NewAppointment.parse({
        title: 'Spring plan',
        clientId,
        startTime: new Date(start).toISOString(),
        endTime: new Date(start + 3_600_000).toISOString(),
        meetingUrl,
      }),
    )
  })
  await coach.signIn(page.context())
  await page.goto('/settings/zoom')
  await waitForHydration(page)
  await page.getByRole('link', { name: 'Connect Zoom' }).click()
  const email = `coach${coach.id}@zoom.example`
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByText('Zoom Connected')).toBeVisible()
  expect(await findConnection(await contextFor(coach))).toMatchObject({ email, state: 'connected' })

  await page.goto(`/calendar?dialog=complete&appointment=${id}`)
  await waitForHydration(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Mark Complete' }).click()
  await expect(page.getByText('Spring plan and summary generation started')).toBeVisible()
  return { coach, id }
}
