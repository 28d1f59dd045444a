import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createAppApi } from '#app/server/process/runtime.ts'
import { extensions } from '#modules/registry.ts'
import { createResetToken } from '#tenants/auth/one-time-tokens.ts'
import type { Operation } from '#tenants/api/operation.ts'
import { createCoach, type Coach } from '#tests/support/factories.ts'
import { createTestApp, type CallResult } from '#tests/support/test-app.ts'
import { testedCalls } from '#tests/support/tested-modules.ts'
import { getSeededId, reportedTables } from '#tests/support/two-tenants.ts'
import {
  createSampleBody,
  listFields,
  listIdFields,
  findListPath,
  createReorderBody,
} from '#tests/support/request-samples.ts'

const app = createTestApp()
const operations = createAppApi().operations

type Json = Record<string, unknown>
type Described = {
  operationId: string
  summary: string
  security: object[]
  parameters: Parameter[]
  requestBody?: { content: Record<string, { schema: Json }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: Json }> }>
}
type Parameter = { name: string; in: string; required: boolean; schema: Json }
type Document = {
  openapi: string
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, Described>>
  components: {
    schemas: Record<string, Json>
    securitySchemes: Record<string, { type: string; in: string; name: string }>
  }
}

let document: Document
beforeAll(async () => {
  document = (await app.call('GET', '/api/openapi.json')).body
})

describe('the document', () => {
  test('is OpenAPI 3.1 and served without a session on every host', async () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/)
    expect(document.info.title).toMatch(/\S/)
    expect(document.info.version).toMatch(/\S/)
    expect(document.servers.every(({ url }) => URL.canParse(url))).toBe(true)
    expect(document.components.securitySchemes.session).toEqual({ type: 'apiKey', in: 'cookie', name: 'session' })
    await createCoach({ subdomain: 'described' })
    expect((await app.call('GET', '/api/openapi.json', { host: 'described.localhost:3000' })).status).toBe(200)
  })

  test('tells how long lists are without a limit', () => {
    expect(document.info.description).toContain('Without `limit` a list comes up to 1,000 rows')
  })

  test('describes every operation and nothing else', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    )
    expect(described.toSorted()).toEqual(operations.map(({ method, path }) => `${method} /api${path}`).toSorted())
  })

  test('has unique operation ids', () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]*$/.test(id))).toEqual([])
  })

  test.each(testedCalls)('$name has its parameters, responses and errors', ({ operation }) => {
    const described = document.paths[`/api${operation.path}`]![operation.method]!
    expect(described.summary).toMatch(/\S/)
    const inPath = described.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
    expect(inPath).toEqual([...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
    expect(new Set(described.parameters.map((parameter) => `${parameter.in} ${parameter.name}`)).size).toBe(
      described.parameters.length,
    )
    for (const parameter of described.parameters) {
      expect(['path', 'query', 'header']).toContain(parameter.in)
      expect(parameter.in !== 'path' || parameter.required).toBe(true)
      expect(findSchemaErrors(parameter.schema)).toEqual([])
    }
    const content = 'content' in operation ? operation.content?.type : undefined
    const types = [...(operation.body ? ['application/json'] : []), ...(content ? [content] : [])]
    expect(Object.keys(described.requestBody?.content ?? {})).toEqual(types)
    expect(findSchemaErrors(described.requestBody?.content['application/json']?.schema ?? {})).toEqual([])
    for (const status of Object.keys(operation.answers)) expect(described.responses).toHaveProperty(status)
    for (const [status, response] of Object.entries(described.responses)) {
      expect(status).toMatch(/^([2-5]\d\d|default)$/)
      expect(response.description).toMatch(/\S/)
      expect(findSchemaErrors(response.content?.['application/json']?.schema ?? {})).toEqual([])
    }
    expect(described.responses.default?.content?.['application/json']?.schema).toEqual({
      $ref: '#/components/schemas/Failure',
    })
    const withSession = [{ session: [] }]
    const takesNoKeys = 'sessionOnly' in operation && operation.sessionOnly
    const byCoach = takesNoKeys ? withSession : [...withSession, { apiKey: [] }]
    expect(described.security).toEqual({ public: [], admin: withSession, coach: byCoach }[operation.access])
  })

  // A field that is required together with others can be left out alone.
  test.each(testedCalls.filter(({ operation }) => operation.body instanceof z.ZodObject))(
    '$name requires exactly the mandatory fields',
    async ({ operation }) => {
      const schema = document.paths[`/api${operation.path}`]![operation.method]!.requestBody!.content[
        'application/json'
      ]!.schema as { required?: string[] }
      const needed = listFields(operation.body)
        .filter(([, field]) => !field.safeParse(undefined).success)
        .map(([name]) => name)
      expect(operation.body!.safeParse({}).success).toBe(!needed.length)
      expect((schema.required ?? []).toSorted()).toEqual(needed.toSorted())
    },
  )
})

