import { describe, expect, test } from 'vitest'
import { NewAppointment } from '#modules/scheduling/forms.ts'
import { fillSlot } from '#modules/core/slots.ts'
import type { TimelineEntry } from '#modules/crm/index.ts'
import { completeSession, createAppointment, listAppointments, setRecordingState } from '#modules/scheduling/index.ts'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import type { Drafts } from './contributions.ts'
import { standardWording } from './fields.ts'
import { loadOverview } from './overview-loader.server.ts'
import { findSummary } from './queries/summaries.ts'
import { giveConsent, withdrawLatestConsent } from './services/consents.ts'
import { getSetupNote, makeSummary } from './services/generation.ts'
import { approveSummary } from './services/summaries.ts'
import { addTranscript } from './services/transcripts.ts'

const app = createTestApp()
const hour = 3_600_000
const day = 24 * hour

type Session = { hours: number; title?: string; completed?: boolean; summaryGenerated?: boolean; jobId?: string }

/** A coach whose sessions begin `hours` from now. */
async function createPractice(sessions: Session[]) {
  const coach = await createCoach({ plan: 'pro', timezone: 'UTC' })
  const { id: clientId } = await createClient({ coach, name: 'Grace Hopper' })
  const ids = await inTenant(coach, async (tx) => {
    await giveConsent(tx, { clientId }, { channel: 'spoken', wording: standardWording })
    const added: number[] = []
    for (const { hours, title = 'Spring plan', completed, summaryGenerated = false, jobId = null } of sessions) {
      const start = app.clock.now.getTime() + hours * hour
      const times = { startTime: new Date(start).toISOString(), endTime: new Date(start + hour).toISOString() }
      const { id } = await createAppointment(tx, NewAppointment.parse({ title, clientId, ...times }))
      if (completed) await completeSession(tx, id, { notes: null })
      if (summaryGenerated || jobId) await setRecordingState(tx, [id], { summaryGenerated, revaiJobId: jobId })
      added.push(id)
    }
    return added
  })
  return { coach, ids }
}

const load = async (coach: Coach, query = '') => loadOverview(await contextFor(coach), `/session-summaries${query}`)

async function summarize(coach: Coach, id: number, source: 'paste' | 'zoom' = 'paste', isApproved = true) {
  const content = [
    '[00:00:12] Grace: Most of what I feared did not happen, the fear was only in my head.',
    '[00:02:05] Grace: I will send you the plan for the spring by Friday.',
    '[00:41:30] Ada Coach: I will read the plan before our next session.',
  ].join('\n')
  await inTenant(coach, (tx) => addTranscript(tx, id, { source, fileName: null, content, field: 'text' }))
  await makeSummary(app.platform, { coachId: coach.id, appointmentId: id })
  if (isApproved) await inTenant(coach, async (tx) => approveSummary(tx, (await findSummary(tx, id))!.id))
}

describe('the four cards', () => {
  test('count completed sessions, summaries, those without, and the rounded rate', async () => {
    const done = { completed: true, summaryGenerated: true }
    const { coach } = await createPractice([
      { hours: -3, ...done },
      { hours: -5, ...done },
      { hours: -7, completed: true },
      { hours: -9 },
    ])
    expect((await load(coach)).stats).toMatchObject({ completed: 3, generated: 2, pending: 1, rate: 67, clients: 1 })
  })

  test('of a new practice are 0, and so is the rate', async () => {
    const overview = await load(await createCoach())
    expect(overview.stats).toMatchObject({ completed: 0, generated: 0, pending: 0, rate: 0 })
    expect(overview).toMatchObject({ recent: [], sessions: [], pending: [], morePending: 0 })
  })
})

test('three pending sessions are shown, oldest first, and how many more there are', async () => {
  const { coach } = await createPractice(
    [3, 5, 7, 9, 11].map((hours) => ({ hours: -hours, title: `Session ${hours}`, completed: true })),
  )
  const { pending, morePending } = await load(coach)
  expect(pending.map(({ title }) => title)).toEqual(['Session 11', 'Session 9', 'Session 7'])
  expect(morePending).toBe(2)
})

describe('session management', () => {
  test('lists what began in the last seven days, latest first, then what is ahead', async () => {
    const week = (7 * day) / hour
    const { coach } = await createPractice(
      [-week - 0.1, -week, -2, 1, 24, 2400].map((hours) => ({ hours, title: `${hours}` })),
    )
    expect((await load(coach)).sessions.map(({ title }) => title)).toEqual(['-2', `${-week}`, '1', '24', '2400'])
  })

  test('has all of them, twenty on a page; a page after the last one leads to that', async () => {
    const { coach } = await createPractice(Array.from({ length: 23 }, (_, index) => ({ hours: 2 * index - 3 })))
    const [first, second] = [await load(coach), await load(coach, '?page=2')]
    expect([first.count, first.sessions.length, second.sessions.length]).toEqual([23, 20, 3])
    expect(new Set([...first.sessions, ...second.sessions].map(({ id }) => id)).size).toBe(23)
    const answer = await load(coach, '?page=9').catch((thrown: Response) => thrown.headers.get('location'))
    expect(answer).toBe('/session-summaries?page=2')
  })

  test('offers completing, generating and the label of the specified states', async () => {
    const { coach } = await createPractice([
      { hours: 1, title: 'ahead' },
      { hours: -1, title: 'begun' },
      { hours: -2, title: 'completed', completed: true },
      { hours: -3, title: 'processing', completed: true, jobId: 'job' },
      { hours: -4, title: 'summarized', completed: true, summaryGenerated: true },
    ])
    const { sessions } = await load(coach)
    expect(
      sessions.map(({ title, canComplete, canGenerate, note }) => [title, canComplete, canGenerate, note]),
    ).toEqual([
      ['begun', true, false, null],
      ['completed', false, true, 'Rev.ai not configured'],
      ['processing', false, false, null],
      ['summarized', false, false, null],
      ['ahead', false, false, null],
    ])
  })

  test('has no such label where Rev.ai is configured', async () => {
    const { coach } = await createPractice([])
    const ctx = await contextFor(coach)
    const state = { sessionCompleted: true, summaryGenerated: false, isProcessing: false }
    expect(getSetupNote(ctx, state)).toBe('Rev.ai not configured')
    const config = { ...ctx.platform.config, revai: { accessToken: 'x', baseUrl: 'https://api.rev.ai' } }
    expect(getSetupNote({ ...ctx, platform: { ...ctx.platform, config } }, state)).toBeNull()
  })
})

