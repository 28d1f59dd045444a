import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startWorkers } from '#app/server/process/jobs.ts'
import { runtime } from '#app/server/process/runtime.ts'
import { dayMs } from '#app/lib/time.ts'
import { publish, publishAll } from '#modules/core/events.ts'
import { clientCreated, clientUpdated } from '#modules/crm/events.ts'
import { writeAsTenant } from '#tenants/context.ts'
import { listOutbox } from '#tenants/mail.ts'
import { testConfig } from '#tests/support/config.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { contextFor, createClient, createCoach, inTenant, switchModules, type Coach } from '#tests/support/factories.ts'
import { expectSwitchable } from '#tests/support/notifications.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'
import { logDays, maxEndpoints } from './fields.ts'
import { findEndpoint, listDeliveries, listEndpoints } from './queries/webhooks.ts'
import { attemptDelivery, deleteOldDeliveries, deliverTo, sendAgain, sendTest } from './services/deliveries.ts'
import { deliveryLog } from './services/delivery-log.ts'
import { emailDisabled } from './services/disabled-email.ts'
import {
  createEndpoint,
  deleteEndpoint,
  endDeliveries,
  renewSecret,
  setEndpointState,
  updateEndpoint,
} from './services/endpoints.ts'
import { findPublicAddress, isPublicAddress } from './services/public-address.ts'
import { send } from './services/send.ts'

const app = createTestApp()
let coach: Coach
/** The calls that the receiver has got, and how it responds. */
let calls: { id: string; timestamp: string; signature: string; body: string }[] = []
let respond: (response: ServerResponse, request: IncomingMessage) => void
let url: string

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const header = (name: string) => String(request.headers[`webhook-${name}`])
    const call = { id: header('id'), timestamp: header('timestamp'), signature: header('signature') }
    calls.push({ ...call, body: Buffer.concat(chunks).toString() })
    respond(response, request)
  })
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  calls = []
  respond = (response) => response.writeHead(204).end()
  coach = await createCoach()
})

const answer = (status: number, text = '', headers = {}) => {
  respond = (response) => response.writeHead(status, headers).end(text)
}
const addEndpoint = (events: string[] = [clientCreated.name], own = coach, to = url) =>
  inTenant(own, (ctx) => createEndpoint(ctx, { url: to, events }))
const log = async (endpointId: number, own = coach) => listDeliveries(await contextFor(own), endpointId, { rows: 100 })

/** Makes the attempts that are due now, as the worker does. */
async function attemptDue(own = coach): Promise<void> {
  for (const { id } of await listEndpoints(await contextFor(own)))
    for (const delivery of await log(id, own))
      if (delivery.state === 'pending' && Date.parse(delivery.nextAttemptAt!) <= app.clock.now.getTime())
        await attemptDelivery(app.platform, { coachId: own.id, deliveryId: delivery.id })
}

