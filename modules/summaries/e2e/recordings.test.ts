import { writeFile } from 'node:fs/promises'
import { NewAppointment } from '#modules/scheduling/forms.ts'
import { completeSession, createAppointment } from '#modules/scheduling/services/appointments.ts'
import { standardWording } from '#modules/summaries/fields.ts'
import { findRecording } from '#modules/summaries/recordings/queries.ts'
import { requestResult } from '#modules/summaries/recordings/queue.ts'
import { createSilence } from '#modules/summaries/seed/recording.ts'
import { saveSettings } from '#modules/summaries/services/settings.ts'
import { giveConsent } from '#modules/summaries/services/consents.ts'
import { partBytes } from '#tenants/files/store.ts'
import { createUpload, listStartedUploads } from '#tenants/files/uploads.ts'
import { contextFor, createClient, expect, inTenant, test, type Coach } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

/** A session of a client who agrees to recordings. */
async function createCompletedSession(coach: Coach): Promise<number> {
  const { id: clientId } = await createClient({ coach, name: 'Grace Hopper' })
  const start = (await contextFor(coach)).now().getTime() - 7_200_000
  return inTenant(coach, async (tx) => {
    const times = { startTime: new Date(start).toISOString(), endTime: new Date(start + 3_600_000).toISOString() }
    const { id } = await createAppointment(tx, NewAppointment.parse({ title: 'Spring plan', clientId, ...times }))
    await completeSession(tx, id, { notes: null })
    await giveConsent(tx, { clientId }, { channel: 'spoken', wording: standardWording })
    return id
  })
}

test('an interrupted upload of a recording is discarded', async ({ page, app }) => {
  const coach = await app.createCoach({ plan: 'pro' })
  const session = await createCompletedSession(coach)
  for (const name of ['Session.wav', 'Notes.pdf'])
    await createUpload(await contextFor(coach), { name, size: 3 * partBytes })
  await coach.signIn(page.context())
  await page.goto(`/session-summaries/${session}`)
  await waitForHydration(page)
  await expect(page.getByText('Notes.pdf')).toHaveCount(0)
  await page.getByRole('link', { name: 'Discard “Session.wav”' }).click()
  const dialog = page.getByRole('dialog', { name: 'Discard Upload' })
  await dialog.getByRole('button', { name: 'Discard Upload' }).click()
  await expect(page.getByText('Upload discarded')).toBeVisible()
  await expect(page).toHaveURL(`/session-summaries/${session}`)
  await expect(page.getByText('Session.wav')).toHaveCount(0)
  expect(await listStartedUploads(await contextFor(coach))).toMatchObject([{ name: 'Notes.pdf' }])
})

test('a recording is uploaded, also after a reload, transcribed by Rev.ai, summarized, and kept to listen to what is cited', async ({
  page,
  app,
}, testInfo) => {
  const coach = await app.createCoach({ plan: 'pro' })
  const session = await createCompletedSession(coach)
  await inTenant(coach, (tx) => saveSettings(tx, { wording: null, transcriptDays: null, recordingDays: 30 }))
  await coach.signIn(page.context())
  await page.goto(`/session-summaries/${session}`)
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Upload Recording' }).click()
  await expect(page.getByText('Choose a recording.')).toBeVisible()

  const file = testInfo.outputPath('Session.wav')
  await writeFile(file, Buffer.concat([createSilence(), Buffer.alloc(partBytes)]))
  const offsets: (string | null)[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT') offsets.push(new URL(request.url()).searchParams.get('offset'))
  })
  // This upload has expired.
  await page.evaluate(() => localStorage.setItem('upload:expired', '999999999'))
  // The last part stays on its way.
  await page.route(`**/api/uploads/*?offset=${partBytes}`, () => {})
  await page.getByLabel('Recording file').setInputFiles(file)
  await page.getByRole('button', { name: 'Upload Recording' }).click()
  await expect.poll(() => offsets).toEqual(['0', String(partBytes)])
  await page.reload()
  await page.unrouteAll()
  await waitForHydration(page)
  await expect(page.getByText('Choose the same file again to go on.')).toBeVisible()
  const started = page.getByRole('list', { name: 'Interrupted uploads' })
  await expect(started.getByText('“Session.wav” stopped at 99 %')).toBeVisible()
  await page.getByLabel('Recording file').setInputFiles(file)
  await page.getByRole('button', { name: 'Upload Recording' }).click()
  await expect(page.getByText('Rev.ai is transcribing the recording.')).toBeVisible()
  await expect(page.getByText('Session.wav, 5.3 MB')).toBeVisible()
  expect(offsets.slice(2)).toEqual([String(partBytes)])
  expect(await page.evaluate(() => localStorage.getItem('upload:expired'))).toBeNull()

  // As Rev.ai's webhook does it, which needs a public address.
  await inTenant(coach, async (tx) => requestResult(tx, (await findRecording(tx, session))!.id))
  await expect(page.getByRole('list', { name: 'Transcript' })).toContainText('I will send the plan for the spring')
  const actions = page.getByRole('list', { name: 'Action items' })
  await expect(actions).toContainText('I will send the plan for the spring to my manager by Friday.')
  await expect(page.getByText('Rev.ai is transcribing')).toHaveCount(0)

  const player = page.getByLabel('Recording Session.wav')
  await expect(page.getByText(/The recording is kept until/)).toBeVisible()
  await actions
    .getByRole('link', { name: /^Line \d+ of the transcript$/ })
    .first()
    .click()
  await expect.poll(() => player.evaluate((media: HTMLMediaElement) => media.currentTime)).toBeGreaterThan(0)
})