describe('recent summaries', () => {
  test('are at most five, the latest first, with their label and length', async () => {
    const { coach, ids } = await createPractice(
      [4, 6, 8, 10, 12, 14].map((hours) => ({ hours: -hours, completed: true })),
    )
    for (const [index, id] of ids.entries()) await summarize(coach, id, index === 0 ? 'zoom' : 'paste')
    const { recent } = await load(coach)
    expect(recent.map(({ appointmentId }) => appointmentId)).toEqual(ids.slice(0, 5))
    expect(recent.map(({ isAuto }) => isAuto)).toEqual([true, false, false, false, false])
    expect(recent[0]).toMatchObject({ clientName: 'Grace Hopper', minutes: 42, isExtract: true, day: 'Today' })
    expect(recent[0]!.actions).toMatchObject([{ due: 'Mar 13' }, { due: null }])
  })

  test('are searched by their words and by the client', async () => {
    const { coach, ids } = await createPractice([{ hours: -4, completed: true }])
    await summarize(coach, ids[0]!)
    for (const [q, found] of [
      ['spring', 1],
      ['hopper', 1],
      ['autumn', 0],
    ] as const)
      expect((await load(coach, `?q=${q}`)).recent, q).toHaveLength(found)
  })
})

test('the dashboard has the three latest drafts, and how many more there are, until they are approved', async () => {
  const { coach, ids } = await createPractice(
    [4, 6, 8, 10].map((hours) => ({ hours: -hours, title: `Session ${hours}`, completed: true })),
  )
  const loadCard = async () => {
    const filled = await fillSlot(await contextFor(coach), 'dashboard.side')
    return filled.find(({ key }) => key === 'summaries/drafts')!.data as Drafts
  }
  expect(await loadCard()).toEqual({ drafts: [], more: 0 })
  for (const id of ids) await summarize(coach, id, 'paste', false)
  const drafts = [4, 6, 8].map((hours, index) => ({ id: ids[index], title: `Session ${hours}`, name: 'Grace Hopper' }))
  expect(await loadCard()).toEqual({ drafts, more: 1 })
  await inTenant(coach, async (tx) => approveSummary(tx, (await findSummary(tx, ids[0]!))!.id))
  expect((await loadCard()).more).toBe(0)
})

test('the timeline of the client has consents, withdrawals and what was approved, with the way to the session', async () => {
  const { coach, ids } = await createPractice([{ hours: -4, completed: true }])
  const [id] = ids as [number]
  const [session] = await listAppointments(await contextFor(coach), {})
  const clientId = session!.clientId!
  const loadTimeline = async () => {
    const filled = await fillSlot(await contextFor(coach), 'client.timeline', { id: String(clientId) })
    return filled.flatMap(({ data }) => data as TimelineEntry[])
  }
  await summarize(coach, id)
  app.clock.now = new Date(app.clock.now.getTime() + hour)
  await inTenant(coach, (tx) => giveConsent(tx, { appointmentId: id }, { channel: 'email', wording: '*Yes*, please.' }))
  const consents = async () => (await loadTimeline()).filter(({ kind }) => kind === 'consent')
  expect(await consents()).toMatchObject([
    {
      title: 'Agreed to transcripts of a session',
      text: 'By email: \\*Yes\\*, please.',
      to: `/session-summaries/${id}`,
    },
    { title: 'Agreed to transcripts of all sessions', to: null },
  ])
  const listKindsWithQuote = async () =>
    (await loadTimeline()).flatMap(({ kind, text }) => (text?.includes('read the plan before') ? [kind] : []))
  expect(await listKindsWithQuote()).toContain('interaction')

  app.clock.now = new Date(app.clock.now.getTime() + hour)
  for (const of of [{ appointmentId: id }, { clientId }]) await inTenant(coach, (tx) => withdrawLatestConsent(tx, of))
  const after = await loadTimeline()
  expect(after.filter(({ kind }) => kind === 'consent').map(({ title, at }) => [title, Date.parse(at)])).toEqual([
    ['Withdrew the consent to transcripts of a session', app.clock.now.getTime()],
    ['Agreed to transcripts of a session', app.clock.now.getTime() - hour],
    ['Withdrew the consent to transcripts of all sessions', app.clock.now.getTime()],
    ['Agreed to transcripts of all sessions', app.clock.now.getTime() - 2 * hour],
  ])
  expect(await listKindsWithQuote()).toEqual([])
})
