import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { runHook, lookForRecordings } from '#modules/core/hooks.ts'
import { NewAppointment } from '#modules/scheduling/forms.ts'
import { createAppointment, updateAppointment } from '#modules/scheduling/index.ts'
import { pollSearches, runSearch } from '#modules/summaries/detection/run-search.ts'
import { keepFoundSound } from '#modules/summaries/detection/keep-sound.ts'
import { getSearch } from '#modules/summaries/detection/queries.ts'
import { standardWording } from '#modules/summaries/fields.ts'
import { findTranscript, getLines } from '#modules/summaries/queries/transcripts.ts'
import { findRecording } from '#modules/summaries/recordings/queries.ts'
import { makeSummary } from '#modules/summaries/services/generation.ts'
import { deleteTranscript, restoreTranscript } from '#modules/summaries/services/transcripts.ts'
import { saveSettings } from '#modules/summaries/services/settings.ts'
import { giveConsent, withdrawConsent } from '#modules/summaries/services/consents.ts'
import { connect } from '#modules/zoom/e2e/support.ts'
import { applyEvent, receiveWebhook } from '#modules/zoom/services/webhooks.ts'
import { disconnect } from '#modules/zoom/services/disconnect.ts'
import { deleteQueue } from '#tenants/files/files.ts'
import { deleteStoredBytes } from '#tenants/files/jobs.ts'
import { startFakeRevAi } from '#tests/fakes/revai/server.ts'
import { startFakeZoom, type NewRecording, type Webhook } from '#tests/fakes/zoom/server.ts'
import { plans } from '#tenants/accounts/plans.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { contextFor, createClient, createCoach, inTenant, setPlan, type Coach } from '#tests/support/factories.ts'
import { findFilesWith, findTablesWith } from '#tests/support/find-word.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'

const zoom = await startFakeZoom({ now: () => app.clock.now })
const revai = await startFakeRevAi({ now: () => app.clock.now })
const app = createTestApp({ ...zoom.env, ...revai.env })
afterAll(() => Promise.all([zoom.close(), revai.close()]))

const start = new Date('2026-03-10T14:00:00Z')
const end = new Date('2026-03-10T15:00:00Z')
const at = (minutes: number) => void (app.clock.now = new Date(end.getTime() + minutes * 60_000))
const transcript = [
  'WEBVTT',
  '',
  '1',
  '00:00:05.000 --> 00:00:09.000',
  'Ada Coach: What has happened since we last spoke?',
  '',
  '2',
  '00:00:12.000 --> 00:00:19.000',
  'Grace Hopper: I will send the plan for the spring to my manager by Friday.',
  '',
].join('\n')
const sound = Buffer.concat([Buffer.from('\0\0\0\x18ftypM4A '), Buffer.alloc(4000)])

let numbers = 0
beforeEach(() => at(1))
afterEach(() => {
  zoom.stopFailing()
  zoom.recordings.splice(0)
  zoom.requests.splice(0)
})

type Options = { consent?: boolean; connected?: boolean; meetingUrl?: string | null; plan?: 'free' | 'pro' }

