import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { getMeetCard } from '#modules/google/contributions.ts'
import { connect } from '#modules/google/e2e/support.ts'
import { checkMeet, disconnectMeet } from '#modules/google/services/meet-connection.ts'
import { readMeetingCode } from '#modules/google/services/meet-transcripts.ts'
import { NewAppointment } from '#modules/scheduling/forms.ts'
import { createAppointment } from '#modules/scheduling/index.ts'
import { runSearch } from '#modules/summaries/detection/run-search.ts'
import { getSearch } from '#modules/summaries/detection/queries.ts'
import { standardWording } from '#modules/summaries/fields.ts'
import { findTranscript, getLines } from '#modules/summaries/queries/transcripts.ts'
import { giveConsent } from '#modules/summaries/services/consents.ts'
import { loadSession } from '#modules/summaries/session-loader.server.ts'
import type { FakeMeeting } from '#tests/fakes/google/meet-store.ts'
import { startFakeGoogle } from '#tests/fakes/google/server.ts'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'

const google = await startFakeGoogle({ now: () => app.clock.now })
const app = createTestApp(google.env)
afterAll(() => google.close())

const start = new Date('2026-03-10T14:00:00Z')
const end = new Date('2026-03-10T15:00:00Z')
const calendarScopes = [
  'openid',
  'email',
  'https://www.googleapis.com/auth/calendar.events',
  'https://www.googleapis.com/auth/calendar.calendarlist.readonly',
]
const meetScope = 'https://www.googleapis.com/auth/meetings.space.readonly'
let numbers = 0
const at = (minutes: number) => void (app.clock.now = new Date(end.getTime() + minutes * 60_000))
beforeEach(() => {
  at(1)
  google.stopFailing()
  google.meet.meetings.splice(0)
})

/** A session on Google Meet that is completed, of a coach who lets us read transcripts. */
async function createSession({
  readsMeet = true,
  meetingUrl = 'https://meet.google.com/abc-defg-hij' as string | null,
} = {}) {
  const coach = await createCoach({ plan: 'pro' })
  const email = `coach${++numbers}@gmail.com`
  await connect(coach, google, { email, withMeet: readsMeet })
  const { id: clientId } = await createClient({ coach, name: 'Grace Hopper' })
  const times = { startTime: start.toISOString(), endTime: end.toISOString() }
  const { id } = await inTenant(coach, async (tx) => {
    await giveConsent(tx, { clientId }, { channel: 'spoken', wording: standardWording })
    return createAppointment(tx, NewAppointment.parse({ title: 'Spring plan', clientId, meetingUrl, ...times }))
  })
  const { body } = await app.call('POST', `/api/appointments/${id}/complete`, { as: coach, body: { notes: null } })
  return {
    coach,
    id,
    email,
    isStarted: body.revAiEnabled as boolean,
    meet(meeting: Partial<FakeMeeting> = {}) {
      const participants = ['Ada Coach', 'Grace Hopper']
      const transcript = [
        { participant: 0, text: 'What has happened since we last spoke?', atSeconds: 5 },
        { participant: 1, text: 'I will send the plan <soon> & call her by Friday.', atSeconds: 12 },
      ]
      const times = { startTime: new Date(start.getTime() + 60_000), endTime: end }
      google.meet.meetings.push({
        email,
        id: `m${++numbers}`,
        code: 'abc-defg-hij',
        participants,
        transcript,
        ...times,
        ...meeting,
      })
    },
    look: () => runSearch(app.platform, { coachId: coach.id, appointmentId: id }),
    read: async () => getSearch(await contextFor(coach), id),
    readLines: async () => {
      const ctx = await contextFor(coach)
      const found = await findTranscript(ctx, id)
      return found && { source: found.source, lines: await getLines(ctx, found.id) }
    },
  }
}

