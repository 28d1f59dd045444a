import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { runUnlessOff } from '#app/server/process/jobs.ts'
import { NewAppointment } from '#modules/scheduling/forms.ts'
import { completeSession, createAppointment, getAppointment } from '#modules/scheduling/index.ts'
import { plans } from '#tenants/accounts/plans.ts'
import { createUpload, getUpload, writeUploadPart } from '#tenants/files/uploads.ts'
import { startFakeRevAi, type FakeJob } from '#tests/fakes/revai/server.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import {
  contextFor,
  createClient,
  createCoach,
  inTenant,
  setPlan,
  switchModules,
  type Coach,
} from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { standardWording } from '../fields.ts'
import { jobs } from '../jobs.ts'
import { listServiceHealth } from '../queries/health.ts'
import { findSummary } from '../queries/summaries.ts'
import { findTranscript, getLines } from '../queries/transcripts.ts'
import { giveConsent, withdrawConsent } from '../services/consents.ts'
import { makeSummary, requestSummary } from '../services/generation.ts'
import { createSilence } from '../seed/recording.ts'
import { saveSettings } from '../services/settings.ts'
import { loadSession } from '../session-loader.server.ts'
import { addTranscript, deleteTranscript } from '../services/transcripts.ts'
import { deleteOldRecordings } from './erase.ts'
import { findRecording } from './queries.ts'
import { addRecording, deleteRecording, retryRecording } from './recordings.ts'
import { collect, deleteJob, poll, transcribe } from './transcribe.ts'
import { receiveWebhook } from './webhook.ts'

const fake = await startFakeRevAi({ now: () => app.clock.now })
const app = createTestApp({ ...fake.env, APP_ORIGIN: 'https://practice.example.com', SMTP_URL: 'smtp://127.0.0.1:9' })
const start = new Date('2026-03-10T14:00:00Z')
beforeEach(() => void (app.clock.now = start))
afterEach(() => {
  fake.stopFailing()
  fake.jobs.clear()
  fake.requests.splice(0)
})
afterAll(() => fake.close())

async function upload(coach: Coach, content = createSilence(), name = 'Session.wav'): Promise<number> {
  const ctx = await contextFor(coach)
  const { id } = await createUpload(ctx, { name, size: content.length })
  await writeUploadPart(ctx, id, 0, Readable.from([content]))
  return id
}

/** A completed session of yesterday, with consent unless another is asked for. */
async function createSession({ plan = 'pro' as 'pro' | 'free', consent = true } = {}) {
  const coach = await createCoach({ plan })
  const client = await createClient({ coach, name: 'Grace Hopper' })
  const ids = await inTenant(coach, async (tx) => {
    const times = { startTime: '2026-03-09T10:00:00Z', endTime: '2026-03-09T11:00:00Z' }
    const { id } = await createAppointment(
      tx,
      NewAppointment.parse({ title: 'Spring plan', clientId: client.id, ...times }),
    )
    await completeSession(tx, id, { notes: null })
    const given = consent
      ? await giveConsent(tx, { clientId: client.id }, { channel: 'spoken', wording: standardWording })
      : null
    return { id, consentId: given?.id ?? 0 }
  })
  return { coach, ...ids }
}

/** A session with a recording that waits for a worker. */
async function createRecording() {
  const session = await createSession()
  const { coach, id } = session
  const uploadId = await upload(coach)
  const recording = await inTenant(coach, (tx) => addRecording(tx, id, { uploadId }))
  const data = { coachId: coach.id, recordingId: recording.id }
  return {
    ...session,
    uploadId,
    data,
    transcribe: () => transcribe(app.platform, data),
    collect: () => collect(app.platform, data),
    find: async () => findRecording(await contextFor(coach), id),
    findTranscript: async () => findTranscript(await contextFor(coach), id),
  }
}

