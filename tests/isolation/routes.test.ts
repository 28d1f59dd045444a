import { beforeAll, describe, expect, test } from 'vitest'
import { allOperations } from '#app/server/process/runtime.ts'
import type { Operation } from '#tenants/api/operation.ts'
import { aHouse, type Called, type CallOptions } from '#tests/support/test-app.ts'
import { canary, everythingOf, twoPractices, type Practices } from '#tests/support/two-tenants.ts'
import { bodyFor, fieldsOf, idFieldsOf, orderOf } from '#tests/support/request-samples.ts'

// Everything here comes from the registry: a new call is under attack from the day it is registered. Ids of the second
// practice come from every table, so a call needs no entry in any list.

const house = aHouse()
const operations = allOperations().operations
const calls = operations.map((operation) => ({
  operation,
  name: `${operation.method.toUpperCase()} ${operation.path}`,
}))
const signedIn = calls.filter(({ operation }) => operation.access !== 'public')
const absent = 8_999_999_999_999
let practices: Practices

beforeAll(async () => {
  practices = await twoPractices(house)
})

/** What an answer says, without what differs between any two of them. */
function said({ status, text, headers }: Called): unknown {
  const requestId = headers.get('x-request-id') ?? ''
  return {
    status,
    text: text.replaceAll(requestId, '#'),
    headers: [...headers].map(([name, value]) => [name, value.replaceAll(requestId, '#')]),
  }
}

async function call(operation: Operation, path: string, options: CallOptions = {}): Promise<Called> {
  const hasBody = operation.method !== 'get' && operation.method !== 'delete'
  return house.call(operation.method.toUpperCase(), `/api${path}`, {
    as: practices.ada,
    ...(hasBody ? { body: {} } : {}),
    ...options,
  })
}

const pathWith = (path: string, ids: number[]): string => {
  let at = 0
  return path.replaceAll(/\{\w+\}/g, () => String(ids[at++]))
}
const paramsOf = (path: string): number => path.split('{').length - 1

/** One id of each of Bea's tables, as a call with `count` ids in its path gets them. */
function foreignIds(count: number): number[][] {
  const one = [...practices.ids.values()].flatMap((ids) => ids.slice(0, 1))
  return one.map((id) => Array.from({ length: count }, () => id))
}