/** A session with Grace that is completed a minute after its end. */
async function createSession(options: Options = {}) {
  const { consent = true, connected = true, meetingUrl = 'https://us02web.zoom.us/j/86512345678?pwd=x' } = options
  const coach = await createCoach({ plan: 'pro' })
  const email = `coach${++numbers}@zoom.example`
  if (connected) await connect(coach, zoom, { email })
  const { id: clientId } = await createClient({ coach, name: 'Grace Hopper', email: 'grace@example.com' })
  const add = (input: object) =>
    inTenant(coach, (tx) =>
      createAppointment(
        tx,
        NewAppointment.parse({
          title: 'Spring plan',
          clientId,
          startTime: start.toISOString(),
          endTime: end.toISOString(),
          meetingUrl,
          ...input,
        }),
      ),
    )
  const { id } = await add({})
  const consentId = consent
    ? (await inTenant(coach, (tx) => giveConsent(tx, { clientId }, { channel: 'spoken', wording: standardWording }))).id
    : 0
  if (options.plan) await setPlan(coach, options.plan)
  const data = { coachId: coach.id, appointmentId: id }
  const read = async () => {
    const { recordingDetectionStatus, recordingDetectionAttempts, ...search } = await getSearch(
      await contextFor(coach),
      id,
    )
    return { status: recordingDetectionStatus, attempts: recordingDetectionAttempts, ...search }
  }
  return {
    coach,
    id,
    clientId,
    consentId,
    add,
    data,
    read,
    async complete() {
      const { body } = await app.call('POST', `/api/appointments/${id}/complete`, { as: coach, body: { notes: null } })
      return body.revAiEnabled as boolean
    },
    look: () => runSearch(app.platform, data),
    call: (method: string, path: string, body: object = {}) =>
      app.call(method, `/api/appointments/${id}/recording-search${path}`, {
        as: coach,
        ...(method === 'GET' ? {} : { body }),
      }),
    record: (recording: Partial<NewRecording> = {}) =>
      zoom.addRecording({
        email,
        number: '86512345678',
        topic: 'Spring plan',
        startTime: new Date(start.getTime() + 60_000),
        minutes: 58,
        transcript,
        ...recording,
      }),
    find: async () => findTranscript(await contextFor(coach), id),
    findSound: async () => findRecording(await contextFor(coach), id),
    user: zoom.toUserId(email),
    email,
  }
}

const countJobs = (name: string, coach: Coach): Promise<number> =>
  asOwner(app.ownerUrl, async (db) => {
    const text = `select count(*) n from pgboss.job where name = $1 and data ->> 'coachId' = $2`
    return Number((await db.query(text, [name, String(coach.id)])).rows[0].n)
  })

/** Runs the jobs that delete files. */
const deleteBytes = (coach: Coach): Promise<void> =>
  asOwner(app.ownerUrl, async (db) => {
    const text = `select data from pgboss.job where name = $1 and data ->> 'key' like $2`
    for (const { data } of (await db.query(text, [deleteQueue, `${coach.id}/%`])).rows)
      await deleteStoredBytes(app.platform, { storeId: null, ...data })
  })

