import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, expect, test } from 'vitest'
import { deleteQueue, openFile } from '#tenants/files/files.ts'
import { deleteStoredBytes } from '#tenants/files/jobs.ts'
import { partBytes } from '#tenants/files/store.ts'
import { deleteUpload, takeUpload } from '#tenants/files/uploads.ts'
import { startFakeS3 } from '#tests/fakes/s3/server.ts'
import { contextFor, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp, type CallResult } from '#tests/support/test-app.ts'

const s3 = await startFakeS3()
const app = createTestApp(s3.env)
afterEach(() => s3.stopFailing())
afterAll(() => s3.close())

const sendPart = (as: Coach, id: number, content: Buffer, index: number): Promise<CallResult> =>
  app.call('PUT', `/api/uploads/${id}?offset=${index * partBytes}`, {
    as,
    raw: new Uint8Array(content.subarray(index * partBytes, (index + 1) * partBytes)),
    headers: { 'content-type': 'application/octet-stream' },
  })
const begin = async (as: Coach, size: number): Promise<number> =>
  (await app.call('POST', '/api/uploads', { as, body: { name: 'workshop.bin', size } })).body.id
const getState = async (as: Coach, id: number) => (await app.call('GET', `/api/uploads/${id}`, { as })).body

async function expectStored(coach: Coach, id: number, content: Buffer): Promise<void> {
  const { fileId } = await inTenant(coach, (tx) => takeUpload(tx, id, { kind: 'account', recordId: 1 }))
  const file = await openFile(await contextFor(coach), fileId)
  expect((await buffer(file.content)).equals(content)).toBe(true)
}

test('an upload that stops at 60 % while the bucket answers 503 goes on from there', async () => {
  const coach = await createCoach({ plan: 'pro' })
  const content = randomBytes(5 * partBytes)
  const id = await begin(coach, content.length)
  for (const index of [0, 1, 2]) expect((await sendPart(coach, id, content, index)).status).toBe(200)
  s3.fail(/^PUT .*partNumber=4/, 503, 3)
  expect((await sendPart(coach, id, content, 3)).status).toBe(503)
  expect(await getState(coach, id)).toMatchObject({ received: 3 * partBytes, isComplete: false })
  s3.requests.splice(0)
  for (const index of [3, 4]) expect((await sendPart(coach, id, content, index)).status).toBe(200)
  expect(await getState(coach, id)).toMatchObject({ received: content.length, isComplete: true })
  expect(s3.requests.filter((name) => name.startsWith('PUT'))).toHaveLength(2)
  await expectStored(coach, id, content)
})

test.each([403, 503] as const)(
  'an upload whose parts a bucket refuses to join with %i is joined later',
  async (status) => {
    const coach = await createCoach({ plan: 'pro' })
    const content = randomBytes(partBytes + 10)
    const id = await begin(coach, content.length)
    await sendPart(coach, id, content, 0)
    s3.fail(/^POST .*uploadId=/, status, 3)
    expect((await sendPart(coach, id, content, 1)).status).toBe(503)
    s3.stopFailing()
    const joined = await app.call('PUT', `/api/uploads/${id}?offset=${content.length}`, {
      as: coach,
      raw: new Uint8Array(),
      headers: { 'content-type': 'application/octet-stream' },
    })
    expect([joined.status, joined.body.isComplete]).toEqual([200, true])
    await expectStored(coach, id, content)
  },
)

test('an upload that is discarded is aborted in the bucket, which keeps none of its parts', async () => {
  const coach = await createCoach({ plan: 'pro' })
  const content = randomBytes(2 * partBytes)
  const id = await begin(coach, content.length)
  await sendPart(coach, id, content, 0)
  s3.requests.splice(0)
  await inTenant(coach, (tx) => deleteUpload(tx, id))
  const jobs = await app.platform.boss.fetch<Parameters<typeof deleteStoredBytes>[1]>(deleteQueue, { batchSize: 10 })
  expect(jobs).toHaveLength(1)
  await deleteStoredBytes(app.platform, jobs[0]!.data)
  expect(s3.requests).toEqual([
    expect.stringMatching(/^DELETE .*uploadId=/),
    expect.stringMatching(/^DELETE (?!.*uploadId=)/),
  ])
  expect((await sendPart(coach, id, content, 1)).status).toBe(404)
})

test('two requests for the same part leave a file that can be joined, also if the bucket’s tags differ each time', async () => {
  s3.encryptsParts = true
  const coach = await createCoach({ plan: 'pro' })
  const content = randomBytes(2 * partBytes)
  const id = await begin(coach, content.length)
  // The line broke while the first one was still running.
  const both = await Promise.all([sendPart(coach, id, content, 0), sendPart(coach, id, content, 0)])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect((await sendPart(coach, id, content, 0)).status).toBe(200)
  expect((await sendPart(coach, id, content, 1)).body.isComplete).toBe(true)
  await expectStored(coach, id, content)
  s3.encryptsParts = false
})