describe('a session', () => {
  test.each(signedIn)(
    '$name knows nobody without one, with a forged one, or on the host of another coach',
    async ({ operation }) => {
      const path = pathWith(operation.path, [1, 1, 1])
      const { ada, bea } = practices
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
    "$name is not there on a coach's host, and forbidden on the platform's",
    async ({ operation }) => {
      const path = pathWith(operation.path, [practices.bea.id])
      expect((await call(operation, path)).status).toBe(403)
      expect((await call(operation, path, { host: `${practices.ada.subdomain}.localhost:3000` })).status).toBe(404)
    },
  )
})

describe('a record of another coach', () => {
  const withId = signedIn.filter(({ operation }) => paramsOf(operation.path) > 0)

  test.each(withId)('$name answers as if it did not exist', async ({ operation }) => {
    const before = await everythingOf(house, practices.bea.id)
    const count = paramsOf(operation.path)
    const expected = operation.access === 'admin' ? 403 : 404
    for (const body of [{}, bodyFor(operation)]) {
      const options = operation.method === 'get' || operation.method === 'delete' ? {} : { body }
      const nobodys = await call(
        operation,
        pathWith(
          operation.path,
          Array.from({ length: count }, () => absent),
        ),
        options,
      )
      expect(nobodys.status).toBe(expected)
      for (const ids of foreignIds(count))
        expect(said(await call(operation, pathWith(operation.path, ids), options))).toEqual(said(nobodys))
    }
    expect(await everythingOf(house, practices.bea.id)).toBe(before)
  })

  test.each(withId)('$name takes a retry key for it no further', async ({ operation }) => {
    const before = await everythingOf(house, practices.bea.id)
    for (const [at, ids] of foreignIds(paramsOf(operation.path)).entries()) {
      const answer = await call(operation, pathWith(operation.path, ids), {
        headers: { 'idempotency-key': `retry ${at}` },
      })
      expect([403, 404]).toContain(answer.status)
    }
    expect(await everythingOf(house, practices.bea.id)).toBe(before)
  })

  test.each(withId)('$name has no malformed id', async ({ operation }) => {
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
  test('the marks of the second practice would be seen', async () => {
    expect((await house.call('GET', '/api/user', { as: practices.bea })).text).toContain(canary)
  })

  const reading = signedIn.filter(({ operation }) => operation.method === 'get' && !operation.path.includes('{'))

  test.each(reading)('$name shows nothing of another coach', async ({ operation }) => {
    const ids = [...practices.ids.values()].flatMap((each) => each.slice(0, 1))
    const queries = [
      '',
      '?limit=500',
      ...fieldsOf(operation.query).flatMap(([name]) => [`?${name}=${canary}`, ...ids.map((id) => `?${name}=${id}`)]),
      `?coachId=${practices.bea.id}&coach_id=${practices.bea.id}`,
    ]
    for (const query of queries) {
      const answer = await call(operation, `${operation.path}${query}`)
      expect([query, answer.status < 500]).toEqual([query, true])
      expect(answer.text).not.toContain(canary)
      expect([...answer.headers].join('\n')).not.toContain(canary)
      const records: { coachId?: number }[] = Array.isArray(answer.body) ? answer.body : []
      expect(records.filter(({ coachId = practices.ada.id }) => coachId !== practices.ada.id)).toEqual([])
    }
  })

  const paged = reading.filter(
    ({ operation }) => operation.access === 'coach' && fieldsOf(operation.query).some(([name]) => name === 'cursor'),
  )

  test.each(paged)("$name refuses another coach's cursor", async ({ operation }) => {
    // The trash is empty at first.
    for (let at = 0; operation.path === '/trash' && at < 2; at += 1) {
      const { body } = await house.call('POST', '/api/clients', {
        as: practices.bea,
        body: { name: 'Gone', email: 'gone@example.com' },
      })
      await house.call('DELETE', `/api/clients/${body.id}`, { as: practices.bea })
    }
    const theirs = await call(operation, `${operation.path}?limit=1`, { as: practices.bea })
    const next = /<\/api([^>]+)>; rel="next"/.exec(theirs.headers.get('link') ?? '')?.[1]
    expect(next).toBeDefined()
    expect((await call(operation, next!, { as: practices.bea })).status).toBe(200)
    expect((await call(operation, next!)).status).toBe(422)
    // Nor one of another list of one's own.
    const cursor = new URL(next!, 'http://x').searchParams.get('cursor')
    for (const other of paged) {
      if (other.operation === operation) continue
      expect(
        (await call(other.operation, `${other.operation.path}?cursor=${cursor}`, { as: practices.bea })).status,
      ).toBe(422)
    }
  })
})

describe('a body', () => {
  const writing = signedIn.filter(({ operation }) => operation.body && operation.access === 'coach')

  test.each(writing.filter(({ operation }) => !operation.path.includes('{')))(
    '$name takes no coach, id or right from it',
    async ({ operation }) => {
      const before = await everythingOf(house, practices.bea.id)
      const stolen = {
        id: practices.bea.id,
        coachId: practices.bea.id,
        coach_id: practices.bea.id,
        isAdmin: true,
        subscriptionStatus: 'premium',
        plan: 'premium',
        role: 'admin',
        totalSpent: 1,
        createdAt: '2000-01-01T00:00:00Z',
        passwordHash: 'x',
      }
      const answer = await call(operation, operation.path, { body: { ...(await ownBody(operation)), ...stolen } })
      expect(answer.status).toBeLessThan(300)
      for (const record of [answer.body].flat()) {
        expect(record).toMatchObject(
          'coachId' in record ? { coachId: practices.ada.id } : { id: practices.ada.id, isAdmin: false, role: 'coach' },
        )
        expect(record.id).not.toBe(practices.bea.id)
        expect(record.createdAt).not.toMatch(/^2000/)
        expect(record.totalSpent ?? 0).toBe(0)
      }
      expect(await everythingOf(house, practices.bea.id)).toBe(before)
    },
  )

  test.each(
    writing.flatMap(({ operation, name }) => idFieldsOf(operation).map((field) => ({ operation, name, field }))),
  )("$name treats another coach's $field as one that does not exist", async ({ operation, field }) => {
    const before = await everythingOf(house, practices.bea.id)
    const own = await ownIds(operation)
    const answers = [...practices.ids.values()].map((ids) => ids[0]).filter((id) => id !== undefined)
    const nobodys = await call(operation, pathWith(operation.path, own), {
      body: bodyFor(operation, { [field]: absent }),
    })
    expect(nobodys.status).toBe(404)
    expect(nobodys.body.message).toMatch(/ not found$/)
    for (const id of answers)
      expect(
        said(await call(operation, pathWith(operation.path, own), { body: bodyFor(operation, { [field]: id }) })),
      ).toEqual(said(nobodys))
    expect(await everythingOf(house, practices.bea.id)).toBe(before)
  })

  /** A body that the call takes from Ada. */
  async function ownBody(operation: Operation): Promise<Record<string, unknown>> {
    const list = operation.path.slice(0, operation.path.lastIndexOf('/'))
    return (
      orderOf(operation, (await house.call('GET', `/api${list}`, { as: practices.ada })).body) ?? bodyFor(operation)
    )
  }

  /** Ada's own record for the path of a call: the newest of the list that the path begins with. */
  async function ownIds(operation: Operation): Promise<number[]> {
    if (!operation.path.includes('{')) return []
    const list = await house.call('GET', `/api${operation.path.slice(0, operation.path.indexOf('/{'))}`, {
      as: practices.ada,
    })
    return Array.from({ length: paramsOf(operation.path) }, () => list.body[0].id)
  }
})