describe('after a session on Zoom', () => {
  test('its transcript is found by the meeting, and its summary follows', async () => {
    const session = await createSession()
    expect(await session.complete()).toBe(true)
    expect(await session.read()).toMatchObject({
      status: 'searching',
      attempts: 0,
      nextAttemptAt: new Date(end.getTime() + 5 * 60_000).toISOString(),
    })
    session.record()
    await session.look()
    expect(await session.read()).toMatchObject({ status: 'searching', attempts: 0 })
    at(5)
    await session.look()
    expect(await session.read()).toMatchObject({
      status: 'found',
      attempts: 1,
      lastRecordingDetectionAttempt: app.clock.now.toISOString(),
      nextAttemptAt: null,
    })
    const found = (await session.find())!
    expect(found).toMatchObject({ source: 'zoom', fileName: 'Spring plan.vtt', isProcessing: true })
    const lines = await getLines(await contextFor(session.coach), found.id)
    expect(lines.map(({ speaker }) => speaker)).toEqual(['Ada Coach', 'Grace Hopper'])
  })

  test('its summary is on the timeline as found by itself once it is approved', async () => {
    const session = await createSession()
    await session.complete()
    session.record()
    at(5)
    await session.look()
    await makeSummary(app.platform, session.data)
    await app.call('POST', `/api/appointments/${session.id}/summary/approve`, { as: session.coach, body: {} })
    const { body } = await app.call('GET', `/api/clients/${session.clientId}/interactions`, { as: session.coach })
    expect(body).toMatchObject([{ source: 'revai_auto', appointmentId: session.id }])
  })

  test('a coach who keeps recordings has the sound beside its transcript, once, until the consent ends', async () => {
    const session = await createSession()
    const { coach, data } = session
    await inTenant(coach, (tx) => saveSettings(tx, { wording: null, transcriptDays: null, recordingDays: 30 }))
    await session.complete()
    const recording = session.record({ sound: 'processing' })
    at(5)
    await session.look()
    expect([await session.find(), await session.findSound()]).toMatchObject([{ source: 'zoom' }, null])
    expect(await countJobs('summaries.keep-sound', coach)).toBe(1)
    // Zoom is not ready: the job is tried again.
    await expect(keepFoundSound(app.platform, data)).rejects.toMatchObject({ code: 'upstream_failed' })
    Object.assign(recording, { sound })
    await keepFoundSound(app.platform, data)
    await keepFoundSound(app.platform, data)
    expect(await session.findSound()).toMatchObject({ status: 'kept', fileName: 'Spring plan.m4a', size: sound.length })
    const { body } = await app.call('GET', `/api/appointments/${session.id}`, { as: coach })
    expect(body.audioUrl).toBe(`/api/appointments/${session.id}/recording/file`)
    await inTenant(coach, (tx) => withdrawConsent(tx, session.consentId))
    await keepFoundSound(app.platform, data)
    expect(await session.findSound()).toBeNull()
  })

  test('without a transcript its sound goes to Rev.ai', async () => {
    const session = await createSession()
    await session.complete()
    // A slash at the begin must be encoded twice.
    session.record({ uuid: '/ab//c+d==', transcript: null, sound })
    at(5)
    await session.look()
    expect((await session.read()).status).toBe('found')
    expect(await session.findSound()).toMatchObject({
      status: 'waiting',
      fileName: 'Spring plan.m4a',
      size: sound.length,
    })
    expect(await countJobs('summaries.transcribe', session.coach)).toBe(1)
  })

  test('what is not ready is waited for, with growing pauses, and then given up', async () => {
    const session = await createSession()
    await session.complete()
    session.record({ transcript: 'processing', sound })
    for (const [index, minutes] of [5, 15, 30, 60, 120, 240, 480].entries()) {
      at(minutes)
      await session.look()
      expect(await session.read()).toMatchObject({ status: 'searching', attempts: index + 1 })
    }
    at(1440)
    await session.look()
    expect(await session.read()).toMatchObject({
      status: 'failed',
      attempts: 8,
      nextAttemptAt: null,
      failure: 'Zoom has a recording that is not ready yet.',
    })
    zoom.recordings[0]!.transcript = transcript
    expect((await session.call('POST', '')).body).toMatchObject({ recordingDetectionStatus: 'searching' })
    await session.look()
    expect(await session.read()).toMatchObject({ status: 'found', attempts: 9 })
  })

  test('where nothing was recorded, that is shown after a day', async () => {
    const session = await createSession()
    await session.complete()
    for (const minutes of [5, 1440]) {
      at(minutes)
      await session.look()
    }
    expect(await session.read()).toMatchObject({ status: 'not_found', attempts: 2, failure: null })
  })
})

