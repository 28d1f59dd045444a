import { randomBytes } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { partBytes } from '#tenants/files/store.ts'
import { citingModel, startFakeOpenAi } from '#tests/fakes/openai/server.ts'
import { startFakeRevAi } from '#tests/fakes/revai/server.ts'
import { startFakeZoom, type FakeZoom } from '#tests/fakes/zoom/server.ts'
import { startDatabase } from './support/database.ts'
import { call, createTempFolder, serve, waitUntilReady, type RunningProcess } from './support/process.ts'

// Resources, summaries and Zoom together ('#modules/resources/', '#modules/summaries/', '#modules/zoom/').

type Upload = { id: number; received: number; isComplete: boolean }
const account = { email: 'ada@example.com', password: 'a long and rare word', firstName: 'Ada', lastName: 'Lovelace' }
const conversation = `Ada: What has happened since we last spoke?
Grace: I told my manager that I answer messages after eight in the morning.
Grace: That was harder than I thought, and it worked.
Grace: I will send you the plan for the spring by Friday.`

test('kill -9 during an upload, a summary, a detection and while sending to Rev.ai: all of it goes on, and once', async () => {
  const [{ ownerUrl, run }, openAi, zoom, revai] = await Promise.all([
    startDatabase(),
    startFakeOpenAi(),
    startFakeZoom(),
    startFakeRevAi(),
  ])
  onTestFinished(async () => void (await Promise.all([openAi.close(), zoom.close(), revai.close()])))
  const dataDir = createTempFolder()
  const secret = 'for these tests alone and long enough'
  const env = {
    DATA_DIR: dataDir,
    DATABASE_URL: ownerUrl,
    SECRET_KEY: secret,
    ...openAi.env,
    ...zoom.env,
    ...revai.env,
  }
  let running = await serve(env)
  await waitUntilReady(running)
  const { cookie } = await call(running, 'POST', '/api/register', { body: account })
  await run(`update account set plan = 'premium'`)
  await connectZoom(running, cookie, zoom)

  const content = randomBytes(2 * partBytes + 1000)
  const begun = await call<Upload>(running, 'POST', '/api/uploads', {
    cookie,
    body: { name: 'Workshop.bin', size: content.length },
  })
  const part = (index: number) => content.subarray(index * partBytes, (index + 1) * partBytes)
  const target = `/api/uploads/${begun.body.id}`
  await sendPart(running, cookie, `${target}?offset=0`, part(0))

  const release = zoom.hold(/recordings/)
  const recorded = await addSession(running, cookie, {
    hoursAgo: 25,
    meetingUrl: 'https://us02web.zoom.us/j/86512345678',
  })
  await expect.poll(() => zoom.requests.some((name) => name.includes('recordings')), { timeout: 30_000 }).toBe(true)
  // Half of the second part is on the disk, the model has been asked and Zoom too, when the process is killed.
  const half = http
    .request({
      port: running.port,
      method: 'PUT',
      path: `${target}?offset=${partBytes}`,
      headers: headers(cookie, part(1)),
    })
    .on('error', () => {})
  half.write(part(1).subarray(0, partBytes / 2))
  await expect.poll(() => listFiles(dataDir)[0]!.size, { timeout: 30_000 }).toBeGreaterThan(partBytes)
  const session = await addSession(running, cookie, { hoursAgo: 49 })
  openAi.model = (messages) => {
    running.child.kill('SIGKILL')
    return citingModel(messages)
  }
  const transcript = { cookie, body: { text: conversation } }
  await call(running, 'POST', `/api/appointments/${session}/transcript`, transcript).catch(() => {})
  await running.exit

  openAi.model = citingModel
  release()
  revai.fail(/POST \/jobs/, 'unanswered', 1)
  running = await serve(env)
  await waitUntilReady(running)
  expect((await call<Upload>(running, 'GET', target, { cookie })).body).toMatchObject({ received: partBytes })
  await sendPart(running, cookie, `${target}?offset=${partBytes}`, part(1))
  await sendPart(running, cookie, `${target}?offset=${2 * partBytes}`, part(2))
  const uploadId = begun.body.id
  const { body: file } = await call<{ id: number }>(running, 'POST', '/api/files', {
    cookie,
    body: { uploadId, name: 'Workshop.bin' },
  })
  const download = await fetch(`http://localhost:${running.port}/api/files/${file.id}/download`, {
    headers: { cookie },
  })
  expect(Buffer.from(await download.arrayBuffer()).equals(content)).toBe(true)
  expect(listFiles(dataDir).map(({ size }) => size)).toEqual([content.length])

  // Another worker waits for five minutes before it goes on with a search.
  await run(`update recording_search set claimed_until = now(), next_attempt_at = now()`)
  // The queue gives the job up after ten seconds without a sign of life, which it looks for every minute.
  const giveUp = () =>
    run(`update pgboss.job set heartbeat_on = heartbeat_on - interval '1 hour' where state = 'active'`)
  await giveUp()
  const getSummary = () => call(running, 'GET', `/api/appointments/${session}/summary`, { cookie })
  await expect.poll(async () => (await getSummary()).status, { timeout: 90_000, interval: 200 }).toBe(200)
  expect((await run('select method from session_summary')).rows).toEqual([{ method: 'model' }])
  expect(openAi.requests).toHaveLength(2)

  // Rev.ai has the recording, and the process is killed before it knows.
  await expect.poll(() => revai.jobs.size, { timeout: 90_000, interval: 200 }).toBe(1)
  running.child.kill('SIGKILL')
  await running.exit
  running = await serve(env)
  await waitUntilReady(running)
  await giveUp()
  const listRecordings = async () => (await run('select status, job_id from session_recording')).rows
  await expect
    .poll(listRecordings, { timeout: 90_000, interval: 200 })
    .toEqual([{ status: 'transcribing', job_id: [...revai.jobs.keys()][0] }])
  expect(revai.requests.filter((name) => name === 'POST /jobs')).toHaveLength(1)
  expect((await call(running, 'GET', `/api/appointments/${recorded}`, { cookie })).body).toMatchObject({
    recordingDetectionStatus: 'found',
    recordingDetectionAttempts: 2,
  })
  expect(
    listFiles(dataDir)
      .map(({ size }) => size)
      .toSorted(),
  ).toEqual([sound.length, content.length].toSorted())
})