/** As the receiver does: with the secret that the coach has copied. */
function isGenuine(secret: string, { id, timestamp, signature, body }: (typeof calls)[number]): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  return signature === `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

describe('an event', () => {
  test('is sent once to each endpoint that takes it, signed, with the ids of records and no more', async () => {
    const { id, secret } = await addEndpoint()
    const other = await addEndpoint([clientUpdated.name])
    const client = await createClient({ coach, name: 'Grace Hopper' })
    await attemptDue()
    await attemptDue()
    expect(calls).toHaveLength(1)
    const [call] = calls
    expect(isGenuine(secret, call!)).toBe(true)
    expect(isGenuine(other.secret, call!)).toBe(false)
    expect(call!.timestamp).toBe(String(app.clock.now.getTime() / 1000))
    expect(JSON.parse(call!.body)).toEqual({
      type: 'crm.client-created',
      timestamp: '2026-03-10T14:00:00.000Z',
      data: { clientId: client.id },
    })
    expect(await log(id)).toMatchObject([
      { messageId: call!.id, state: 'delivered', attempts: 1, responseStatus: 204, problem: null, nextAttemptAt: null },
    ])
    expect(await log(other.id)).toEqual([])
  })

  test('is sent if and only if its transaction commits', async () => {
    const { id } = await addEndpoint()
    const rolledBack = inTenant(coach, async (ctx) => {
      await publish(ctx, clientCreated, { clientId: 1 })
      throw new Error('no')
    })
    await expect(rolledBack).rejects.toThrow('no')
    expect(await log(id)).toEqual([])
    expect(await countJobs()).toBe(0)
    await inTenant(coach, (ctx) => publish(ctx, clientCreated, { clientId: 1 }))
    expect(await log(id)).toHaveLength(1)
    expect(await countJobs()).toBe(1)
  })

  test('of many records at once is sent for each of them', async () => {
    const [{ id }, second] = [await addEndpoint([clientUpdated.name]), await addEndpoint([clientUpdated.name])]
    const payloads = [1, 2, 3].map((clientId) => ({ clientId, fields: ['name'] }))
    await inTenant(coach, (ctx) => publishAll(ctx, clientUpdated, payloads))
    expect([(await log(id)).length, (await log(second.id)).length, await countJobs()]).toEqual([3, 3, 6])
    expect((await log(id)).map(({ body }) => JSON.parse(body).data).reverse()).toEqual(payloads)
  })

  test('is not sent while the endpoint or the module is off, or to another coach', async () => {
    const [{ id }, other] = [await addEndpoint(), await createCoach()]
    const theirs = await addEndpoint([clientCreated.name], other)
    await inTenant(coach, (ctx) => setEndpointState(ctx, id, false))
    await createClient({ coach })
    await inTenant(coach, (ctx) => setEndpointState(ctx, id, true))
    await switchModules(coach, { webhooks: false })
    await createClient({ coach })
    await switchModules(coach, {})
    expect([await log(id), await log(theirs.id, other)]).toEqual([[], []])
    for (const change of [deleteEndpoint, renewSecret, sendTest])
      await expect(inTenant<unknown>(coach, (ctx) => change(ctx, theirs.id))).rejects.toMatchObject({
        code: 'not_found',
      })
  })

  const countJobs = () =>
    asOwner(app.ownerUrl, async (db) => {
      const { rows } = await db.query<{ n: number }>(
        `select count(*)::int as n from pgboss.job where name = 'webhooks.deliver' and data->>'coachId' = $1`,
        [String(coach.id)],
      )
      return rows[0]!.n
    })
})

describe('an attempt that fails', () => {
  test('is followed by seven more, after growing pauses, with the same id and body, and then given up', async () => {
    answer(500, 'A bug')
    const { id } = await addEndpoint()
    await createClient({ coach })
    const times: number[] = []
    for (let at = 0; at < 8; at += 1) {
      await attemptDue()
      const [delivery] = await log(id)
      if (!delivery!.nextAttemptAt) break
      times.push((Date.parse(delivery!.nextAttemptAt) - app.clock.now.getTime()) / 1000)
      app.clock.now = new Date(delivery!.nextAttemptAt)
    }
    expect(times).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 36_000])
    expect(calls).toHaveLength(8)
    expect(new Set(calls.map((call) => `${call.id} ${call.body}`)).size).toBe(1)
    expect(new Set(calls.map((call) => call.signature)).size).toBe(8)
    expect(await log(id)).toMatchObject([
      {
        state: 'failed',
        attempts: 8,
        responseStatus: 500,
        response: 'A bug',
        problem: 'The server answered with the status 500.',
      },
    ])
  })

  test('may be sent again by the coach, also one that arrived: the receiver knows it by its id', async () => {
    answer(400)
    const { id } = await addEndpoint()
    await createClient({ coach })
    await attemptDue()
    answer(200)
    const [delivery] = await log(id)
    for (let at = 0; at < 2; at += 1) {
      await inTenant(coach, (ctx) => sendAgain(ctx, delivery!.id))
      await attemptDue()
    }
    expect(calls.map((call) => call.id)).toEqual(Array.from({ length: 3 }, () => delivery!.messageId))
    expect(await log(id)).toMatchObject([{ state: 'delivered', problem: null }])
    const other = await createCoach()
    await expect(inTenant(other, (ctx) => sendAgain(ctx, delivery!.id))).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is not sent again while its webhook is off, also if that is switched off at the same time', async () => {
    answer(400)
    const { id } = await addEndpoint()
    await createClient({ coach })
    await attemptDue()
    const [delivery] = await log(id)
    await Promise.allSettled([
      inTenant(coach, (ctx) => setEndpointState(ctx, id, false)),
      ...Array.from({ length: 5 }, () => inTenant(coach, (ctx) => sendAgain(ctx, delivery!.id))),
    ])
    expect(await log(id)).toMatchObject([{ state: 'failed' }])
    await expect(inTenant(coach, (ctx) => sendAgain(ctx, delivery!.id))).rejects.toMatchObject({
      code: 'conflict',
      message: 'This webhook is off. Switch it on to send this again.',
    })
  })

  test('for five days without a success switches the webhook off, with one email', async () => {
    answer(500)
    const { id } = await addEndpoint()
    for (let day = 0; day <= 5; day += 1) {
      await createClient({ coach })
      await attemptDue()
      app.clock.now = new Date(app.clock.now.getTime() + dayMs)
    }
    expect(await findEndpoint(await contextFor(coach), id)).toMatchObject({ disabledAt: '2026-03-15T14:00:00.000Z' })
    expect((await log(id)).filter(({ state }) => state === 'pending')).toEqual([])
    const emails = await asOwner(app.ownerUrl, (db) =>
      db.query(`select 1 from pgboss.job where name = 'webhooks.email-disabled' and data->>'coachId' = $1`, [
        String(coach.id),
      ]),
    )
    expect(emails.rowCount).toBe(1)
    await emailDisabled(app.platform, { coachId: coach.id, endpointId: id })
    const [email] = (await listOutbox(app.platform.config, 100)).filter(({ to }) => to === coach.email)
    expect(email).toMatchObject({ subject: 'A webhook was switched off' })
    expect(email!.text).toContain(`/settings/webhooks/${id}`)
  })

  test('with 410 switches the webhook off at once', async () => {
    answer(410)
    const { id } = await addEndpoint()
    await createClient({ coach })
    await attemptDue()
    expect((await findEndpoint(await contextFor(coach), id))!.disabledAt).not.toBeNull()
  })
})

describe('a call', () => {
  const call = (options?: { timeoutMs: number }, to = url) =>
    send(app.platform, { url: to, headers: {}, body: '{}' }, options)

  test('follows no redirect', async () => {
    answer(302, '', { Location: url })
    expect(await call()).toMatchObject({ status: 302, problem: expect.stringMatching(/redirected/) })
    expect(calls).toHaveLength(1)
  })

  test('waits for a limited time, and reads a limited part of the response', async () => {
    respond = () => {}
    expect(await call({ timeoutMs: 50 })).toMatchObject({ status: null, problem: expect.stringMatching(/no response/) })
    respond = (response) => {
      response.writeHead(200)
      const more = () => void (response.writableEnded || response.write('x'.repeat(10_000), () => setImmediate(more)))
      response.on('close', () => response.end())
      more()
    }
    const { status, response } = await call()
    expect([status, response!.length]).toEqual([200, 500])
  })

  test('reports a server that is not there', async () => {
    expect(await call(undefined, 'http://127.0.0.1:9/')).toMatchObject({
      problem: 'The server refused the connection.',
    })
  })
})

describe('an address', () => {
  const online = { ...testConfig(), origin: 'https://coaching.example.com' }

  test('is public: none of this machine, of a private network, of a cloud’s own services or in a tunnel', () => {
    const addresses = `127.0.0.1 0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1
      192.0.2.1 198.18.0.1 224.0.0.1 255.255.255.255 :: ::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 fe80::1 fc00::1 fd00::1
      ff02::1 64:ff9b::7f00:1 2002:7f00:1:: 2001::1 2001:db8::1 localhost`
    for (const address of addresses.split(/\s+/)) expect([address, isPublicAddress(address)]).toEqual([address, false])
    for (const address of ['8.8.8.8', '172.32.0.1', '2606:4700:4700::1111'])
      expect([address, isPublicAddress(address)]).toEqual([address, true])
  })

  test('is looked up once, and all that DNS names must be public', async () => {
    const questions: string[] = []
    const answers = (ipv4: string[], ipv6: string[] = []) => ({
      ...app.platform.dns,
      listIpv4: async (name: string) => (questions.push(name), ipv4),
      listIpv6: async () => ipv6,
    })
    const find = (ipv4: string[], ipv6?: string[]) => findPublicAddress(answers(ipv4, ipv6), 'hooks.example.com')
    expect(await find(['8.8.8.8'])).toEqual({ address: '8.8.8.8', family: 4 })
    expect(await find([], ['2606:4700:4700::1111'])).toEqual({ address: '2606:4700:4700::1111', family: 6 })
    for (const [ipv4, ipv6] of [[['10.0.0.1']], [['8.8.8.8', '127.0.0.1']], [['8.8.8.8'], ['::1']], [[]]] as const)
      expect(await find([...ipv4!], [...(ipv6 ?? [])])).toBeNull()
    questions.length = 0
    const { port } = new URL(url)
    const platform = { config: online, dns: answers(['127.0.0.1']) }
    for (const host of ['hooks.example.com', '127.0.0.1', '[::1]', '2130706433', '0x7f.1'])
      expect(await send(platform, { url: `http://${host}:${port}/`, headers: {}, body: '{}' })).toEqual({
        status: null,
        response: null,
        problem: 'The address does not exist, or is not public.',
      })
    expect(questions).toEqual(['hooks.example.com'])
    expect(calls).toEqual([])
  })

  const refused: [string, string][] = [
    ['http://hooks.example.com/', 'The address must begin with https://'],
    ['ftp://hooks.example.com/', 'Enter an address that begins with https://'],
    ['hooks.example.com', 'Enter an address that begins with https://'],
    ['https://user:word@hooks.example.com/', 'Enter the address without a user name and password'],
  ]
  for (const host of ['localhost', '10.0.0.1', '[::1]', 'intranet', '2130706433', 'a.localhost', 'db.internal'])
    refused.push([`https://${host}/`, 'Enter an address that can be reached from the internet'])

  test.each(refused)('is refused when it is entered: %s', async (address, message) => {
    const adding = inTenant(coach, (ctx) =>
      createEndpoint(
        { ...ctx, platform: { ...ctx.platform, config: online } },
        { url: address, events: [clientCreated.name] },
      ),
    )
    await expect(adding).rejects.toMatchObject({ code: 'validation_failed', message })
  })
})