describe('which recording it is', () => {
  const elsewhere = { number: '99900011122', topic: 'Personal room' }

  test.each([
    ['its name', { name: 'hopper, grâce' }],
    ['its email address', { name: 'Iphone', email: 'Grace@example.com' }],
  ])('is known by the client who took part, by %s', async (_name, participant) => {
    const session = await createSession({ meetingUrl: null })
    await session.complete()
    session.record({ ...elsewhere, participants: [{ name: 'Ada Coach' }, participant] })
    at(5)
    await session.look()
    expect((await session.read()).status).toBe('found')
  })

  test('is asked if nobody knows who took part; the coach chooses', async () => {
    const session = await createSession({ meetingUrl: null })
    await session.complete()
    session.record({ ...elsewhere, participants: [{ name: 'Ada Coach' }, { name: 'Grace' }] })
    session.record({ ...elsewhere, topic: 'Another day', startTime: new Date('2026-03-08T14:00:00Z') })
    at(5)
    await session.look()
    const { status, candidates } = await session.read()
    expect([status, candidates.map(({ title }) => title)]).toEqual(['searching', ['Personal room']])
    expect(await session.find()).toBeNull()
    const { status: code } = await session.call('POST', '/choice', { candidateId: candidates[0]!.id })
    expect(code).toBe(202)
    await session.look()
    expect(await session.read()).toMatchObject({ status: 'found', candidates: [] })
    expect(await session.find()).toMatchObject({ source: 'zoom' })
  })

  test('is asked if there are two of the meeting', async () => {
    const session = await createSession()
    await session.complete()
    session.record({ minutes: 40 })
    session.record({ startTime: new Date(start.getTime() + 25 * 60_000), minutes: 30 })
    at(5)
    await session.look()
    expect((await session.read()).candidates).toHaveLength(2)
  })

  test('is asked if it covers the session of somebody else too', async () => {
    const session = await createSession()
    const other = await createClient({ coach: session.coach, name: 'Katherine Johnson', email: 'kj@example.com' })
    const later = { startTime: end.toISOString(), endTime: new Date(end.getTime() + 3_600_000).toISOString() }
    await session.add({ clientId: other.id, ...later })
    await session.complete()
    session.record({ minutes: 118 })
    at(5)
    await session.look()
    expect((await session.read()).candidates).toHaveLength(1)
    expect(await session.find()).toBeNull()
  })

  test('is not that of the session before in the same room', async () => {
    const session = await createSession()
    await session.complete()
    session.record({ startTime: new Date(start.getTime() - 3_600_000), minutes: 55 })
    session.record({ topic: 'Mine' })
    at(5)
    await session.look()
    expect(await session.find()).toMatchObject({ fileName: 'Mine.vtt' })
  })

  /** The client's next session, in the hour after. */
  async function addNext(session: Awaited<ReturnType<typeof createSession>>) {
    const endTime = new Date(end.getTime() + 3_600_000).toISOString()
    const { id } = await session.add({ startTime: end.toISOString(), endTime })
    at(61)
    await app.call('POST', `/api/appointments/${id}/complete`, { as: session.coach, body: { notes: null } })
    return async () => {
      await app.call('POST', `/api/appointments/${id}/recording-search`, { as: session.coach, body: {} })
      await runSearch(app.platform, { coachId: session.coach.id, appointmentId: id })
      return (await getSearch(await contextFor(session.coach), id)).candidates.map(({ title }) => title)
    }
  }

  test('can be chosen again once the transcript is deleted, also for the session that it belongs to', async () => {
    const session = await createSession({ meetingUrl: null })
    await session.complete()
    const lookForNext = await addNext(session)
    session.record({ ...elsewhere, minutes: 118 })
    await session.look()
    await session.call('POST', '/choice', { candidateId: (await session.read()).candidates[0]!.id })
    expect(await lookForNext()).toEqual([])
    await session.look()
    const found = (await session.find())!
    expect(await lookForNext()).toEqual([])
    await inTenant(session.coach, (tx) => deleteTranscript(tx, found.id))
    expect(await lookForNext()).toEqual(['Personal room'])
    await inTenant(session.coach, (tx) => restoreTranscript(tx, found.id))
    expect(await lookForNext()).toEqual([])
  })

  test('is still asked after the one that was chosen failed, and another look is not for that one alone', async () => {
    const session = await createSession({ meetingUrl: null })
    await session.complete()
    const lookForNext = await addNext(session)
    session.record({ ...elsewhere, minutes: 118, transcript: 'processing' })
    await session.look()
    const choose = async () => {
      await session.call('POST', '/choice', { candidateId: (await session.read()).candidates[0]!.id })
      await session.look()
      return session.read()
    }
    const failure = 'Zoom has a recording that is not ready yet.'
    expect(await choose()).toMatchObject({ status: 'searching', failure, candidates: [{ title: 'Personal room' }] })

    session.record({ ...elsewhere, topic: 'Another room' })
    await session.call('POST', '')
    await session.look()
    const { candidates } = await session.read()
    expect(candidates.map(({ title }) => title)).toEqual(['Personal room', 'Another room'])

    at(1440)
    expect(await choose()).toMatchObject({ status: 'failed', failure, candidates: [{}, {}] })
    expect(await lookForNext()).toEqual(['Personal room', 'Another room'])
  })

  test('of another coach can’t be chosen', async () => {
    const [mine, theirs] = [await createSession({ meetingUrl: null }), await createSession({ meetingUrl: null })]
    await mine.complete()
    await theirs.complete()
    theirs.record(elsewhere)
    at(5)
    await theirs.look()
    const [candidate] = (await theirs.read()).candidates
    expect((await mine.call('POST', '/choice', { candidateId: candidate!.id })).status).toBe(404)
  })
})