const types = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'])

/** Finds what is not JSON Schema 2020-12, and broken references. */
function findSchemaErrors(schema: Json, path = '#'): string[] {
  const {
    type,
    $ref,
    properties = {},
    items,
    required = [],
    pattern,
    ...rest
  } = schema as {
    type?: string | string[]
    $ref?: string
    properties?: Record<string, Json>
    items?: Json
    required?: string[]
    pattern?: string
  } & Json
  const errors: string[] = []
  for (const one of type === undefined ? [] : [type].flat()) if (!types.has(one)) errors.push(`${path}: no type ${one}`)
  if (
    $ref !== undefined &&
    !(
      $ref.startsWith('#/components/schemas/') &&
      $ref.slice('#/components/schemas/'.length) in document.components.schemas
    )
  )
    errors.push(`${path}: ${$ref} leads nowhere`)
  if ('nullable' in rest) errors.push(`${path}: nullable is of OpenAPI 3.0`)
  if (pattern !== undefined) new RegExp(pattern, 'u')
  if (Object.keys(properties).length)
    for (const name of required) if (!(name in properties)) errors.push(`${path}: ${name} is required, but no property`)
  for (const [name, inner] of Object.entries(properties)) errors.push(...findSchemaErrors(inner, `${path}/${name}`))
  if (items) errors.push(...findSchemaErrors(items, `${path}/items`))
  for (const list of ['anyOf', 'oneOf', 'allOf'])
    for (const [index, inner] of ((rest[list] ?? []) as Json[]).entries())
      errors.push(...findSchemaErrors(inner, `${path}/${list}/${index}`))
  return errors
}

