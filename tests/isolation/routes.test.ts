import { beforeAll, describe, expect, test } from 'vitest'
import type { Operation } from '#tenants/api/operation.ts'
import { createTestApp, type CallResult, type CallOptions } from '#tests/support/test-app.ts'
import { testedCalls } from '#tests/support/tested-modules.ts'
import {
  leakMarker,
  tenantFingerprint,
  createTwoTenants,
  tenantPassword,
  type TwoTenants,
} from '#tests/support/two-tenants.ts'
import { createSampleBody, listFields, listIdFields, createReorderBody } from '#tests/support/request-samples.ts'

// Generated from the registry, so that a new operation is covered at once. Ids of the second
// practice come from every table, so a call needs no entry in any list.

const app = createTestApp()
const signedIn = testedCalls.filter(({ operation }) => operation.access !== 'public')
const missingId = 8_999_999_999_999
let tenants: TwoTenants

beforeAll(async () => {
  tenants = await createTwoTenants(app)
})

/** The response without the values that differ between any two responses. */
function comparable({ status, text, headers }: CallResult): unknown {
  const requestId = headers.get('x-request-id') ?? ''
  return {
    status,
    text: text.replaceAll(requestId, '#'),
    headers: [...headers].map(([name, value]) => [name, value.replaceAll(requestId, '#')]),
  }
}

async function call(operation: Operation, path: string, options: CallOptions = {}): Promise<CallResult> {
  const hasBody = operation.method !== 'get' && operation.method !== 'delete'
  return app.call(operation.method.toUpperCase(), `/api${path}`, {
    as: tenants.ada,
    ...(hasBody ? { body: {} } : {}),
    ...options,
  })
}

const fillIds = (path: string, ids: number[]): string => {
  let at = 0
  return path.replaceAll(/\{\w+\}/g, () => String(ids[at++]))
}
const countParams = (path: string): number => path.split('{').length - 1

/** Returns ids of Bea's tables for a path with `count` ids. */
function foreignIds(count: number): number[][] {
  return tenants.sampleIds.map((id) => Array.from({ length: count }, () => id))
}

describe('a session', () => {
  test.each(signedIn)(
    "$name rejects a missing session, a forged one, and one of another coach's host",
    async ({ operation }) => {
      const path = fillIds(operation.path, [1, 1, 1])
      const { ada, bea } = tenants
      expect((await call(operation, path, { as: { ...ada, cookie: '' } })).status).toBe(401)
      for (const cookie of [
        'session=',
        'session=x',
        `session=${'A'.repeat(43)}`,
        'session=%00',
        `session=${ada.cookie}`,
        ada.cookie.replace('session=', 'Session='),
        ada.cookie.slice(0, -1),
        `${ada.cookie}x`,
      ]) {
        expect([cookie, (await call(operation, path, { as: { ...ada, cookie } })).status]).toEqual([cookie, 401])
      }
      expect((await call(operation, path, { host: `${bea.subdomain}.localhost:3000` })).status).toBe(401)
      expect((await call(operation, path, { as: bea, host: `${ada.subdomain}.localhost:3000` })).status).toBe(401)
    },
  )

  test.each(signedIn.filter(({ operation }) => operation.access === 'admin'))(
    "$name is a 404 on a coach's host and forbidden on the platform's",
    async ({ operation }) => {
      const path = fillIds(operation.path, [tenants.bea.id])
      expect((await call(operation, path)).status).toBe(403)
      expect((await call(operation, path, { host: `${tenants.ada.subdomain}.localhost:3000` })).status).toBe(404)
    },
  )
})

