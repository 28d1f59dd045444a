import { beforeEach, describe, expect, test } from 'vitest'
import { convertProspect } from '#modules/pipeline/services/conversion.ts'
import { createProspect } from '#modules/pipeline/services/prospects.ts'
import { NewProspect } from '#modules/pipeline/forms.ts'
import { getRecordKind } from '#modules/core/record-kinds.ts'
import { eraseRecord } from '#modules/core/trash.ts'
import { loadOverview } from '#modules/summaries/overview-loader.server.ts'
import { loadSession } from '#modules/summaries/session-loader.server.ts'
import { makeSummary } from '#modules/summaries/services/generation.ts'
import { addApprovedToClient, approveSummary } from '#modules/summaries/services/summaries.ts'
import { findSummary } from '#modules/summaries/queries/summaries.ts'
import { sendReminders } from '#modules/tasks/services/reminders.ts'
import { listOutbox } from '#tenants/mail.ts'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'

// Approved action items become tasks: the modules summaries, tasks and pipeline together.

const app = createTestApp()
let coach: Coach
let client: number

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  coach = await createCoach({ plan: 'pro', timezone: 'UTC' })
  client = (await createClient({ coach, name: 'Grace Hopper' })).id
})

const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body: object = {}) => {
  const hasBody = method === 'POST' || method === 'PATCH'
  return (await app.call(method, `/api${path}`, { as: coach, ...(hasBody ? { body } : {}) })).body
}

const conversation = [
  '[00:00:12] Grace: I told my manager that I answer messages after eight in the morning, and she agreed at once.',
  '[00:01:20] Grace: Most of what I feared did not happen, the fear was only in my head.',
  '[00:02:05] Grace: I will send you the plan for the spring by Friday.',
  '[00:02:30] Ada Coach: I will read the plan before our next session.',
].join('\n')
const consent = { channel: 'spoken', wording: 'You may transcribe this.' }

/** A completed session with a draft of its summary, by default of the client with a consent for all sessions. */
async function addSession({ own = false, day = '2026-03-09', attendee = { clientId: client } as object } = {}) {
  const times = { startTime: `${day}T09:00:00Z`, endTime: `${day}T10:00:00Z` }
  const { id } = await call('POST', '/appointments', { title: 'Spring plan', ...attendee, ...times })
  await call('POST', `/appointments/${id}/complete`)
  await call('POST', own ? `/appointments/${id}/recording-consents` : `/clients/${client}/recording-consents`, consent)
  await call('POST', `/appointments/${id}/transcript`, { text: conversation })
  await makeSummary(app.platform, { coachId: coach.id, appointmentId: id })
  return id as number
}

const approve = (id: number) => call('POST', `/appointments/${id}/summary/approve`)
const listTasks = async (): Promise<{ id: number; title: string; owner: string; dueDate: string | null }[]> =>
  (await call('GET', '/tasks')).toReversed()
const readNotes = async () => call('GET', `/clients/${client}/interactions`)
const readSession = async (id: number) => loadSession(await contextFor(coach), id, `/session-summaries/${id}`)

test('each action item becomes a task of who promised it, with its date, session and line, once', async () => {
  const id = await addSession()
  await approve(id)
  await approve(id)
  const { id: clientId } = { id: client }
  expect(await listTasks()).toMatchObject([
    { owner: 'client', clientId, dueDate: '2026-03-13', source: 'session', appointmentId: id, line: 3, doneAt: null },
    { owner: 'coach', clientId, dueDate: null, source: 'session', appointmentId: id, line: 4 },
  ])
  const { summary } = await readSession(id)
  expect(summary!.actions.map(({ task }) => task?.isDone)).toEqual([false, false])
})

test('the coach chooses which become tasks, whose and until when, in the summary that they saw', async () => {
  const id = await addSession()
  const { id: summaryId, version } = (await findSummary(await contextFor(coach), id))!
  const choices = [
    { index: 0, isTask: true, owner: 'coach' as const, due: '2026-04-01' },
    { index: 1, isTask: false, owner: 'coach' as const, due: null },
  ]
  const run = (seen: number) => inTenant(coach, (tx) => approveSummary(tx, summaryId, { choices, version: seen }))
  await expect(run(version + 1)).rejects.toMatchObject({ code: 'conflict', subject: 'summary' })
  await run(version)
  expect(await listTasks()).toMatchObject([{ owner: 'coach', dueDate: '2026-04-01', line: 3 }])
  expect(await call('GET', `/appointments/${id}/summary`)).toMatchObject({
    actions: [{ owner: 'coach', due: '2026-04-01' }, { owner: 'coach' }],
  })
})