test.each([
  ['by the meeting', {}, {}],
  ['by who took part', { meetingUrl: null }, {}],
])('the transcript of a session on Google Meet is found %s', async (_name, options, meeting) => {
  const session = await createSession(options)
  expect(session.isStarted).toBe(true)
  session.meet(meeting)
  at(5)
  await session.look()
  expect(await session.read()).toMatchObject({ recordingDetectionStatus: 'found', recordingDetectionAttempts: 1 })
  const { source, lines } = (await session.readLines())!
  expect(source).toBe('meet')
  expect(lines.map(({ speaker, startMs, text }) => [speaker, startMs, text])).toEqual([
    ['Ada Coach', 5000, 'What has happened since we last spoke?'],
    ['Grace Hopper', 12000, 'I will send the plan <soon> & call her by Friday.'],
  ])
})

test('a transcript that is not made yet is waited for, and the coach reads what it needs', async () => {
  const session = await createSession()
  session.meet({ transcript: 'ENDED' })
  at(5)
  await session.look()
  expect(await session.read()).toMatchObject({
    recordingDetectionStatus: 'searching',
    failure: expect.stringContaining('paid Workspace editions'),
  })
  google.meet.meetings[0]!.transcript = [{ participant: 1, text: 'Here it is, at last.', atSeconds: 1 }]
  at(15)
  await session.look()
  expect((await session.read()).recordingDetectionStatus).toBe('found')
})

test('a meeting with somebody unknown is offered to the coach', async () => {
  const session = await createSession({ meetingUrl: null })
  session.meet({ participants: ['Ada Coach', 'Guest'] })
  at(5)
  await session.look()
  expect((await session.read()).candidates).toHaveLength(1)
  expect(await session.readLines()).toBeNull()
})

test('without the permission for transcripts nothing is looked for', async () => {
  const session = await createSession({ readsMeet: false })
  expect(session.isStarted).toBe(false)
  expect(await session.read()).toMatchObject({ recordingDetectionStatus: 'pending', nextAttemptAt: null })
})

test.each([
  ['is away', 'nothing', 'Google Meet can’t be reached. There is nothing to do.'],
  ['answers garbage', 'garbage', 'Google Meet can’t be read.'],
  ['asks to wait', 'quota', 'Google asks us to wait. There is nothing to do.'],
] as const)('while Google %s, the search says so and goes on', async (_name, failure, message) => {
  const session = await createSession()
  session.meet()
  google.fail(/conferenceRecords/, failure)
  at(5)
  await session.look()
  expect(await session.read()).toMatchObject({ recordingDetectionStatus: 'searching', failure: message })
  google.stopFailing()
  at(15)
  await session.look()
  expect((await session.read()).recordingDetectionStatus).toBe('found')
})

test('when Google never answers, the look ends in time', async () => {
  const session = await createSession()
  const { timeout } = AbortSignal
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout.call(AbortSignal, 20))
  onTestFinished(() => spy.mockRestore())
  google.fail(/conferenceRecords/, 'silence')
  at(5)
  await session.look()
  expect(await session.read()).toMatchObject({
    recordingDetectionStatus: 'searching',
    failure: 'Google Meet can’t be reached. There is nothing to do.',
  })
  expect(spy.mock.calls.every(([ms]) => ms <= 60_000)).toBe(true)
})

test('a search that is given up says which meetings have transcripts', async () => {
  const session = await createSession()
  at(24 * 60)
  await session.look()
  expect((await session.read()).recordingDetectionStatus).toBe('not_found')
  const { search } = await loadSession(await contextFor(session.coach), session.id, `/session-summaries/${session.id}`)
  expect(search).toMatchObject({ status: 'not_found', limits: expect.stringContaining('for 30 days') })
})

test('a connection that Google has ended is reported', async () => {
  const session = await createSession()
  google.oauth.revokeAccount(session.email)
  at(5)
  await session.look()
  expect((await session.read()).failure).toBe('Google has ended the connection. Connect again in Settings.')
})