describe('a record of another coach', () => {
  const withId = signedIn.filter(({ operation }) => countParams(operation.path) > 0)

  test.each(withId)('$name responds as if it did not exist', async ({ operation }) => {
    const before = await tenantFingerprint(app, tenants.bea.id)
    const count = countParams(operation.path)
    const expected = operation.access === 'admin' ? 403 : 404
    const hasBody = operation.method !== 'get' && operation.method !== 'delete'
    for (const options of hasBody ? [{ body: {} }, { body: createSampleBody(operation) }] : [{}]) {
      const nobodys = await call(
        operation,
        fillIds(
          operation.path,
          Array.from({ length: count }, () => missingId),
        ),
        options,
      )
      expect(nobodys.status).toBe(expected)
      for (const ids of foreignIds(count))
        expect(comparable(await call(operation, fillIds(operation.path, ids), options))).toEqual(comparable(nobodys))
    }
    expect(await tenantFingerprint(app, tenants.bea.id)).toBe(before)
  })

  test.each(withId)('$name responds the same with an idempotency key', async ({ operation }) => {
    const before = await tenantFingerprint(app, tenants.bea.id)
    for (const [at, ids] of foreignIds(countParams(operation.path)).entries()) {
      const answer = await call(operation, fillIds(operation.path, ids), {
        headers: { 'idempotency-key': `retry ${at}` },
      })
      expect([403, 404]).toContain(answer.status)
    }
    expect(await tenantFingerprint(app, tenants.bea.id)).toBe(before)
  })

  test.each(withId)('$name responds to a malformed id as to a missing one', async ({ operation }) => {
    const expected = operation.access === 'admin' ? 403 : 404
    const malformed = [
      'abc',
      '0',
      '-1',
      '1.5',
      '9223372036854775808',
      '9007199254740993',
      '%00',
      '%',
      '%zz',
      '%31',
      '1%20',
      '%2531',
      '01',
      '+1',
      '1e3',
      '٣',
      '%D9%A3',
      'null',
      'undefined',
      '1;2',
      "1'--",
      '*',
      '__proto__',
      '0x10',
      '',
    ]
    for (const id of malformed) {
      const answer = await call(
        operation,
        operation.path.replaceAll(/\{\w+\}/g, () => id),
      )
      expect([id, answer.status]).toEqual([id, expected])
      expect(answer.body.code).toBe(expected === 404 ? 'not_found' : 'forbidden')
    }
  })
})

describe('lists', () => {
  test('the leak marker is detectable, and so is a change', async () => {
    expect((await app.call('GET', '/api/user', { as: tenants.bea })).text).toContain(leakMarker)
    const unchanged = await tenantFingerprint(app, tenants.bea.id)
    expect(await tenantFingerprint(app, tenants.bea.id)).toBe(unchanged)
    const body = { name: `Gone ${leakMarker}`, email: 'gone@example.com' }
    const created = await app.call('POST', '/api/clients', { as: tenants.bea, body })
    const withClient = await tenantFingerprint(app, tenants.bea.id)
    expect(withClient).not.toBe(unchanged)
    await app.call('DELETE', `/api/clients/${created.body.id}`, { as: tenants.bea })
    expect(await tenantFingerprint(app, tenants.bea.id)).not.toBe(withClient)
  })

  const reading = signedIn.filter(({ operation }) => operation.method === 'get' && !operation.path.includes('{'))

  test.each(reading)('$name shows nothing of another coach', async ({ operation }) => {
    const queries = [
      '',
      '?limit=500',
      ...listFields(operation.query).flatMap(([name]) => [
        `?${name}=${leakMarker}`,
        ...tenants.sampleIds.map((id) => `?${name}=${id}`),
      ]),
      `?coachId=${tenants.bea.id}&coach_id=${tenants.bea.id}`,
    ]
    for (const query of queries) {
      const answer = await call(operation, `${operation.path}${query}`)
      const isRefusal = 'refusals' in operation && operation.refusals?.includes(answer.status)
      expect([query, answer.status < 500 || isRefusal]).toEqual([query, true])
      expect(answer.text).not.toContain(leakMarker)
      expect([...answer.headers].join('\n')).not.toContain(leakMarker)
      const records: { coachId?: number }[] = Array.isArray(answer.body) ? answer.body : []
      expect(records.filter(({ coachId = tenants.ada.id }) => coachId !== tenants.ada.id)).toEqual([])
    }
  })

  const paged = reading.filter(
    ({ operation }) => operation.access === 'coach' && listFields(operation.query).some(([name]) => name === 'cursor'),
  )

  /** Adds a record to the lists that start without two. */
  const addRecord: Record<string, (count: number) => Promise<void>> = {
    '/trash': async () => {
      const body = { name: 'Gone', email: 'gone@example.com' }
      const client = await app.call('POST', '/api/clients', { as: tenants.bea, body })
      await app.call('DELETE', `/api/clients/${client.body.id}`, { as: tenants.bea })
    },
    '/appointments/today': async (count) => {
      const [startTime, endTime] = ['00', '30'].map((minute) => `2026-03-10T${16 + count}:${minute}:00Z`)
      const body = { title: 'Today', clientId: tenants.ids.get('client')![0], startTime, endTime }
      await app.call('POST', '/api/appointments', { as: tenants.bea, body })
    },
  }

  test.each(paged)("$name rejects another coach's cursor", async ({ operation }) => {
    for (let count = 0; count < 2; count += 1) await addRecord[operation.path]?.(count)
    const theirs = await call(operation, `${operation.path}?limit=1`, { as: tenants.bea })
    const next = /<\/api([^>]+)>; rel="next"/.exec(theirs.headers.get('link') ?? '')?.[1]
    expect(next).toBeDefined()
    expect((await call(operation, next!, { as: tenants.bea })).status).toBe(200)
    expect((await call(operation, next!)).status).toBe(422)
    // A cursor of the coach's own other list is rejected too.
    const cursor = new URL(next!, 'http://x').searchParams.get('cursor')
    for (const other of paged) {
      if (other.operation === operation) continue
      expect(
        (await call(other.operation, `${other.operation.path}?cursor=${cursor}`, { as: tenants.bea })).status,
      ).toBe(422)
    }
  })
})