test('a draft again has no note and no tasks but those that the coach has changed, and adds none of these again', async () => {
  const id = await addSession()
  await approve(id)
  const [hers, mine] = await listTasks()
  await call('PATCH', `/tasks/${hers!.id}`, { title: 'Send the plan' })
  await call('POST', `/appointments/${id}/summary/unapprove`)
  expect((await listTasks()).map(({ title }) => title)).toEqual(['Send the plan'])
  expect(await readNotes()).toEqual([])
  expect(await call('GET', `/appointments/${id}/summary`)).toMatchObject({ status: 'draft', approvedAt: null })
  await call('POST', `/appointments/${id}/summary/approve`, { again: true })
  expect((await listTasks()).map(({ title }) => title)).toEqual(['Send the plan', mine!.title])
  expect(await readNotes()).toHaveLength(1)
})

test('a task that the coach has deleted does not come back', async () => {
  const id = await addSession()
  await approve(id)
  const [hers] = await listTasks()
  await call('DELETE', `/tasks/${hers!.id}`)
  await call('POST', `/appointments/${id}/summary/unapprove`)
  await call('POST', `/appointments/${id}/summary/approve`, { again: true })
  expect(await listTasks()).toHaveLength(1)
})

test('the next session begins with what is open and done of the last one, and its takeaways', async () => {
  const id = await addSession()
  await call('PATCH', `/appointments/${id}/summary`, { takeaways: [{ text: 'Fear is in the head.' }] })
  await approve(id)
  const [hers] = await listTasks()
  await call('PATCH', `/tasks/${hers!.id}`, { title: 'Send the plan' })
  await call('POST', `/tasks/${hers!.id}/complete`)
  const next = await addSession({ day: '2026-03-10' })
  const { previousSummary } = await readSession(next)
  expect(previousSummary).toMatchObject({
    appointmentId: id,
    actions: [
      { text: 'Send the plan', owner: 'client', isOverdue: false, task: { isDone: true, doneOn: 'Mar 10, 2026' } },
      { owner: 'coach', task: { isDone: false } },
    ],
  })
  expect(previousSummary!.takeaways).toEqual(['Fear is in the head.'])
  const { recent } = await loadOverview(await contextFor(coach), '/session-summaries')
  expect(recent[0]!.actions).toMatchObject([
    { text: 'Send the plan', task: { isDone: true } },
    { task: { isDone: false } },
  ])
})

describe('a consent that ends', () => {
  test('for all sessions deletes the tasks too, also changed ones and those in the trash', async () => {
    const id = await addSession()
    await approve(id)
    const [hers, mine] = await listTasks()
    await call('PATCH', `/tasks/${hers!.id}`, { title: 'Send the plan' })
    await call('DELETE', `/tasks/${mine!.id}`)
    await call('POST', '/tasks', { title: 'My own', clientId: client })
    await call('POST', `/clients/${client}/recording-consents/withdraw`)
    expect((await listTasks()).map(({ title }) => title)).toEqual(['My own'])
    expect((await app.call('POST', `/api/tasks/${mine!.id}/restore`, { as: coach })).status).toBe(404)
  })

  test('with its session, because it was for that one alone, leaves no note and no task', async () => {
    const [own, ofClient] = [await addSession({ own: true }), await addSession({ day: '2026-03-08', own: true })]
    for (const id of [own, ofClient]) await approve(id)
    const erase = async (id: number) => {
      await call('DELETE', `/appointments/${id}`)
      await inTenant(coach, (tx) => eraseRecord(tx, getRecordKind(tx, 'appointment'), id))
    }
    await erase(own)
    expect([(await readNotes()).length, (await listTasks()).length]).toEqual([1, 2])
    // A consent for all sessions can still be withdrawn, and then finds them.
    await call('POST', `/clients/${client}/recording-consents`, consent)
    await erase(ofClient)
    expect([(await readNotes()).length, (await listTasks()).length]).toEqual([1, 2])
    await call('POST', `/clients/${client}/recording-consents/withdraw`)
    expect([(await readNotes()).length, (await listTasks()).length]).toEqual([0, 0])
  })
})

test('what was approved of a prospect comes to the client that they become, once', async () => {
  const prospect = await inTenant(coach, async (tx) =>
    createProspect(tx, NewProspect.parse({ name: 'Grace Hopper', email: 'grace@example.com', stageId: 'lead' })),
  )
  const id = await addSession({ own: true, attendee: { prospectId: prospect.id } })
  await approve(id)
  expect(await listTasks()).toEqual([])
  const { id: converted } = await inTenant(coach, (tx) => convertProspect(tx, prospect.id))
  client = converted
  for (let run = 0; run < 2; run++) await inTenant(coach, (tx) => addApprovedToClient(tx, client))
  expect(await readNotes()).toMatchObject([{ source: 'revai_manual', appointmentId: id }])
  expect(await listTasks()).toHaveLength(2)
})

test('the email about what is due quotes nothing of a session', async () => {
  await approve(await addSession())
  app.clock.now = new Date('2026-03-13T09:00:00Z')
  await sendReminders(app.platform, { coachId: coach.id })
  const [email] = (await listOutbox(app.platform.config, 100)).filter(({ to }) => to === coach.email)
  expect(email!.text).toContain('An action item of a session, Grace Hopper does it, due today')
  expect(email!.text).not.toContain('plan')
})