describe('nothing is looked for', () => {
  test.each([
    ['without the consent', { consent: false }],
    ['without a connection', { connected: false }],
    ['on the free plan', { plan: 'free' }],
  ] as const)('%s: it stays pending, and nothing is counted', async (_name, options) => {
    const session = await createSession(options)
    session.record()
    expect(await session.complete()).toBe(false)
    at(5)
    await session.look()
    expect(await session.read()).toMatchObject({ status: 'pending', attempts: 0, nextAttemptAt: null })
    expect((await session.call('POST', '')).status).toBe('plan' in options ? 403 : 409)
    expect(zoom.requests.filter((name) => name.includes('recordings'))).toEqual([])
  })

  test('before the session is completed', async () => {
    const session = await createSession()
    expect((await session.call('POST', '')).status).toBe(409)
  })

  test('after a transcript was added by hand', async () => {
    const session = await createSession()
    await session.complete()
    session.record()
    const { status } = await app.call('POST', `/api/appointments/${session.id}/transcript`, {
      as: session.coach,
      body: { text: 'Grace: This is enough of it.' },
    })
    expect(status).toBe(201)
    at(5)
    await session.look()
    expect(await session.read()).toMatchObject({ status: 'pending', attempts: 0 })
    expect(await session.find()).toMatchObject({ source: 'paste' })
  })

  test('once Zoom is disconnected', async () => {
    const session = await createSession()
    await session.complete()
    await disconnect(await contextFor(session.coach))
    at(5)
    await session.look()
    expect(await session.read()).toMatchObject({ status: 'pending', attempts: 0 })
  })
})