describe('a webhook', () => {
  test('keeps a limited number, known events, and no secret in plain text', async () => {
    const { id, secret } = await addEndpoint()
    for (let at = 1; at < maxEndpoints; at += 1) await addEndpoint()
    await expect(addEndpoint()).rejects.toMatchObject({ code: 'conflict' })
    await inTenant(coach, (ctx) => deleteEndpoint(ctx, id))
    await expect(addEndpoint(['no.such-event'])).rejects.toMatchObject({ message: 'Choose at least one event' })
    const next = await addEndpoint([clientCreated.name, clientCreated.name, 'no.such-event'])
    await inTenant(coach, (ctx) => updateEndpoint(ctx, next.id, { url: `${url}/new`, events: [clientUpdated.name] }))
    const ctx = await contextFor(coach)
    expect(await findEndpoint(ctx, next.id)).toMatchObject({ url: `${url}/new`, events: [clientUpdated.name] })
    const rows = await ctx.query({ name: 'test.secrets', text: 'select secret from webhook_endpoint' })
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6))
    expect(JSON.stringify(rows)).not.toContain(next.secret.slice(6))
  })

  test('signs with the renewed secret at once, and is tested with an event of its own', async () => {
    const { id, secret } = await addEndpoint()
    const renewed = await inTenant(coach, (ctx) => renewSecret(ctx, id))
    await inTenant(coach, (ctx) => sendTest(ctx, id))
    await attemptDue()
    expect([isGenuine(secret, calls[0]!), isGenuine(renewed, calls[0]!)]).toEqual([false, true])
    expect(JSON.parse(calls[0]!.body)).toMatchObject({ type: 'test' })
  })

  test('has a log of thirty days', async () => {
    const { id } = await addEndpoint()
    await createClient({ coach })
    await attemptDue()
    app.clock.now = new Date(app.clock.now.getTime() + (logDays - 1) * dayMs)
    await deleteOldDeliveries(app.platform)
    expect(await log(id)).toHaveLength(1)
    app.clock.now = new Date(app.clock.now.getTime() + 2 * dayMs)
    await deleteOldDeliveries(app.platform)
    expect(await log(id)).toEqual([])
  })
})

