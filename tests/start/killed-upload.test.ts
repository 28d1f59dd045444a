import { randomBytes } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { partBytes } from '#tenants/files/store.ts'
import { citingModel, startFakeOpenAi } from '#tests/fakes/openai/server.ts'
import { startDatabase } from './support/database.ts'
import { call, createTempFolder, serve, waitUntilReady, type RunningProcess } from './support/process.ts'

// Resources and summaries together ('#modules/resources/', '#modules/summaries/').

type Upload = { id: number; received: number; isComplete: boolean }
const account = { email: 'ada@example.com', password: 'a long and rare word', firstName: 'Ada', lastName: 'Lovelace' }
const conversation = `Ada: What has happened since we last spoke?
Grace: I told my manager that I answer messages after eight in the morning.
Grace: That was harder than I thought, and it worked.
Grace: I will send you the plan for the spring by Friday.`

test('kill -9 during an upload and during a summary: the upload goes on at its last part, and there is one summary', async () => {
  const [{ ownerUrl, run }, openAi] = await Promise.all([startDatabase(), startFakeOpenAi()])
  onTestFinished(() => openAi.close())
  const dataDir = createTempFolder()
  const secret = 'for these tests alone and long enough'
  const env = { DATA_DIR: dataDir, DATABASE_URL: ownerUrl, SECRET_KEY: secret, ...openAi.env }
  let running = await serve(env)
  await waitUntilReady(running)
  const { cookie } = await call(running, 'POST', '/api/register', { body: account })
  await run(`update account set plan = 'premium'`)

  const content = randomBytes(2 * partBytes + 1000)
  const begun = await call<Upload>(running, 'POST', '/api/uploads', {
    cookie,
    body: { name: 'Workshop.bin', size: content.length },
  })
  const part = (index: number) => content.subarray(index * partBytes, (index + 1) * partBytes)
  const target = `/api/uploads/${begun.body.id}`
  await sendPart(running, cookie, `${target}?offset=0`, part(0))

  // Half of the second part is on the disk, and the model has been asked, when the process is killed.
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
  const session = await addSession(running, cookie)
  openAi.model = (messages) => {
    running.child.kill('SIGKILL')
    return citingModel(messages)
  }
  const transcript = { cookie, body: { text: conversation } }
  await call(running, 'POST', `/api/appointments/${session}/transcript`, transcript).catch(() => {})
  await running.exit

  openAi.model = citingModel
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

  // The queue gives the job up after ten seconds without a sign of life, which it looks for every minute.
  await run(`update pgboss.job set heartbeat_on = heartbeat_on - interval '1 hour' where state = 'active'`)
  const getSummary = () => call(running, 'GET', `/api/appointments/${session}/summary`, { cookie })
  await expect.poll(async () => (await getSummary()).status, { timeout: 90_000, interval: 200 }).toBe(200)
  expect((await run('select method from session_summary')).rows).toEqual([{ method: 'model' }])
  expect(openAi.requests).toHaveLength(2)
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

/** A completed session of yesterday, with consent. The transcript that is added to it gets a summary. */
async function addSession(running: RunningProcess, cookie: string): Promise<number> {
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
    startTime: at(25),
    endTime: at(24),
  })
  await post(`/api/appointments/${id}/complete`, {})
  return id
}