const getJob = (): FakeJob => [...fake.jobs.values()][0]!
/** Runs the job that deletes an upload, once it is there. */
async function dropRefused(coach: Coach, uploadId: number): Promise<void> {
  const data = { coachId: coach.id, uploadId }
  expect(await queued('summaries.drop-upload', data)).toBe(1)
  await jobs.find(({ name }) => name === 'summaries.drop-upload')!.run(app.platform, data)
  await expect(getUpload(await contextFor(coach), uploadId)).rejects.toMatchObject({ code: 'not_found' })
}
const monologues = [
  { speaker: 0, text: 'What has happened since we last spoke?', start: 1, end: 4 },
  { speaker: 1, text: 'I told my manager about the plan for the spring.', start: 5, end: 9 },
]
const files = async (coach: Coach): Promise<number> =>
  asOwner(app.ownerUrl, async (db) => {
    await db.query(`select set_config('app.coach_id', $1, false)`, [String(coach.id)])
    return Number((await db.query('select count(*) n from stored_file where coach_id = $1', [coach.id])).rows[0].n)
  })
const change = (coach: Coach, statement: string) =>
  asOwner(app.ownerUrl, async (db) => {
    await db.query(`select set_config('app.coach_id', $1, false)`, [String(coach.id)])
    await db.query(statement, [coach.id])
  })
const givePlanUp = `update account set plan = 'free', trial_ends_at = null where id = $1`
const queued = (name: string, data: object): Promise<number> =>
  asOwner(app.ownerUrl, async (db) =>
    Number(
      (await db.query('select count(*) n from pgboss.job where name = $1 and data @> $2', [name, JSON.stringify(data)]))
        .rows[0].n,
    ),
  )

describe('a recording that the coach keeps', () => {
  async function keep() {
    const setup = await createRecording()
    const { coach, id } = setup
    await inTenant(coach, (tx) => saveSettings(tx, { wording: null, transcriptDays: null, recordingDays: 30 }))
    await setup.transcribe()
    fake.finish((await setup.find())!.jobId!, { monologues })
    await setup.collect()
    const read = (range?: string) =>
      app.call('GET', `/api/appointments/${id}/recording/file`, { as: coach, headers: range ? { range } : {} })
    const readAudioUrl = async () => (await getAppointment(await contextFor(coach), id)).audioUrl
    return { ...setup, read, readAudioUrl }
  }

  test('stays beside its transcript, is sent in ranges, and is transcribed once', async () => {
    const { coach, id, find, findTranscript: getResult, collect: again, read, readAudioUrl } = await keep()
    await again()
    expect(await getResult()).toMatchObject({ source: 'revai' })
    expect([await find(), await files(coach)]).toMatchObject([{ status: 'kept', size: 8044, jobId: null }, 1])
    expect(await readAudioUrl()).toBe(`/api/appointments/${id}/recording/file`)
    const part = await read('bytes=0-3')
    expect([part.status, part.headers.get('content-range'), part.headers.get('content-type')]).toEqual([
      206,
      'bytes 0-3/8044',
      'audio/wav',
    ])
    const other = await createCoach({ plan: 'pro' })
    const path = `/api/appointments/${(await find())!.appointmentId}/recording/file`
    expect((await app.call('GET', path, { as: other })).status).toBe(404)
  })

  test('is deleted after its days, at once with the consent, and the next night when the coach keeps none', async () => {
    const [old, withdrawn, unwanted] = [await keep(), await keep(), await keep()]
    await inTenant(withdrawn.coach, (tx) => withdrawConsent(tx, withdrawn.consentId))
    expect([await withdrawn.find(), await files(withdrawn.coach)]).toEqual([null, 0])
    expect([await withdrawn.readAudioUrl(), await old.readAudioUrl()]).toEqual([null, expect.any(String)])
    expect((await withdrawn.read()).status).toBe(404)
    await inTenant(unwanted.coach, (tx) =>
      saveSettings(tx, { wording: null, transcriptDays: null, recordingDays: null }),
    )
    await deleteOldRecordings(app.platform)
    expect([(await old.find())?.status, await unwanted.find()]).toEqual(['kept', null])
    app.clock.now = new Date(app.clock.now.getTime() + 31 * 86_400_000)
    await deleteOldRecordings(app.platform)
    expect([await old.find(), await files(old.coach), await old.readAudioUrl()]).toEqual([null, 0, null])
    expect(await old.findTranscript()).not.toBeNull()
  })

  test('is transcribed again when its transcript is deleted', async () => {
    const { coach, id, find, findTranscript: getResult } = await keep()
    const { id: transcriptId } = (await getResult())!
    await inTenant(coach, (tx) => deleteTranscript(tx, transcriptId))
    await inTenant(coach, (tx) => retryRecording(tx, id))
    expect(await find()).toMatchObject({ status: 'waiting', attempt: 2 })
  })
})