test('two workers send each of twenty events once', async () => {
  const { id } = await addEndpoint()
  for (let at = 0; at < 2; at += 1) {
    const worker = await runtime.open({
      appUrl: app.appUrl,
      config: testConfig({ ROLE: 'worker' }),
      now: () => app.clock.now,
    })
    onTestFinished(() => worker.close())
    await startWorkers(worker)
  }
  await inTenant(coach, async (ctx) => {
    for (let at = 0; at < 20; at += 1) await deliverTo(ctx, id, clientCreated.name, { number: at })
  })
  const listPending = async () => (await log(id)).filter(({ state }) => state !== 'delivered')
  await expect.poll(listPending, { timeout: 30_000 }).toEqual([])
  // Deliveries of the tests before arrive, too.
  const numbers = calls.flatMap(({ body }): number[] => JSON.parse(body).data.number ?? [])
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at))
}, 60_000)

test('two jobs of one delivery send one request, and one chain of attempts goes on', async () => {
  const { id: endpointId } = await addEndpoint()
  await createClient({ coach })
  const { id } = (await log(endpointId))[0]!
  await inTenant(coach, (ctx) => sendAgain(ctx, id))
  const attempt = () => attemptDelivery(app.platform, { coachId: coach.id, deliveryId: id })
  answer(500)
  await Promise.all([attempt(), attempt(), attempt()])
  expect(calls).toHaveLength(1)
  expect(await log(endpointId)).toMatchObject([{ state: 'pending', attempts: 1 }])
  app.clock.now = new Date(app.clock.now.getTime() + 5000)
  await Promise.all([attempt(), attempt()])
  expect(calls).toHaveLength(2)
  expect(await log(endpointId)).toMatchObject([{ state: 'pending', attempts: 2 }])
})