describe('while Zoom', () => {
  test.each([
    ['is away', 'nothing', 'Zoom can’t be reached. There is nothing to do.'],
    ['fails', 503, 'Zoom can’t be reached. There is nothing to do.'],
    ['asks to wait', 429, 'Zoom asks us to wait. There is nothing to do.'],
    ['answers garbage', 'garbage', 'Zoom can’t be reached. There is nothing to do.'],
  ] as const)('%s, the search says so, goes on, and can be retried', async (_name, failure, message) => {
    const session = await createSession()
    await session.complete()
    session.record()
    zoom.fail(/recordings/, failure)
    at(5)
    await session.look()
    expect(await session.read()).toMatchObject({ status: 'searching', attempts: 1, failure: message })
    at(1440)
    await session.look()
    expect(await session.read()).toMatchObject({ status: 'failed', failure: message, nextAttemptAt: null })
    zoom.stopFailing()
    expect((await session.call('POST', '')).status).toBe(202)
    await session.look()
    expect((await session.read()).status).toBe('found')
  })

  test('never answers, the look ends in time', async () => {
    const session = await createSession()
    await session.complete()
    const { timeout } = AbortSignal
    const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout.call(AbortSignal, 20))
    onTestFinished(() => spy.mockRestore())
    zoom.fail(/recordings/, 'silence')
    at(5)
    await session.look()
    expect(await session.read()).toMatchObject({
      status: 'searching',
      failure: expect.stringContaining('can’t be reached'),
    })
    expect(spy.mock.calls.every(([ms]) => ms <= 30 * 60_000)).toBe(true)
  })

  test('ends the connection, the search says what to do', async () => {
    const session = await createSession()
    await session.complete()
    zoom.revokeAccount(session.email)
    at(5)
    await session.look()
    expect((await session.read()).failure).toBe('Zoom has ended the connection. Connect again in Settings.')
  })

  test('sends half a recording, it is not kept', async () => {
    const session = await createSession()
    await session.complete()
    session.record({ transcript: null, sound })
    zoom.fail(/download/, 'stops')
    at(5)
    await session.look()
    expect(await session.read()).toMatchObject({
      status: 'searching',
      failure: 'The recording at Zoom could not be downloaded completely.',
    })
    expect(await session.findSound()).toBeNull()
  })

  test('sends a transcript that is none, the search says so', async () => {
    const session = await createSession()
    await session.complete()
    session.record({ transcript: '%PDF-1.7' })
    at(5)
    await session.look()
    expect((await session.read()).failure).toBe('The transcript at Zoom can’t be read.')
  })
})

describe('a worker', () => {
  test('of two looks alone: nothing is counted or added twice', async () => {
    const session = await createSession()
    await session.complete()
    session.record()
    at(5)
    await concurrently(2, session.look)
    expect(await session.read()).toMatchObject({ status: 'found', attempts: 1 })
    expect(zoom.requests.filter((name) => name.endsWith('/users/me/recordings'))).toHaveLength(1)
    expect(await countJobs('summaries.generate', session.coach)).toBe(1)
  })

  test('that is killed is waited for, then another one goes on', async () => {
    const session = await createSession()
    await session.complete()
    session.record()
    at(5)
    /** As a worker that is killed after its claim. */
    const beKilled = () =>
      asOwner(app.ownerUrl, async (db) => {
        await db.query(`select set_config('app.coach_id', $1, false)`, [String(session.coach.id)])
        await db.query(
          `update recording_search set claim = gen_random_uuid(), claimed_until = $2, next_attempt_at = $2 where coach_id = $1`,
          [session.coach.id, new Date(app.clock.now.getTime() + 300_000)],
        )
      })
    await beKilled()
    await session.look()
    expect((await session.read()).attempts).toBe(0)
    at(11)
    await pollSearches(app.platform)
    expect(await countJobs('summaries.look', session.coach)).toBeGreaterThan(1)
    await session.look()
    expect(await session.read()).toMatchObject({ status: 'found', attempts: 1 })
  })

  test('that comes back after the consent was withdrawn adds nothing, and all that was found is deleted', async () => {
    const session = await createSession({ meetingUrl: null })
    await session.complete()
    session.record({ topic: 'zebrafinch', number: '1234567890' })
    at(5)
    await session.look()
    expect((await session.read()).candidates).toHaveLength(1)
    const [candidate] = (await session.read()).candidates
    await session.call('POST', '/choice', { candidateId: candidate!.id })
    // The consent ends while the transcript is downloaded.
    const release = zoom.hold(/download/)
    const looking = session.look()
    await expect.poll(() => zoom.requests.some((name) => name.includes('download'))).toBe(true)
    await inTenant(session.coach, (tx) => withdrawConsent(tx, session.consentId))
    release()
    await looking
    expect(await session.read()).toMatchObject({ status: 'pending', attempts: 0, candidates: [], nextAttemptAt: null })
    expect([await session.find(), await session.findSound()]).toEqual([null, null])
  })

  test.each(['transcript', 'sound'])('takes no %s for a client who is read-only, and says why', async (kind) => {
    const session = await createSession()
    await session.complete()
    session.record(kind === 'sound' ? { transcript: null, sound } : {})
    const archived = await app.call('POST', `/api/clients/${session.clientId}/archive`, { as: session.coach })
    expect(archived.status).toBe(200)
    for (let n = 0; n < plans.pro.maxClients!; n++) await createClient({ coach: session.coach })
    at(5)
    await session.look()
    expect((await session.read()).failure).toContain('read-only')
    expect([await session.find(), await session.findSound()]).toEqual([null, null])
  })

  test('doesn’t give the words to another client', async () => {
    const session = await createSession()
    await session.complete()
    session.record()
    const other = await createClient({ coach: session.coach, name: 'Katherine Johnson', email: 'kj@example.com' })
    await inTenant(session.coach, (tx) => updateAppointment(tx, session.id, { clientId: other.id }))
    at(5)
    await session.look()
    // She has agreed to nothing.
    expect(await session.read()).toMatchObject({ status: 'pending', attempts: 0 })
    expect(await session.find()).toBeNull()
  })
})