describe('a body', () => {
  const writing = signedIn.filter(({ operation }) => operation.body && operation.access === 'coach')

  test.each(writing.filter(({ operation }) => !operation.path.includes('{')))(
    '$name ignores a coach, id or permission in it',
    async ({ operation }) => {
      const before = await tenantFingerprint(app, tenants.bea.id)
      const stolen = {
        id: tenants.bea.id,
        coachId: tenants.bea.id,
        coach_id: tenants.bea.id,
        isAdmin: true,
        subscriptionStatus: 'premium',
        plan: 'premium',
        role: 'admin',
        totalSpent: 1,
        createdAt: '2000-01-01T00:00:00Z',
        passwordHash: 'x',
      }
      const body = { ...(await ownBody(operation)), ...stolen }
      if ('currentPassword' in body) body.currentPassword = tenantPassword
      const answer = await call(operation, operation.path, { body })
      // The other service isn't connected, but for the store of files.
      const isRefused = operation.callsVendor && operation.path !== '/uploads'
      if (isRefused) expect([answer.status, answer.body.code]).toEqual([503, 'unavailable'])
      else expect(answer.status).toBeLessThan(300)
      for (const record of isRefused ? [] : [answer.body].flat()) {
        expect(record).toMatchObject(
          'coachId' in record ? { coachId: tenants.ada.id } : { id: tenants.ada.id, isAdmin: false, role: 'coach' },
        )
        expect(record.id).not.toBe(tenants.bea.id)
        expect(record.createdAt ?? '').not.toMatch(/^2000/)
        expect(record.totalSpent ?? 0).toBe(0)
      }
      expect(await tenantFingerprint(app, tenants.bea.id)).toBe(before)
    },
  )

  test.each(
    writing.flatMap(({ operation, name }) => listIdFields(operation).map((field) => ({ operation, name, field }))),
  )("$name treats another coach's $field as missing", async ({ operation, field }) => {
    const before = await tenantFingerprint(app, tenants.bea.id)
    const own = await ownIds(operation)
    const nobodys = await call(operation, fillIds(operation.path, own), {
      body: createSampleBody(operation, { [field]: asSent(field, missingId) }),
    })
    expect(nobodys.status).toBe(404)
    expect(nobodys.body.message).toMatch(/ not found$/)
    for (const id of tenants.sampleIds)
      expect(
        comparable(
          await call(operation, fillIds(operation.path, own), {
            body: createSampleBody(operation, { [field]: asSent(field, id) }),
          }),
        ),
      ).toEqual(comparable(nobodys))
    expect(await tenantFingerprint(app, tenants.bea.id)).toBe(before)
  })

  const asSent = (field: string, id: unknown) => (field.endsWith('s') ? [id] : id)

  /** Returns a body that is valid for Ada. */
  async function ownBody(operation: Operation): Promise<Record<string, unknown>> {
    const list = operation.path.slice(0, operation.path.lastIndexOf('/'))
    return (
      createReorderBody(operation, (await app.call('GET', `/api${list}`, { as: tenants.ada })).body) ??
      createSampleBody(operation)
    )
  }

  /** Returns Ada's newest record of the list that the path starts with. */
  async function ownIds(operation: Operation): Promise<number[]> {
    if (!operation.path.includes('{')) return []
    const list = await app.call('GET', `/api${operation.path.slice(0, operation.path.indexOf('/{'))}`, {
      as: tenants.ada,
    })
    return Array.from({ length: countParams(operation.path) }, () => list.body[0].id)
  }
})