/** The receiver responds to nothing until the returned function is called. */
function holdResponses(): () => void {
  const waiting: (() => void)[] = []
  respond = (response) => waiting.push(() => response.writeHead(204).end())
  return () => {
    for (const end of waiting) end()
    answer(204)
  }
}
const isBeingSent = 'This delivery is being sent. Reload the page in a minute for its result.'

test('a delivery is not sent again from other tabs while a request of it is on its way', async () => {
  const { id: endpointId } = await addEndpoint()
  await createClient({ coach })
  const { id } = (await log(endpointId))[0]!
  const attempt = () => attemptDelivery(app.platform, { coachId: coach.id, deliveryId: id })
  const release = holdResponses()
  const running = attempt()
  await vi.waitFor(() => expect(calls).toHaveLength(1))
  const clicks = await concurrently(5, () => inTenant(coach, (ctx) => sendAgain(ctx, id)))
  expect(clicks.map((click) => click.status === 'rejected' && click.reason.message)).toEqual(Array(5).fill(isBeingSent))
  await Promise.all([attempt(), attempt()])
  expect(calls).toHaveLength(1)
  release()
  await running
  expect(await log(endpointId)).toMatchObject([{ state: 'delivered', attempts: 1 }])
  await inTenant(coach, (ctx) => sendAgain(ctx, id))
  await attempt()
  expect(calls).toHaveLength(2)
})