describe('an event of Zoom', () => {
  const receive = ({ body, headers }: Webhook) =>
    receiveWebhook(app.platform, {
      body: Buffer.from(body),
      timestamp: headers['x-zm-request-timestamp'] ?? null,
      signature: headers['x-zm-signature'] ?? null,
    })
  const listEvents = (coach: Coach): Promise<{ id: number; type: string }[]> =>
    asOwner(app.ownerUrl, async (db) => {
      await db.query(`select set_config('app.coach_id', $1, false)`, [String(coach.id)])
      const { rows } = await db.query('select id, type from zoom_event where coach_id = $1 order by id', [coach.id])
      return rows.map(({ id, type }) => ({ id: Number(id), type }))
    })
  const completed = (user: string) => zoom.createEvent('recording.completed', { object: { host_id: user, uuid: 'x' } })

  test('brings the next look forward, once, also if it is repeated', async () => {
    const session = await createSession()
    await session.complete()
    at(5)
    await session.look()
    session.record()
    at(6)
    const event = completed(session.user)
    expect(await receive(event)).toBe('accepted')
    expect(await receive(event)).toBe('accepted')
    const [stored, ...more] = await listEvents(session.coach)
    expect([stored!.type, more]).toEqual(['recording.completed', []])
    const ctx = await contextFor(session.coach)
    await applyEvent(ctx, stored!.id)
    await applyEvent(ctx, stored!.id)
    await session.look()
    expect(await session.read()).toMatchObject({ status: 'found', attempts: 2 })
  })

  test('that comes too early changes nothing', async () => {
    const session = await createSession()
    await receive(completed(session.user))
    const [stored] = await listEvents(session.coach)
    await applyEvent(await contextFor(session.coach), stored!.id)
    expect(await session.read()).toMatchObject({ status: 'pending', attempts: 0 })
    session.record()
    await session.complete()
    at(5)
    await session.look()
    expect((await session.read()).status).toBe('found')
  })

  test('during a look has another one follow', async () => {
    const session = await createSession()
    await session.complete()
    at(5)
    const release = zoom.hold(/recordings/)
    const looking = session.look()
    await expect.poll(() => zoom.requests.some((name) => name.includes('recordings'))).toBe(true)
    await inTenant(session.coach, (tx) => runHook(tx, lookForRecordings, {}))
    release()
    await looking
    expect((await session.read()).nextAttemptAt).toBe(app.clock.now.toISOString())
  })

  test.each([
    ['forged', { secret: 'another secret' }],
    ['old', { at: new Date(end.getTime() - 301_000) }],
    ['from the future', { at: new Date(end.getTime() + 400_000) }],
  ])('that is %s is refused', async (_name, options) => {
    const session = await createSession()
    const event = zoom.createEvent('recording.completed', { object: { host_id: session.user } }, options)
    expect(await receive(event)).toBe('refused')
    expect(await listEvents(session.coach)).toEqual([])
  })

  test('of a user whom nobody knows is ignored', async () =>
    expect(await receive(completed('nobody'))).toBe('accepted'))

  test('that asks whether the address is ours is answered, if it is signed', async () => {
    const ask = (options?: object) =>
      receive(zoom.createEvent('endpoint.url_validation', { plainToken: 'abc' }, options))
    expect(await ask()).toEqual({
      answer: { plainToken: 'abc', encryptedToken: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    expect(await ask({ secret: 'another secret' })).toBe('refused')
  })

  test('says that the app was removed, and Zoom confirms it', async () => {
    const session = await createSession()
    const removed = zoom.createEvent('app_deauthorized', { user_id: session.user })
    await receive(removed)
    const [stored] = await listEvents(session.coach)
    const ctx = await contextFor(session.coach)
    // Zoom still knows the connection: the event alone decides nothing.
    await applyEvent(ctx, stored!.id)
    expect((await app.call('GET', '/api/user', { as: session.coach })).body.zoomConnected).toBe(true)
    zoom.revokeAccount(session.email)
    await receive(zoom.createEvent('app_deauthorized', { user_id: session.user, again: true }))
    await applyEvent(ctx, (await listEvents(session.coach))[1]!.id)
    expect((await app.call('GET', '/api/user', { as: session.coach })).body.zoomConnected).toBe(false)
  })
})

test('the summary of a completed session can be asked for without words: its recording is looked for', async () => {
  const session = await createSession()
  await session.complete()
  at(2000)
  await session.look()
  expect((await session.read()).status).toBe('not_found')
  const { status, body } = await app.call('POST', `/api/appointments/${session.id}/generate-summary`, {
    as: session.coach,
    body: {},
  })
  expect([status, body.appointment.recordingDetectionStatus]).toEqual([202, 'searching'])
})

test('a withdrawn consent leaves no word of what was found at Zoom', async () => {
  const canary = 'zebrafinch'
  const session = await createSession()
  const { coach } = session
  const findAll = async () => [
    await findTablesWith(app.ownerUrl, coach.id, canary),
    findFilesWith(app.platform.config.dataDir, canary),
  ]
  await session.complete()
  session.record({ topic: `Two ${canary}s`, minutes: 20 })
  session.record({ topic: canary, minutes: 58, transcript: transcript.replace('plan', canary) })
  at(5)
  await session.look()
  // The titles of both, of which the coach chooses one.
  expect(await findAll()).toEqual([['recording_candidate'], []])
  const chosen = (await session.read()).candidates.find(({ title }) => title === canary)!
  await session.call('POST', '/choice', { candidateId: chosen.id })
  await session.look()
  await makeSummary(app.platform, { coachId: coach.id, appointmentId: session.id })
  expect(await findAll()).toEqual([['search_content', 'session_summary', 'session_transcript'], []])
  // A second session, whose sound is a file.
  const { id: second } = await session.add({ meetingUrl: 'https://zoom.us/j/91912345678' })
  await app.call('POST', `/api/appointments/${second}/complete`, { as: coach, body: { notes: null } })
  session.record({
    number: '91912345678',
    topic: canary,
    transcript: null,
    sound: Buffer.from(`\0\0\0 ftypM4A ${canary}`),
  })
  await runSearch(app.platform, { coachId: coach.id, appointmentId: second })
  expect((await findAll())[0]).toContain('session_recording')
  expect((await findAll())[1]).toHaveLength(1)

  await inTenant(coach, (tx) => withdrawConsent(tx, session.consentId))
  await deleteBytes(coach)
  expect(await findAll()).toEqual([[], []])
  expect(await session.read()).toMatchObject({ status: 'pending', attempts: 0 })
})