describe('actual responses', () => {
  /** Inputs of calls that need something specific, such as a token from an email. */
  const particular: Record<string, (coach: Coach, path: string) => Promise<Json>> = {
    'POST /login': async (coach) => ({
      email: `login-${coach.email}`,
      password: (await registered(`login-${coach.email}`)).password,
    }),
    'PUT /domain': async () => ({ hostname: 'coaching.her-name.example', currentPassword: 'long enough' }),
    'POST /auth/reset-password': async (coach) => ({
      token: (await createResetToken(app.platform, coach.email))!.token,
      password: 'another one',
    }),
    'POST /programs': async (coach) => {
      const create = async (path: string, body: Json) => (await app.call('POST', path, { as: coach, body })).body.id
      return {
        templateId: await create('/api/program-templates', { name: 'Calm', milestones: [{ title: 'Look', week: 1 }] }),
        clientId: await create('/api/clients', { name: 'Ada', email: 'ada@example.com' }),
        startDate: '2026-03-10',
      }
    },
    'POST /programs/{id}/items': async (coach, path) => {
      const { body } = await app.call('GET', `/api${path.replace('/items', '/progress')}`, { as: coach })
      return { title: 'Walk', milestoneId: body.milestones[0].id }
    },
    'POST /register': async () => ({
      email: 'answered@example.com',
      password: 'long enough',
      firstName: 'A',
      lastName: 'B',
    }),
    'POST /automations': async () => ({
      name: 'Stay in touch',
      trigger: 'crm.no-contact',
      actions: [{ action: 'crm.add-tag', settings: { tag: 'quiet' } }],
    }),
  }

  /** Calls, below the record of the path, that must have been answered first. */
  const earlier: Record<string, string[]> = {
    'POST /invoices/{id}/void': ['issue'],
    'POST /invoices/{id}/remind': ['issue'],
    'POST /invoices/{id}/payments': ['issue'],
    'POST /invoices/{id}/credit-note': ['issue'],
    'POST /invoices/{id}/refund': ['issue', 'payments'],
    'POST /contracts/{id}/resend': ['send'],
    'POST /contracts/{id}/void': ['send'],
  }

  async function registered(email: string): Promise<{ password: string }> {
    const password = 'long enough'
    await app.call('POST', '/api/register', { body: { email, password, firstName: 'A', lastName: 'B' } })
    return { password }
  }

  test.each(testedCalls)('$name returns what it declares', async ({ operation, name }) => {
    const coach = await createCoach({
      plan: name.includes('/trial') ? 'free' : 'premium',
      isAdmin: operation.access === 'admin',
      ...(name === 'PUT /domain' ? { password: 'long enough' } : {}),
    })
    const path = await pathFor(operation, coach)
    const body = operation.body
      ? ((await particular[name]?.(coach, path)) ?? (await createBody(operation, coach)))
      : undefined
    for (const call of earlier[name] ?? [])
      await app.call('POST', `/api${path.slice(0, path.lastIndexOf('/'))}/${call}`, { as: coach, body: {} })
    const answer = await app.call(operation.method.toUpperCase(), `/api${path}`, {
      as: coach,
      ...(body ? { body } : {}),
    })
    const refusals = ('refusals' in operation && operation.refusals) || []
    expect([...Object.keys(operation.answers).map(Number), ...refusals]).toContain(answer.status)
    if (!refusals.includes(answer.status)) expectDeclared(operation, answer)
  })

  function expectDeclared(operation: Operation, answer: CallResult): void {
    const schema = operation.answers[answer.status]
    expect(answer.headers.get('content-type')).toBe(schema ? 'application/json; charset=utf-8' : null)
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    // Parsing drops undeclared fields, so the result must equal the response.
    expect(schema ? schema.parse(answer.body) : answer.text).toEqual(schema ? answer.body : '')
    expect(answer.text).not.toMatch(/password|hash|token|secret/i)
  }

  test.each(testedCalls.filter(({ operation }) => operation.access !== 'public'))(
    '$name fails as it declares',
    async ({ operation }) => {
      const answer = await app.call(operation.method.toUpperCase(), `/api${operation.path.replaceAll(/\{\w+\}/g, '1')}`)
      expect(answer.status).toBe(401)
      expect(Object.keys(answer.body).toSorted()).toEqual(['code', 'message', 'requestId'])
    },
  )

  /** Returns a valid body, and creates the records that it refers to. */
  async function createBody(operation: Operation, coach: Coach): Promise<Record<string, unknown>> {
    const listed = operation.path.slice(0, operation.path.lastIndexOf('/'))
    const body =
      createReorderBody(operation, (await app.call('GET', `/api${listed}`, { as: coach })).body) ??
      createSampleBody(operation)
    for (const name of listIdFields(operation).filter((field) => field in body)) {
      const list = findListPath(name, operations)
      const make = operations.find(({ method, path }) => method === 'post' && path === list)
      if (make) body[name] = (await create(make, list!, coach)).id
    }
    return body
  }

  /** Adds a record to the list at `path`, and returns it. */
  async function create(make: Operation, path: string, coach: Coach): Promise<{ id: number }> {
    const body = (await particular[`POST ${make.path}`]?.(coach, path)) ?? (await createBody(make, coach))
    return (await app.call('POST', `/api${path}`, { as: coach, body })).body
  }

  /** Returns ids for the path: the newest record of each list, created if there is none. */
  async function pathFor(operation: Operation, coach: Coach): Promise<string> {
    if (operation.access === 'admin') return operation.path.replaceAll(/\{\w+\}/g, String((await createCoach()).id))
    let [path, list] = ['', '']
    for (const part of operation.path.split('/').slice(1)) {
      path += `/${part.startsWith('{') ? await getNewestId(path, list, coach) : part}`
      list += `/${part}`
    }
    return path
  }

  async function getNewestId(path: string, list: string, coach: Coach): Promise<number> {
    const kind = extensions.recordKinds.find((each) => list === `/history/${each.kind}`)
    if (kind) return getSeededId(kind.kind, coach)
    const table = reportedTables[list]
    if (table) return getSeededId(table, coach)
    const make = operations.find((operation) => operation.method === 'post' && operation.path === list)
    if (make) await create(make, path, coach)
    const { body } = await app.call('GET', `/api${path}`, { as: coach })
    expect([path, body.length]).not.toEqual([path, 0])
    return body[0].id
  }
})
