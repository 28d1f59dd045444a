import { expect, test } from 'vitest'
import { NewAppointment } from '#modules/scheduling/forms.ts'
import { completeSession, createAppointment } from '#modules/scheduling/index.ts'
import { getRecordKind } from '#modules/core/record-kinds.ts'
import { searchAll } from '#modules/core/search.ts'
import { eraseRecord } from '#modules/core/trash.ts'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { findFilesWith, findTablesWith } from '#tests/support/find-word.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { standardWording } from './fields.ts'
import { makeSummary } from './services/generation.ts'
import { emailSummary } from './sharing/email.ts'

const app = createTestApp()
/** In each line of the transcript. */
const canary = 'zebrafinch'

const findTables = (coach: Coach): Promise<string[]> => findTablesWith(app.ownerUrl, coach.id, canary)
const findFiles = (): string[] => findFilesWith(app.platform.config.dataDir, canary)

test('a withdrawn consent leaves no word in any table, job, file or search result', async () => {
  const coach = await createCoach({ plan: 'pro', subdomain: 'grace' })
  const { id: clientId } = await createClient({ coach, name: 'Grace Hopper' })
  const start = app.clock.now.getTime() - 7_200_000
  const addSession = () =>
    inTenant(coach, async (tx) => {
      const times = { startTime: new Date(start).toISOString(), endTime: new Date(start + 3_600_000).toISOString() }
      const { id } = await createAppointment(tx, NewAppointment.parse({ title: 'Spring plan', clientId, ...times }))
      await completeSession(tx, id, { notes: null })
      return id
    })
  const id = await addSession()
  const erased = await addSession()
  const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', to: string, body: object = {}) => {
    const hasBody = method === 'POST' || method === 'PATCH'
    const headers = { 'idempotency-key': `${method} ${to} ${JSON.stringify(body).length}` }
    const result = await app.call(method, `/api${to}`, { as: coach, headers, ...(hasBody ? { body } : {}) })
    expect([method, to, result.status < 300]).toEqual([method, to, true])
    return result.body
  }

  await call('POST', `/clients/${clientId}/recording-consents`, { channel: 'spoken', wording: standardWording })
  const text = [
    `[00:00:05] Grace: I told my ${canary} manager that I answer messages after eight, and she agreed at once.`,
    `[00:01:20] Grace: Most of what the ${canary} feared did not happen, the fear was only in my head.`,
    `[00:02:05] Grace: I will send you the ${canary} plan for the spring by Friday.`,
  ].join('\n')
  const run = (appointmentId = id) => makeSummary(app.platform, { coachId: coach.id, appointmentId })
  // Once through the trash, and a second one that is edited, approved, emailed and changed again.
  const session = `/appointments/${id}`
  await call('POST', `${session}/transcript`, { text })
  await run()
  await call('POST', `${session}/summary/approve`)
  await call('DELETE', `${session}/summary`)
  await call('DELETE', `${session}/transcript`)
  await call('POST', `${session}/transcript`, { text: `${text}\n` })
  await run()
  await call('PATCH', `${session}/summary`, { overview: [{ text: `The ${canary} decides.` }] })
  // Another key, because the first summary was approved by the same path.
  await call('POST', `${session}/summary/approve`, { again: true })
  const { id: summaryId } = await call('POST', `${session}/summary/email`)
  await emailSummary(app.platform, { coachId: coach.id, summaryId })
  await call('PATCH', `${session}/summary`, { takeaways: [{ text: `Trust the ${canary}.` }] })
  // A third one, whose session is permanently deleted; what it added to the client's timeline stays until the withdrawal.
  await call('POST', `/appointments/${erased}/transcript`, { text })
  await run(erased)
  await call('POST', `/appointments/${erased}/summary/approve`)
  await call('DELETE', `/appointments/${erased}`)
  await inTenant(coach, (tx) => eraseRecord(tx, getRecordKind(tx, 'appointment'), erased))
  // The module that keeps tasks may be missing.
  const inTasks = app.platform.extensions.sessionTasks ? ['task'] : []
  const findHits = async () => (await searchAll(await contextFor(coach), canary)).results.map(({ type }) => type)
  // The word is in all of these, so the test would notice it.
  expect(await findTables(coach)).toEqual(
    ['client_interaction', 'history', 'search_content', 'session_summary', 'session_transcript', ...inTasks].sort(),
  )
  const hits = [...new Set(await findHits())].sort()
  expect(hits).toEqual(['interaction', 'summary', 'transcript', ...inTasks].sort())

  await call('POST', `/clients/${clientId}/recording-consents/withdraw`)
  expect(await findTables(coach)).toEqual([])
  expect(await findHits()).toEqual([])
  expect(findFiles()).toEqual([])
  expect((await app.call('GET', `/api/appointments/${id}`, { as: coach })).body).toMatchObject({
    summaryGenerated: false,
    audioUrl: null,
    revaiJobId: null,
  })
})