describe('a recording', () => {
  test('becomes a transcript and a summary, and is deleted here and at Rev.ai', async () => {
    const {
      coach,
      id,
      transcribe: send,
      collect: fetchResult,
      find,
      findTranscript: getResult,
    } = await createRecording()
    expect(await find()).toMatchObject({ status: 'waiting', fileName: 'Session.wav', size: 8044 })
    await send()
    expect(await find()).toMatchObject({ status: 'transcribing' })
    const job = getJob()
    expect(job.media).toMatchObject({ bytes: 8044, fileName: 'recording' })
    expect((await getAppointment(await contextFor(coach), id)).revaiJobId).toBe(job.id)
    await fetchResult()
    expect(await find()).toMatchObject({ status: 'transcribing' })

    fake.finish(job.id, { monologues })
    await fetchResult()
    const transcript = (await getResult())!
    expect(transcript).toMatchObject({ source: 'revai', fileName: 'Session.wav', isProcessing: true })
    expect(
      (await getLines(await contextFor(coach), transcript.id)).map(({ speaker, text }) => [speaker, text]),
    ).toEqual([
      ['Speaker 1', 'What has happened since we last spoke?'],
      ['Speaker 2', 'I told my manager about the plan for the spring.'],
    ])
    expect([await find(), await files(coach)]).toEqual([null, 0])
    expect(await queued('summaries.forget-recording', { jobId: job.id })).toBe(1)
    await deleteJob(app.platform, job.id)
    expect(fake.jobs.size).toBe(0)

    await makeSummary(app.platform, { coachId: coach.id, appointmentId: id })
    expect((await findSummary(await contextFor(coach), id))!.overview.length).toBeGreaterThan(0)
  })

  test('needs the plan, the consent, Rev.ai, and a file with sound; a refused upload is deleted', async () => {
    const without = await createSession({ consent: false })
    const uploadId = await upload(without.coach)
    const add = (session: { coach: Coach; id: number }, body: { uploadId: number }) =>
      app.call('POST', `/api/appointments/${session.id}/recording`, { as: session.coach, body })
    expect((await add(without, { uploadId })).status).toBe(409)
    await dropRefused(without.coach, uploadId)
    const free = await createSession({ plan: 'free' })
    expect((await add(free, { uploadId: await upload(free.coach) })).body).toMatchObject({ code: 'plan_required' })
    const session = await createSession()
    const text = await upload(session.coach, Buffer.from('Just a text that nobody speaks.'), 'audio.mp3')
    expect(await add(session, { uploadId: text })).toMatchObject({
      status: 422,
      body: { message: 'Choose an audio or video file.' },
    })
    await dropRefused(session.coach, text)
    expect((await add(session, { uploadId: 999_999 })).status).toBe(404)
  })

  test('that has not arrived completely is refused, and its upload goes on', async () => {
    const { coach, id } = await createSession()
    const { id: uploadId } = await createUpload(await contextFor(coach), { name: 'Session.wav', size: 8044 })
    const post = () => app.call('POST', `/api/appointments/${id}/recording`, { as: coach, body: { uploadId } })
    expect(await post()).toMatchObject({ status: 409, body: { message: /not arrived completely/ } })
    expect(await queued('summaries.drop-upload', { uploadId })).toBe(0)
  })

  test('is one for each session, and none where there is a transcript', async () => {
    const { coach, id } = await createRecording()
    const uploadId = await upload(coach)
    const add = () => app.call('POST', `/api/appointments/${id}/recording`, { as: coach, body: { uploadId } })
    expect(await add()).toMatchObject({ status: 409, body: { message: /recording already/ } })
    expect((await app.call('GET', `/api/appointments/${id}/recording`, { as: coach })).body).toMatchObject({
      status: 'waiting',
    })
    expect((await app.call('DELETE', `/api/appointments/${id}/recording`, { as: coach })).status).toBe(204)
    expect((await app.call('DELETE', `/api/appointments/${id}/recording`, { as: coach })).status).toBe(404)
    await inTenant(coach, (tx) =>
      addTranscript(tx, id, { source: 'paste', fileName: null, content: 'Ada: Hello.', field: 'text' }),
    )
    expect(await add()).toMatchObject({ status: 409, body: { message: /transcript already/ } })
  })

  test('of a withdrawn consent is deleted at once, and what Rev.ai still finishes is dropped', async () => {
    const {
      coach,
      consentId,
      transcribe: send,
      collect: fetchResult,
      findTranscript: getResult,
    } = await createRecording()
    await send()
    const job = getJob()
    await inTenant(coach, (tx) => withdrawConsent(tx, consentId))
    expect([await files(coach), await queued('summaries.forget-recording', { jobId: job.id })]).toEqual([0, 1])
    // It still runs, so Rev.ai refuses; the queue tries again.
    await expect(deleteJob(app.platform, job.id)).rejects.toMatchObject({ kind: 'busy' })
    fake.finish(job.id, { monologues })
    await fetchResult()
    expect(await getResult()).toBeNull()
    await deleteJob(app.platform, job.id)
    expect(fake.jobs.size).toBe(0)
  })

  test('whose consent is withdrawn while a worker sends it is deleted at Rev.ai', async () => {
    const { coach, id, transcribe: send } = await createRecording()
    const sending = send()
    await expect.poll(() => fake.jobs.size).toBe(1)
    await inTenant(coach, (tx) => deleteRecording(tx, id)).catch(() => {})
    await sending
    expect(await queued('summaries.forget-recording', { jobId: getJob().id })).toBe(1)
  })
})