describe('Google Meet in the settings', () => {
  const getMeet = async (coach: Coach) => (await getMeetCard(await contextFor(coach))).connection
  const check = async (coach: Coach) => checkMeet(await contextFor(coach))

  test('is connected and disconnected by itself, while Google Calendar stays', async () => {
    const coach = await createCoach({ plan: 'pro' })
    const email = `coach${++numbers}@gmail.com`
    await connect(coach, google, { email })
    expect(await getMeet(coach)).toBeNull()
    expect(await connect(coach, google, { email, withMeet: true })).toMatchObject({ failure: null, withMeet: true })
    expect(await getMeet(coach)).toMatchObject({ email, health: { label: 'Connected', text: 'Not reached yet.' } })
    // Connecting the calendar again keeps it.
    await connect(coach, google, { email })
    expect(await getMeet(coach)).toMatchObject({ email })
    await inTenant(coach, disconnectMeet)
    expect(await getMeet(coach)).toBeNull()
    expect((await app.call('GET', '/api/user', { as: coach })).body.googleConnected).toBe(true)
    await expect(check(coach)).rejects.toMatchObject({ code: 'conflict' })
    await expect(inTenant(coach, disconnectMeet)).rejects.toMatchObject({ code: 'conflict' })
    // Google repeats what was granted before, without having been asked for it.
    const scopes = [...calendarScopes, meetScope]
    expect(await connect(coach, google, { email, scopes })).toMatchObject({ failure: null })
    expect(await getMeet(coach)).toBeNull()
  })

  test('is not connected when its box was not ticked', async () => {
    const coach = await createCoach({ plan: 'pro' })
    const consent = { email: `coach${++numbers}@gmail.com`, scopes: calendarScopes, withMeet: true }
    expect(await connect(coach, google, consent)).toMatchObject({ failure: 'missing_meet' })
    expect(await getMeet(coach)).toBeNull()
    expect((await app.call('GET', '/api/user', { as: coach })).body.googleConnected).toBe(true)
  })

  test.each([
    ['nothing', 'Google Meet can’t be reached. There is nothing to do.'],
    ['garbage', 'Google Meet can’t be read.'],
    ['quota', 'Google asks us to wait. There is nothing to do.'],
    [403, 'Google does not let us read transcripts. Connect Google Meet again in Settings.'],
  ] as const)('says when it was last reached, and what to do while Google answers %s', async (failure, text) => {
    const { coach } = await createSession()
    await check(coach)
    const worked = 'Last reached: Mar 10, 2026, 11:01 AM.'
    expect((await getMeet(coach))!.health).toEqual({ tone: 'success', label: 'Connected', text: worked })
    google.fail(/conferenceRecords/, failure)
    at(30)
    await expect(check(coach)).rejects.toMatchObject({ code: 'upstream_failed', message: text })
    const broken = { tone: 'warning', label: 'Not working', text: `${worked} ${text}` }
    expect((await getMeet(coach))!.health).toEqual(broken)
    google.stopFailing()
    await check(coach)
    expect((await getMeet(coach))!.health.label).toBe('Connected')
  })

  test('says so once Google has ended the connection', async () => {
    const { coach, email } = await createSession()
    google.oauth.revokeAccount(email)
    await expect(check(coach)).rejects.toMatchObject({ code: 'upstream_failed' })
    expect(await getMeet(coach)).toMatchObject({ needsReconnect: true, health: { label: 'Disconnected by Google' } })
    await expect(check(coach)).rejects.toMatchObject({ code: 'conflict' })
  })
})

test('the code of a meeting is read from its address alone', () =>
  expect(
    [
      'https://meet.google.com/abc-defg-hij?authuser=0',
      'https://meet.google.com/lookup/x',
      'https://example.com/abc-defg-hij',
    ].map(readMeetingCode),
  ).toEqual(['abc-defg-hij', null, null]))
