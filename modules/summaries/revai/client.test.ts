import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { parseConfig, type RevAiConfig } from '#tenants/config.ts'
import { startFakeRevAi, type Failure, type FakeRevAi } from '#tests/fakes/revai/server.ts'
import { deleteJob, findJob, getJob, getTranscript, submitRecording } from './client.ts'
import { TranscriberError } from '../recordings/transcriber.ts'
import { readLines } from './to-lines.ts'

let fake: FakeRevAi
let config: RevAiConfig
beforeAll(async () => {
  fake = await startFakeRevAi()
  config = parseConfig(fake.env).revai!
})
afterEach(() => {
  fake.stopFailing()
  fake.jobs.clear()
})
afterAll(() => fake.close())

const submit = (metadata = '1:2:3', content = Readable.from([Buffer.from('ID3 audio')])) =>
  submitRecording(config, {
    content,
    fileName: 'session.mp3',
    metadata,
    webhook: { url: 'https://practice.example.com/revai', authorization: 'Bearer secret' },
  })

test('a recording goes as a stream, with what names the job and ends it', async () => {
  const job = await submit()
  expect(fake.jobs.get(job.id)).toMatchObject({
    status: 'in_progress',
    media: { bytes: 9, fileName: 'session.mp3', start: 'ID3 audio' },
    options: {
      metadata: '1:2:3',
      delete_after_seconds: 86_400,
      notification_config: {
        url: 'https://practice.example.com/revai',
        auth_headers: { Authorization: 'Bearer secret' },
      },
    },
  })
})

test('a job whose response was lost is found by its metadata', async () => {
  fake.fail(/^POST/, 'lost', 1)
  await expect(submit('1:2:9')).rejects.toMatchObject({ kind: 'down' })
  expect(await findJob(config, '1:2:9')).toMatchObject({ status: 'in_progress' })
  expect(await findJob(config, '1:2:8')).toBeNull()
})

test('the transcript comes when the job has ended, by speaker, in lines of some sentences', async () => {
  const { id } = await submit()
  await expect(getTranscript(config, id)).rejects.toMatchObject({ kind: 'busy', status: 409 })
  const sentence = 'We talked about the hiring plan and about the promotion that depends on it, and on the new team.'
  fake.finish(id, {
    monologues: [
      { speaker: 0, text: `${sentence} ${sentence} ${sentence}`, start: 1, end: 31 },
      { speaker: 1, text: 'Yes.', start: 31, end: 32 },
    ],
  })
  expect((await getJob(config, id)).status).toBe('transcribed')
  const lines = readLines(await getTranscript(config, id))
  expect(lines.map(({ n, speaker, text }) => [n, speaker, text])).toEqual([
    [1, 'Speaker 1', `${sentence} ${sentence}`],
    [2, 'Speaker 1', sentence],
    [3, 'Speaker 2', 'Yes.'],
  ])
  expect(lines[0]!.startMs).toBe(1000)
  expect(lines[1]!.startMs).toBeGreaterThanOrEqual(lines[0]!.endMs!)
  expect(lines[1]!.endMs).toBeLessThanOrEqual(31_000)
})

test('a job is deleted once it has ended, and a second time without an error', async () => {
  const { id } = await submit()
  await expect(deleteJob(config, id)).rejects.toMatchObject({ kind: 'busy' })
  fake.finish(id, { failure: 'invalid_media' })
  expect(await getJob(config, id)).toMatchObject({ status: 'failed', failure: 'invalid_media' })
  await deleteJob(config, id)
  await deleteJob(config, id)
  await expect(getJob(config, id)).rejects.toMatchObject({ kind: 'not_found' })
})

test('the fake rejects search params that Rev.ai does not know', async () => {
  const list = (query: string) =>
    fetch(`${config.baseUrl}/speechtotext/v1/jobs?${query}`, {
      headers: { authorization: `Bearer ${config.accessToken}` },
    })
  expect((await list('limit=1000')).status).toBe(200)
  for (const query of ['limit=1001', 'limit=x', 'limitt=5']) expect((await list(query)).status, query).toBe(400)
})

test.each<[Failure, string]>([
  [401, 'revoked'],
  [403, 'revoked'],
  [400, 'refused'],
  [429, 'busy'],
  [503, 'down'],
  [302, 'down'],
  ['nothing', 'down'],
  ['garbage', 'down'],
])('a call that fails with %s is %s, without the token', async (failure, kind) => {
  fake.fail(/./, failure)
  for (const call of [() => getJob(config, 'a'), () => submit(), () => findJob(config, 'a')]) {
    const error = await call().then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(TranscriberError)
    expect(error).toMatchObject({ kind })
    expect(JSON.stringify({ ...(error as object), text: String(error), stack: (error as Error).stack })).not.toContain(
      config.accessToken,
    )
  }
})