describe('a worker that was stopped', () => {
  test('differs from one that still sends: for two hours the recording is not sent again', async () => {
    const { data } = await createRecording()
    const { rows } = await asOwner(app.ownerUrl, (db) =>
      db.query(`select expire_seconds from pgboss.job where name = 'summaries.transcribe' and data @> $1`, [
        JSON.stringify(data),
      ]),
    )
    expect(rows).toEqual([{ expire_seconds: 7200 }])
  })

  test('before it sent the recording: the next one sends it', async () => {
    const { transcribe: send, find } = await createRecording()
    fake.fail(/^POST/, 'nothing', 1)
    await expect(send()).rejects.toMatchObject({ kind: 'down' })
    expect(await find()).toMatchObject({ status: 'submitting' })
    await send()
    expect([fake.jobs.size, (await find())!.status]).toEqual([1, 'transcribing'])
  })

  test('after it sent the recording: the next one finds the job, and sends nothing', async () => {
    const { transcribe: send, find } = await createRecording()
    fake.fail(/^POST/, 'lost', 1)
    await expect(send()).rejects.toMatchObject({ kind: 'down' })
    await send()
    expect([fake.jobs.size, (await find())!.status]).toEqual([1, 'transcribing'])
    expect(fake.requests.filter((name) => name === 'POST /jobs')).toHaveLength(1)
  })

  test('while it fetched the transcript: two workers at once keep it once', async () => {
    const { coach, id, transcribe: send, collect: fetchResult, findTranscript: getResult } = await createRecording()
    await send()
    fake.finish(getJob().id, { monologues })
    await Promise.all([fetchResult(), fetchResult(), fetchResult()])
    expect(await getResult()).not.toBeNull()
    expect(await queued('summaries.generate', { coachId: coach.id, appointmentId: id })).toBe(1)
  })
})