test('clicks and jobs at once never send two requests of a delivery side by side', async () => {
  const { id: endpointId } = await addEndpoint()
  await createClient({ coach })
  const { id } = (await log(endpointId))[0]!
  let [running, most] = [0, 0]
  respond = (response) => {
    most = Math.max(most, (running += 1))
    setTimeout(() => {
      running -= 1
      response.writeHead(204).end()
    }, 20)
  }
  await concurrently(40, async (number) => {
    if (number % 2) await inTenant(coach, (ctx) => sendAgain(ctx, id))
    await attemptDelivery(app.platform, { coachId: coach.id, deliveryId: id })
  })
  expect(most).toBe(1)
  expect(await log(endpointId)).toMatchObject([{ state: 'delivered', nextAttemptAt: null }])
})

test('a delivery whose job has crashed is sent by the next one a minute later', async () => {
  const { id: endpointId } = await addEndpoint()
  await createClient({ coach })
  const { id } = (await log(endpointId))[0]!
  const attempt = () => attemptDelivery(app.platform, { coachId: coach.id, deliveryId: id })
  respond = () => void 0
  const hanging = attempt()
  await vi.waitFor(() => expect(calls).toHaveLength(1))
  await attempt()
  expect(calls).toHaveLength(1)
  app.clock.now = new Date(app.clock.now.getTime() + 60_000)
  answer(204)
  await attempt()
  expect(calls).toHaveLength(2)
  expect(await log(endpointId)).toMatchObject([{ state: 'delivered' }])
  server.closeAllConnections()
  await hanging
  expect(await log(endpointId)).toMatchObject([{ state: 'delivered', responseStatus: 204, nextAttemptAt: null }])
})