const headers = (cookie: string, part: Uint8Array) => ({
  cookie,
  host: 'localhost',
  'content-type': 'application/octet-stream',
  'content-length': part.length,
})

async function sendPart({ port }: RunningProcess, cookie: string, target: string, part: Uint8Array<ArrayBuffer>) {
  const { cookie: session, 'content-type': type } = headers(cookie, part)
  const answer = await fetch(`http://localhost:${port}${target}`, {
    method: 'PUT',
    headers: { cookie: session, 'content-type': type },
    body: part,
  })
  expect(answer.status, await answer.text()).toBe(200)
}

/** The files of the only coach. */
function listFiles(dataDir: string): { name: string; size: number }[] {
  const [folder] = readdirSync(path.join(dataDir, 'files'))
  const files = path.join(dataDir, 'files', folder!)
  return readdirSync(files).map((name) => ({ name, size: statSync(path.join(files, name)).size }))
}

const sound = Buffer.concat([Buffer.from('\0\0\0\x18ftypM4A '), Buffer.alloc(4000)])

/** Connects a Zoom account that has the sound of a meeting yesterday. */
async function connectZoom({ port }: RunningProcess, cookie: string, zoom: FakeZoom): Promise<void> {
  const get = (address: string) => fetch(address, { headers: { cookie }, redirect: 'manual' })
  const asked = new URL((await get(`http://localhost:${port}/zoom/connect`)).headers.get('location')!)
  const email = 'ada@zoom.example'
  const { pathname, search } = new URL(zoom.agree(asked.searchParams, { email }))
  const back = await get(`http://localhost:${port}${pathname}${search}`)
  expect(back.headers.get('location')).toBe('/settings/zoom')
  const startTime = new Date(Date.now() - 25 * 3_600_000)
  zoom.addRecording({ email, number: '86512345678', topic: 'Spring plan', startTime, minutes: 60, sound })
}

/** A completed session that began so many hours ago, with consent. The transcript that is added to it gets a summary. */
async function addSession(
  running: RunningProcess,
  cookie: string,
  { hoursAgo, meetingUrl = null }: { hoursAgo: number; meetingUrl?: string | null },
): Promise<number> {
  const post = async (pathname: string, body: object): Promise<{ id: number }> => {
    const answer = await call<{ id: number }>(running, 'POST', pathname, { cookie, body })
    expect(answer.status, answer.summary).toBeLessThan(300)
    return answer.body
  }
  const client = await post('/api/clients', { name: 'Grace Hopper', email: 'grace@example.com' })
  await post(`/api/clients/${client.id}/recording-consents`, { channel: 'spoken', wording: 'Yes, you may.' })
  const at = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
  const { id } = await post('/api/appointments', {
    title: 'Spring plan',
    clientId: client.id,
    startTime: at(hoursAgo),
    endTime: at(hoursAgo - 1),
    meetingUrl,
  })
  await post(`/api/appointments/${id}/complete`, {})
  return id
}
