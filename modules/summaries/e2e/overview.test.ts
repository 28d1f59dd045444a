import { NewAppointment } from '#modules/scheduling/forms.ts'
import { completeSession, createAppointment } from '#modules/scheduling/services/appointments.ts'
import { setRecordingState } from '#modules/scheduling/index.ts'
import { standardWording } from '#modules/summaries/fields.ts'
import { findSummary } from '#modules/summaries/queries/summaries.ts'
import { giveConsent } from '#modules/summaries/services/consents.ts'
import { summarizeSession } from '#modules/summaries/services/generation.ts'
import { approveSummary, deleteSummary } from '#modules/summaries/services/summaries.ts'
import { addTranscript } from '#modules/summaries/services/transcripts.ts'
import { contextFor, createClient, expect, inTenant, test } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

const content = [
  '[00:00:12] Grace: Most of what I feared did not happen, the fear was only in my head.',
  '[00:41:05] Grace: I will send you the plan for the spring by Friday.',
].join('\n')

test('the page shows each state of a session, and starts summaries', async ({ page, app }) => {
  const coach = await app.createCoach({ plan: 'pro' })
  const { id: clientId } = await createClient({ coach, name: 'Grace Hopper' })
  const ctx = await contextFor(coach)
  const add = (title: string, hours: number, isCompleted = true) =>
    inTenant(coach, async (tx) => {
      const start = ctx.now().getTime() + hours * 3_600_000
      const times = { startTime: new Date(start).toISOString(), endTime: new Date(start + 1_800_000).toISOString() }
      const { id } = await createAppointment(tx, NewAppointment.parse({ title, clientId, ...times }))
      if (isCompleted) await completeSession(tx, id, { notes: null })
      return id
    })
  const summarize = async (id: number) => {
    await inTenant(coach, (tx) => addTranscript(tx, id, { source: 'zoom', fileName: null, content, field: 'text' }))
    await summarizeSession(ctx, id)
    return (await findSummary(ctx, id))!.id
  }
  await inTenant(coach, (tx) => giveConsent(tx, { clientId }, { channel: 'spoken', wording: standardWording }))
  const found = await summarize(await add('Found', -9))
  await inTenant(coach, (tx) => approveSummary(tx, found))
  const deleted = await summarize(await add('Third', -6.5))
  await inTenant(coach, (tx) => deleteSummary(tx, deleted))
  await add('Ahead', 5, false)
  await add('Begun', -1, false)
  const processing = await add('Processing', -4)
  await inTenant(coach, (tx) => setRecordingState(tx, [processing], { revaiJobId: 'job' }))
  for (const [index, title] of ['First', 'Second', 'Fourth'].entries()) await add(title, -8 + index / 2)

  await coach.signIn(page.context())
  await page.goto('/session-summaries')
  await waitForHydration(page)
  const stats = page.getByRole('main')
  for (const text of ['Completed Sessions6', 'Generated Summaries1', 'Pending Summaries5', 'Success Rate17%'])
    await expect(stats).toContainText(text)
  const recent = page.getByRole('list', { name: 'Recent AI-Generated Summaries' })
  await expect(recent.getByText('Auto-generated')).toBeVisible()
  await expect(recent).toContainText('41 min')
  await expect(page.getByText('...and 2 more')).toBeVisible()
  const session = (title: string) =>
    page
      .getByRole('list', { name: 'Session Management' })
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name: title, exact: true }) })
  for (const [title, badge] of [
    ['Ahead', 'Scheduled'],
    ['Second', 'Session Complete'],
    ['Processing', 'Processing Summary'],
    ['Found', 'Summary Complete'],
  ] as const)
    await expect(session(title)).toContainText(badge)
  await expect(session('Begun').getByRole('link', { name: 'Mark Complete' })).toBeVisible()
  await expect(session('Ahead').getByRole('link', { name: 'Mark Complete' })).toHaveCount(0)

  // Nothing is there that a summary could be made of.
  await session('Second').getByRole('button', { name: 'Generate Summary' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Summary Generation Failed' })).toContainText(
    'Rev.ai not configured',
  )
  await session('Third').getByRole('button', { name: 'Generate Summary' }).click()
  await expect(page.getByText('Summary Generation Started')).toBeVisible()
  await expect(session('Third')).toContainText('Summary Complete')
})

test('without transcripts in the plan, the settings say which plans have them', async ({ page, app }) => {
  const coach = await app.createCoach({ plan: 'free' })
  await coach.signIn(page.context())
  await page.goto('/settings')
  await expect(page.getByText('Transcripts and summaries are part of the Pro and Premium plans.')).toBeVisible()
})