describe('the delivery log of administrators', () => {
  const { list, retry } = deliveryLog
  const page = { state: 'failed', q: '', after: null, rows: 100 } as const
  const retryAs = (by: Coach, own: Coach, id: number) =>
    inTenant(by, (ctx) =>
      writeAsTenant(ctx, own.id, (tx) => retry(tx, { platform: app.platform, coachId: own.id, id })),
    )

  /** A delivery that has failed, with an address, a payload and a response that no administrator may see. */
  async function addFailed(own: Coach): Promise<{ endpointId: number; id: number }> {
    const { id: endpointId } = await addEndpoint([clientCreated.name], own, `${url}?token=in-the-address`)
    await inTenant(own, (ctx) => deliverTo(ctx, endpointId, clientCreated.name, { note: 'in the payload' }))
    answer(500, 'in the response')
    const { id } = (await log(endpointId, own))[0]!
    await attemptDelivery(app.platform, { coachId: own.id, deliveryId: id })
    await inTenant(own, (ctx) => endDeliveries(ctx, endpointId, 'The webhook was switched off.'))
    return { endpointId, id }
  }

  test('has the deliveries of all coaches, without payloads, responses and addresses', async () => {
    const [admin, other] = [await createCoach({ isAdmin: true }), await createCoach()]
    const [first, second] = [await addFailed(coach), await addFailed(other)]
    const deliveries = await list(await contextFor(admin), page)
    const own = deliveries.filter(({ coachId }) => [coach.id, other.id].includes(coachId))
    expect(own).toMatchObject([
      { id: second.id, coachEmail: other.email, host: new URL(url).host, attempts: 1, responseStatus: 500 },
      { id: first.id, coachEmail: coach.email, event: 'Client added', canRetry: true },
    ])
    expect(own[0]!.problem).toBe('The server answered with the status 500.')
    expect(JSON.stringify(deliveries)).not.toMatch(/in the payload|in the response|in-the-address/)
    expect(await list(await contextFor(admin), { ...page, after: second.id, rows: 1 })).toMatchObject([
      { id: first.id },
    ])
  })

  test('is empty for a coach, as is the function in the database', async () => {
    await addFailed(coach)
    expect(await list(await contextFor(coach), page)).toEqual([])
  })

  test('retries a failed delivery once, even when clicked five times at once', async () => {
    const admin = await createCoach({ isAdmin: true })
    const { endpointId, id } = await addFailed(coach)
    const clicks = await concurrently(5, () => retryAs(admin, coach, id))
    expect(clicks.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    answer(204)
    await attemptDue()
    expect(await log(endpointId)).toMatchObject([{ state: 'delivered', attempts: 1 }])
    await expect(retryAs(admin, coach, id)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('retries nothing while a request of it is on its way', async () => {
    const admin = await createCoach({ isAdmin: true })
    const { endpointId, id } = await addFailed(coach)
    await retryAs(admin, coach, id)
    const release = holdResponses()
    const attempt = attemptDelivery(app.platform, { coachId: coach.id, deliveryId: id })
    await vi.waitFor(() => expect(calls).toHaveLength(2))
    // Switching the webhook off and on again ends the delivery, but not its request.
    await inTenant(coach, (ctx) => setEndpointState(ctx, endpointId, false))
    await inTenant(coach, (ctx) => setEndpointState(ctx, endpointId, true))
    const clicks = await concurrently(5, () => retryAs(admin, coach, id))
    expect(clicks.map((click) => click.status === 'rejected' && click.reason.message)).toEqual(
      Array(5).fill(isBeingSent),
    )
    release()
    await attempt
    await attemptDue()
    expect(calls).toHaveLength(2)
    expect(await log(endpointId)).toMatchObject([{ state: 'delivered' }])
  })

  test('is filtered by the coach: the one with the email, or all with the text in their name, page by page', async () => {
    const admin = await createCoach({ isAdmin: true })
    const name = `Zoë${crypto.randomUUID().slice(0, 8)}`
    const own = await createCoach({ firstName: name, email: `ann-${name.toLowerCase()}@example.com` })
    const other = await createCoach({ firstName: name, email: `jo${own.email}` })
    const [first, second, third] = [await addFailed(own), await addFailed(other), await addFailed(own)]
    await addFailed(coach)
    const ctx = await contextFor(admin)
    const find = async (q: string, more = {}) => (await list(ctx, { ...page, q, ...more })).map(({ id }) => id)
    const all = [third.id, second.id, first.id]
    expect(await find(name.toUpperCase())).toEqual(all)
    expect(await find(name.replace('ë', 'e'))).toEqual(all)
    expect(await find(own.email.slice(0, -1))).toEqual(all)
    expect(await find(` ${own.email.toUpperCase()} `)).toEqual([third.id, first.id])
    expect(await find(name, { rows: 2 })).toEqual([third.id, second.id])
    expect(await find(name, { rows: 2, after: second.id })).toEqual([first.id])
    expect(await find(own.email, { state: 'pending' })).toEqual([])
    // The last one has nothing to search for: it matches no coach instead of all.
    expect([await find('%'), await find(`${name}%`), await find('\u0301')]).toEqual([[], [], []])
    expect(await list(await contextFor(own), { ...page, q: own.email })).toEqual([])
  })

  test('sends nothing for another coach, to an endpoint that is off, or without the module', async () => {
    const [admin, other] = [await createCoach({ isAdmin: true }), await createCoach()]
    const { endpointId, id } = await addFailed(coach)
    await expect(retryAs(admin, other, id)).rejects.toMatchObject({ code: 'not_found' })
    await switchModules(coach, { webhooks: false })
    await expect(retryAs(admin, coach, id)).rejects.toMatchObject({ code: 'conflict' })
    await switchModules(coach, {})
    await inTenant(coach, (ctx) => setEndpointState(ctx, endpointId, false))
    await expect(retryAs(admin, coach, id)).rejects.toMatchObject({ code: 'conflict' })
    expect((await list(await contextFor(admin), page)).find((each) => each.id === id)!.canRetry).toBe(false)
  })
})

test('the coach gets no email about a webhook that was switched off if they have switched it off', () =>
  expectSwitchable('webhooks.disabled', async () => {
    const own = await createCoach()
    const { id } = await addEndpoint(undefined, own)
    await inTenant(own, (ctx) => setEndpointState(ctx, id, false))
    return {
      coach: own,
      send: async () => {
        await emailDisabled(app.platform, { coachId: own.id, endpointId: id })
        return (await listOutbox(app.platform.config, 100)).filter(({ to }) => to === own.email).length
      },
    }
  }))