describe('Rev.ai', () => {
  test.each([
    ['invalid_media', /can’t read this recording/],
    ['empty_media', /No speech was found/],
    ['duration_too_short', /No speech was found/],
    ['duration_exceeded', /too long/],
    ['insufficient_balance', /not available right now/],
    ['invoicing_limit_exceeded', /not available right now/],
    ['internal_processing', /Try again/],
    ['download_failure', /Try again/],
    ['transcription', /Try again/],
  ])('fails with %s: the coach sees why, and can try again', async (failure, message) => {
    const { coach, id, transcribe: send, collect: fetchResult, find } = await createRecording()
    await send()
    fake.finish(getJob().id, { failure })
    await fetchResult()
    expect(await find()).toMatchObject({ status: 'failed', failure: expect.stringMatching(message) })
    await inTenant(coach, (tx) => requestSummary(tx, id))
    expect(await find()).toMatchObject({ status: 'waiting', failure: null })
    await send()
    expect(await find()).toMatchObject({ status: 'transcribing' })
    expect(fake.jobs.size).toBe(2)
  })

  test('gets nothing again without the plan, the consent, or for a client that is read-only', async () => {
    const createFailed = async () => {
      const recording = await createRecording()
      fake.fail(/./, 401)
      await recording.transcribe()
      fake.stopFailing()
      return { ...recording, retry: () => inTenant(recording.coach, (tx) => retryRecording(tx, recording.id)) }
    }
    const changes: [statement: string, code: string][] = [
      [givePlanUp, 'plan_required'],
      ['update recording_consent set withdrawn_at = now() where coach_id = $1', 'conflict'],
      ['update client set archived_at = now() where coach_id = $1', 'plan_limit'],
    ]
    for (const [statement, code] of changes) {
      const { coach, retry, find } = await createFailed()
      await change(coach, statement)
      if (code === 'plan_limit')
        for (let n = 0; n < plans.pro.maxClients!; n++) await createClient({ coach, name: `Client ${n}` })
      await expect(retry(), statement).rejects.toMatchObject({ code })
      expect((await find())!.status).toBe('failed')
    }
  })

  test('finishes after the plan was given up: the transcript is kept, and no summary is made', async () => {
    const { coach, id, transcribe: send, collect: fetchResult, findTranscript: getResult } = await createRecording()
    await send()
    fake.finish(getJob().id, { monologues })
    await change(coach, givePlanUp)
    await fetchResult()
    expect(await getResult()).toMatchObject({ source: 'revai', isProcessing: false })
    expect(await queued('summaries.generate', { coachId: coach.id, appointmentId: id })).toBe(0)
  })

  test('rejects the token: the coach sees that it is not available', async () => {
    const { transcribe: send, find } = await createRecording()
    fake.fail(/./, 401)
    await send()
    expect((await find())!.failure).toMatch(/not available right now/)
  })

  test('is shown in the settings with its last transcript, its last failure and what to do', async () => {
    const { coach, id, transcribe: send } = await createRecording()
    const health = async () => (await listServiceHealth(await contextFor(coach)))[0]!
    expect(await health()).toMatchObject({
      label: 'Available',
      text: 'No recording was transcribed yet.',
      failed: null,
    })
    fake.fail(/./, 401)
    await send()
    expect(await health()).toMatchObject({
      label: 'Needs attention',
      failed: { text: expect.stringMatching(/not available right now/), to: `/session-summaries/${id}` },
    })
    fake.stopFailing()
    await inTenant(coach, (tx) => retryRecording(tx, id))
    await send()
    expect(await health()).toMatchObject({ label: 'Available', failed: null })
    const { revai } = app.platform.config
    app.platform.config.revai = undefined
    expect(await health()).toMatchObject({ label: 'Not set up', text: expect.stringMatching(/has not set up Rev.ai/) })
    app.platform.config.revai = revai
    await change(coach, givePlanUp)
    expect(await listServiceHealth(await contextFor(coach))).toEqual([])
  })

  test('never answers: the call ends in time, and is tried again', async () => {
    const { timeout } = AbortSignal
    const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout.call(AbortSignal, 50))
    onTestFinished(() => spy.mockRestore())
    const { transcribe: send, collect: fetchResult, find, findTranscript: getResult } = await createRecording()
    fake.fail(/./, 'silence')
    await expect(send()).rejects.toMatchObject({ kind: 'down', code: 'timeout' })
    fake.stopFailing()
    await send()
    fake.finish(getJob().id, { monologues })
    fake.fail(/./, 'silence')
    await expect(fetchResult()).rejects.toMatchObject({ kind: 'down' })
    expect((await find())!.status).toBe('transcribing')
    expect(spy.mock.calls.every(([ms]) => ms <= 60 * 60_000)).toBe(true)
    fake.stopFailing()
    await fetchResult()
    expect(await getResult()).toMatchObject({ source: 'revai' })
  })

  test('hears nothing: there is no empty transcript', async () => {
    const { transcribe: send, collect: fetchResult, find } = await createRecording()
    await send()
    fake.finish(getJob().id, { monologues: [] })
    await fetchResult()
    expect((await find())!.failure).toMatch(/No speech was found/)
  })

  test('has lost the job: the recording failed', async () => {
    const { transcribe: send, collect: fetchResult, find } = await createRecording()
    await send()
    fake.jobs.clear()
    await fetchResult()
    expect((await find())!.failure).toMatch(/lost this recording/)
  })

  test('never finishes: after a day the recording failed', async () => {
    const { transcribe: send, collect: fetchResult, find } = await createRecording()
    await send()
    app.clock.now = new Date(start.getTime() + 86_400_000 - 1)
    await fetchResult()
    expect((await find())!.status).toBe('transcribing')
    app.clock.now = new Date(start.getTime() + 86_400_000)
    await fetchResult()
    expect((await find())!.failure).toMatch(/has not answered for a day/)
  })

  test('cannot be reached for a day: the recording failed', async () => {
    const { transcribe: send, find } = await createRecording()
    fake.fail(/./, 503)
    await expect(send()).rejects.toMatchObject({ kind: 'down' })
    app.clock.now = new Date(start.getTime() + 86_400_000)
    await send()
    expect((await find())!.failure).toMatch(/has not answered for a day/)
  })
})

describe('the webhook', () => {
  test('of Rev.ai is recognized by the header that it was given', async () => {
    const { transcribe: send, data } = await createRecording()
    await send()
    const webhook = fake.finish(getJob().id, { monologues })!
    expect(webhook.url).toBe('https://practice.example.com/revai/webhooks/jobs')
    expect(await receiveWebhook(app.platform, webhook.headers.Authorization!)).toBe(true)
    expect(await queued('summaries.collect', data)).toBe(1)
    for (const forged of [null, '', 'Bearer x', `${webhook.headers.Authorization}x`, 'Basic abc'])
      expect(await receiveWebhook(app.platform, forged)).toBe(false)
    expect(await queued('summaries.collect', data)).toBe(1)
  })

  test('that never comes is made up for by asking', async () => {
    const { transcribe: send, data } = await createRecording()
    await send()
    await poll(app.platform)
    expect(await queued('summaries.collect', data)).toBe(1)
  })
})

test('the file of a recording whose session was erased is deleted, also while the module is off', async () => {
  const [erased, kept] = [await createRecording(), await createRecording()]
  await kept.transcribe()
  fake.requests.splice(0)
  await change(erased.coach, `delete from appointment where coach_id = $1 and id = ${erased.id}`)
  for (const { coach } of [erased, kept]) await switchModules(coach, { summaries: false })
  expect(await files(erased.coach)).toBe(1)
  for (const job of jobs.filter(({ name }) => /orphaned|poll-recordings/.test(name)))
    await runUnlessOff(app.platform, { ...job, module: 'summaries' }, {})
  expect([await files(erased.coach), await files(kept.coach)]).toEqual([0, 1])
  expect([await queued('summaries.collect', kept.data), fake.requests]).toEqual([0, []])
})

describe('the minutes of the plan', () => {
  const read = async (coach: Coach) => (await app.call('GET', '/api/transcription-minutes', { as: coach })).body
  const setUsed = (coach: Coach, minutes: number) =>
    change(coach, `update transcription_usage set minutes = ${minutes} where coach_id = $1`)

  test('count what is sent: as planned at first, then its length; transcripts cost none', async () => {
    const setup = await createRecording()
    const { coach } = setup
    const resetsAt = '2026-04-01T04:00:00.000Z'
    expect(await read(coach)).toEqual({ included: 600, used: 60, left: 540, resetsAt })
    await setup.transcribe()
    expect(await read(coach)).toMatchObject({ used: 60 })
    const long = [...monologues, { speaker: 0, text: 'See you next week.', start: 2_500, end: 2_521 }]
    fake.finish((await setup.find())!.jobId!, { monologues: long })
    await setup.collect()
    expect(await read(coach)).toMatchObject({ used: 43, left: 557 })
    await setPlan(coach, 'premium')
    expect(await read(coach)).toMatchObject({ included: 3000, left: 2957 })
  })

  test('are not counted when the transcription fails, and stay counted when the recording is deleted', async () => {
    const failed = await createRecording()
    await failed.transcribe()
    fake.finish((await failed.find())!.jobId!, { failure: 'internal_processing' })
    await failed.collect()
    expect(await read(failed.coach)).toMatchObject({ used: 0 })

    const deleted = await createRecording()
    await deleted.transcribe()
    await inTenant(deleted.coach, (tx) => deleteRecording(tx, deleted.id))
    expect(await read(deleted.coach)).toMatchObject({ used: 60 })
  })

  test('that are used up stop recordings, not transcripts, until the month of the coach ends', async () => {
    const setup = await createRecording()
    const { coach, id } = setup
    await setup.transcribe()
    await setUsed(coach, 600)
    await inTenant(coach, (tx) => deleteRecording(tx, id))
    const add = async () => {
      const uploadId = await upload(coach)
      return inTenant(coach, (tx) => addRecording(tx, id, { uploadId }))
    }
    await expect(add()).rejects.toMatchObject({
      code: 'plan_limit',
      message:
        'Your Pro plan includes 600 minutes of transcription a month, and they are used up. ' +
        'They start again on Apr 1, 2026. Transcripts can still be added.',
    })
    const page = await loadSession(await contextFor(coach), id, `/session-summaries/${id}`)
    expect(page.minutes).toMatchObject({ left: 0, isLow: true, usedUp: expect.stringContaining('used up') })
    const content = 'Grace: I will send the plan for the spring.'
    await inTenant(coach, (tx) => addTranscript(tx, id, { source: 'paste', fileName: null, content, field: 'text' }))
    const { id: transcriptId } = (await setup.findTranscript())!
    await inTenant(coach, (tx) => deleteTranscript(tx, transcriptId))

    // It is still March in New York, where the coach is.
    app.clock.now = new Date('2026-04-01T03:59:00Z')
    await expect(add()).rejects.toMatchObject({ code: 'plan_limit' })
    app.clock.now = new Date('2026-04-01T04:00:00Z')
    expect(await add()).toMatchObject({ status: 'waiting' })
  })

  test('that are about to be used up are used by one of many recordings at once', async () => {
    const setup = await createRecording()
    const { coach } = setup
    await setup.transcribe()
    await setUsed(coach, 599)
    const { id: clientId } = await createClient({ coach, name: 'Ada Lovelace' })
    const sessions = await inTenant(coach, async (tx) => {
      await giveConsent(tx, { clientId }, { channel: 'spoken', wording: standardWording })
      const times = { startTime: '2026-03-08T10:00:00Z', endTime: '2026-03-08T11:00:00Z' }
      const ids: number[] = []
      for (const title of ['One', 'Two', 'Three'])
        ids.push((await createAppointment(tx, NewAppointment.parse({ title, clientId, ...times }))).id)
      return ids
    })
    const uploads = await Promise.all(sessions.map(() => upload(coach)))
    const answers = await Promise.allSettled(
      sessions.map((id, index) => inTenant(coach, (tx) => addRecording(tx, id, { uploadId: uploads[index]! }))),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})
