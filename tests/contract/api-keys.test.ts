import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parts } from '#app/api-keys/parts.server.ts'
import { dayMs } from '#app/lib/time.ts'
import { makeSummary } from '#modules/summaries/services/generation.ts'
import { changePassword } from '#tenants/accounts/password-change.ts'
import { setPassword } from '#tenants/accounts/protected-columns.ts'
import { createApiKey, listApiKeys, maxKeys, revokeApiKey } from '#tenants/api-keys/api-keys.ts'
import { allows, type Scope } from '#tenants/api-keys/scopes.ts'
import { createResetToken, endAccess } from '#tenants/auth/one-time-tokens.ts'
import { sendSecurityEmail } from '#tenants/auth/security-email.ts'
import { listSecurityEvents } from '#tenants/auth/security-events.ts'
import { hashPassword } from '#tenants/auth/sign-in.ts'
import { listOutbox } from '#tenants/mail.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { contextFor, createClient, createCoach, createProduct, inTenant, type Coach } from '#tests/support/factories.ts'
import { createSampleBody } from '#tests/support/request-samples.ts'
import { createTestApp, type CallOptions, type CallResult } from '#tests/support/test-app.ts'
import { testedCalls } from '#tests/support/tested-modules.ts'

// Keys reach every module: '#modules/google/', '#modules/programs/', '#modules/resources/', '#modules/tasks/', '#modules/zoom/'.

const app = createTestApp()
const password = 'correct horse'
const device = { address: '127.0.0.1', userAgent: null }
let coach: Coach
beforeAll(async () => {
  coach = await createCoach({ password, plan: 'premium' })
})

async function makeKey(of: Coach, scopes: Scope[], { days = null as number | null, name = 'Reports' } = {}) {
  const input = { name, scopes, days, currentPassword: password }
  return inTenant(of, (tx) => createApiKey(tx, input, device))
}

function callWith(key: string, method: string, path: string, options: CallOptions = {}): Promise<CallResult> {
  return app.call(method, path, { ...options, headers: { authorization: `Bearer ${key}`, ...options.headers } })
}

/** Emails `owner` the latest security event. Returns the texts of all emails that they got. */
async function tellOwner(owner: Coach): Promise<string> {
  const [event] = await listSecurityEvents(await contextFor(owner), { rows: 1 })
  await sendSecurityEmail(app.platform, { coachId: owner.id, eventId: event!.id })
  const mails = await listOutbox(app.platform.config)
  return mails
    .filter(({ to }) => to === owner.email)
    .map(({ text }) => text)
    .join()
}

describe('a key', () => {
  test('calls the API in the name of its coach, and its last use is noted', async () => {
    const key = await makeKey(coach, ['*:write'])
    await createClient({ coach, name: 'Ada Lovelace' })
    const list = await callWith(key, 'GET', '/api/clients')
    expect(list.body.map(({ name }: { name: string }) => name)).toEqual(['Ada Lovelace'])
    const added = await callWith(key, 'POST', '/api/clients', { body: { name: 'Grace', email: 'grace@example.com' } })
    expect(added.status).toBe(201)
    await expect
      .poll(async () => (await listApiKeys(await contextFor(coach)))[0]?.lastUsedAt)
      .toBe(app.clock.now.toISOString())
  })

  test('is stored as a hash, and shown with its last characters only', async () => {
    const key = await makeKey(coach, ['*:read'], { name: 'Secret' })
    const { rows } = await asOwner(app.ownerUrl, (db) =>
      db.query(`select row_to_json(k)::text as all from api_key k where coach_id = $1`, [coach.id]),
    )
    expect(rows.map((row) => row.all).join()).not.toContain(key)
    expect((await listApiKeys(await contextFor(coach)))[0]).toMatchObject({ name: 'Secret', hint: key.slice(-4) })
  })

  test('needs the password, and a confirmed address; its owner gets an email', async () => {
    const input = { name: 'x', scopes: ['*:read'] as Scope[], days: null }
    const make = (of: Coach, currentPassword: string) =>
      inTenant(of, (tx) => createApiKey(tx, { ...input, currentPassword }, device))
    await expect(make(coach, 'wrong')).rejects.toMatchObject({ code: 'validation_failed' })
    const unverified = await createCoach({ password, emailVerified: false })
    await expect(make(unverified, password)).rejects.toMatchObject({ code: 'forbidden' })
    await makeKey(coach, ['*:read'], { name: 'Told' })
    const [event] = await listSecurityEvents(await contextFor(coach), { rows: 1 })
    expect(event).toMatchObject({ title: 'API key created', detail: 'Told' })
  })

  test('that is revoked, expired, unknown or of a removed coach is refused, also with a good session', async () => {
    const other = await createCoach({ password })
    const revoked = await makeKey(other, ['*:read'])
    const { id } = (await listApiKeys(await contextFor(other)))[0]!
    await inTenant(other, (tx) => revokeApiKey(tx, id, device))
    await expect(inTenant(other, (tx) => revokeApiKey(tx, id, device))).rejects.toMatchObject({ code: 'not_found' })
    const short = await makeKey(other, ['*:read'], { days: 30 })
    expect((await callWith(short, 'GET', '/api/user')).status).toBe(200)
    const ended = await makeKey(coach, ['*:read'])
    await inTenant(coach, (tx) => endAccess(tx, coach.id))
    const { now } = app.clock
    app.clock.now = new Date(now.getTime() + 30 * dayMs)
    for (const key of [revoked, short, ended, 'coach_key_unknown', 'x']) {
      const { status, headers } = await callWith(key, 'GET', '/api/user', { as: coach })
      expect([key, status, headers.get('www-authenticate')]).toEqual([key, 401, 'Bearer error="invalid_token"'])
    }
    app.clock.now = now
  })

  test('never reaches another coach: neither records nor host', async () => {
    const other = await createCoach({ password, subdomain: 'other-keys' })
    const client = await createClient({ coach: other, name: 'Bea' })
    const key = await makeKey(coach, ['*:write'])
    expect((await callWith(key, 'GET', `/api/clients/${client.id}`)).status).toBe(404)
    expect((await callWith(key, 'DELETE', `/api/clients/${client.id}`)).status).toBe(404)
    expect((await callWith(key, 'GET', '/api/clients', { host: 'other-keys.localhost:3000' })).status).toBe(401)
    expect((await callWith(key, 'GET', '/api/user', { as: other })).body.id).toBe(coach.id)
  })

  test('ends with a password that is reset by link and when the administrator signs out, and stays with a change', async () => {
    const owner = await createCoach({ password })
    const check = async (key: string) => (await callWith(key, 'GET', '/api/user')).status
    const key = await makeKey(owner, ['*:write'])
    const change = { currentPassword: password, newPassword: 'battery staple' }
    await changePassword(await contextFor(owner), change, { ...device, viewer: { domain: null } })
    expect(await check(key)).toBe(200)

    const { token } = (await createResetToken(app.platform, owner.email))!
    expect((await app.call('POST', '/api/auth/reset-password', { body: { token, password } })).status).toBe(204)
    expect(await check(key)).toBe(401)
    expect(await tellOwner(owner)).toContain('all API keys were revoked')

    const second = await makeKey(owner, ['*:write'])
    const admin = await createCoach({ isAdmin: true })
    expect((await app.call('POST', `/api/admin/coaches/${owner.id}/sign-out`, { as: admin })).status).toBe(204)
    expect(await check(second)).toBe(401)
    expect(await tellOwner(owner)).toContain('revoked its API keys')
  })

  test('has a limit of its own, and a client that tries many keys is refused', async () => {
    const key = await makeKey(coach, ['*:read'])
    const statuses = []
    for (let call = 0; call < 600; call++) statuses.push((await callWith(key, 'GET', '/api/nowhere')).status)
    const refused = await callWith(key, 'GET', '/api/user')
    expect([statuses[599], refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([404, 429, true])
    app.clock.now = new Date(app.clock.now.getTime() + 61_000)
    expect((await callWith(key, 'GET', '/api/user')).status).toBe(200)
    const unknown: number[] = []
    for (let call = 0; call <= 50; call++) unknown.push((await callWith(`x${call}`, 'GET', '/api/user')).status)
    expect([unknown[0], unknown[50]]).toEqual([401, 429])
    // Links of the same network still work.
    const body = { token: (await createResetToken(app.platform, coach.email))!.token, password: 'battery staple' }
    expect((await app.call('POST', '/api/auth/reset-password', { body })).status).toBe(204)
    await inTenant(coach, async (tx) => setPassword(tx, await hashPassword(password), tx.now()))
  })

  test('can be made as often as the limit says', async () => {
    const other = await createCoach({ password })
    for (let count = 0; count < maxKeys; count++) await makeKey(other, ['*:read'])
    await expect(makeKey(other, ['*:read'])).rejects.toMatchObject({ code: 'conflict' })
  })
})

describe('a key for one part makes its changes with all that follows in others:', () => {
  let owner: Coach
  let clientId: number
  beforeEach(async () => {
    app.clock.now = new Date(app.clock.now.getTime() + 3_600_000)
    owner = await createCoach({ password, plan: 'premium', timezone: 'UTC' })
    clientId = (await createClient({ coach: owner, name: 'Grace Hopper' })).id
  })

  const send = async (key: string, method: string, path: string, body: object = {}) => {
    const result = await callWith(key, method, `/api${path}`, { body })
    expect(result, `${method} ${path}: ${result.text}`).toMatchObject({ status: expect.toSatisfy((s) => s < 300) })
    return result.body
  }
  const times = () => {
    const at = (hours: number) => new Date(app.clock.now.getTime() + hours * 3_600_000).toISOString()
    return { startTime: at(-2), endTime: at(-1) }
  }
  const addSession = (key: string, attendee: object) =>
    send(key, 'POST', '/appointments', { title: 'Spring plan', ...attendee, ...times() })

  test('clients', async () => {
    const { id: productId } = await createProduct({ coach: owner })
    const key = await makeKey(owner, ['crm:write'])
    const added = await send(key, 'POST', '/clients', { name: 'Ada', email: 'ada@example.com', productId })
    await send(key, 'POST', `/clients/${added.id}/interactions`, {
      name: 'Call',
      interactionDate: app.clock.now.toISOString(),
    })
    expect((await app.call('GET', '/api/purchases', { as: owner })).body).toMatchObject([{ clientId: added.id }])
    expect((await callWith(key, 'GET', '/api/purchases')).status).toBe(403)
  })

  test('calendar', async () => {
    const key = await makeKey(owner, ['scheduling:write'])
    const { id } = await addSession(key, { clientId })
    await send(key, 'POST', `/appointments/${id}/complete`, { notes: 'Went well' })
    const notes = await app.call('GET', `/api/clients/${clientId}/interactions`, { as: owner })
    expect(notes.body).toMatchObject([{ content: 'Went well' }])
    expect((await callWith(key, 'GET', `/api/clients/${clientId}/interactions`)).status).toBe(403)
  })

  test('billing', async () => {
    const key = await makeKey(owner, ['billing:write'])
    const { id: productId } = await send(key, 'POST', '/products', { name: 'Career Reset', price: '150.00' })
    const sold = { clientId, productId, amount: '150.00', paymentMethod: 'cash', status: 'completed' }
    expect(await send(key, 'POST', '/purchases', sold)).toMatchObject({ clientId })
    const lines = [{ description: 'Session', unitPrice: '150.00' }]
    expect(await send(key, 'POST', '/invoices', { clientId, description: 'Coaching', lines })).toMatchObject({
      clientId,
    })
  })

  test('tasks and resources', async () => {
    const tasks = await makeKey(owner, ['tasks:write'])
    expect(await send(tasks, 'POST', '/tasks', { title: 'Read the plan', clientId })).toMatchObject({ clientId })
    const resources = await makeKey(owner, ['resources:write'])
    const link = { name: 'Plan', fileUrl: 'https://example.com/plan', clientId }
    const { id } = await send(resources, 'POST', '/files', link)
    await send(resources, 'POST', `/files/${id}/shares`, { audience: 'client', clientId })
  })

  test('programs, whose items that are tasks it sees only if it may see tasks', async () => {
    const items = [
      { kind: 'task', title: 'Walk' },
      { kind: 'check', title: 'Read' },
    ]
    const milestones = [{ title: 'One', week: 1, items }]
    const key = await makeKey(owner, ['programs:write'])
    const { id: templateId } = await send(key, 'POST', '/program-templates', { name: 'Calm', milestones })
    const { id } = await send(key, 'POST', '/programs', { templateId, clientId, startDate: '2026-03-10' })
    expect((await app.call('GET', '/api/tasks', { as: owner })).body).toMatchObject([{ title: 'Walk', clientId }])
    const path = `/programs/${id}`
    const { body: before } = await app.call('GET', `/api${path}/progress`, { as: owner })
    const [{ id: milestoneId, items: own }] = before.milestones
    const item = `${path}/items/${own[1].id}`
    const calls: [string, string, object?][] = [
      ['GET', `${path}/progress`],
      ['GET', `${path}/items`],
      ['GET', item],
      ['PATCH', `${path}/progress`, {}],
      ['PATCH', `${path}/progress`, { percent: 50 }],
      ['POST', `${path}/shift-dates`, { days: 7 }],
      ['POST', `${path}/items`, { milestoneId, title: 'x' }],
      ['POST', `${item}/complete`],
      ['POST', `${item}/reopen`],
    ]
    for (const [method, to, body] of calls) {
      const refused = await callWith(key, method, `/api${to}`, method === 'GET' ? {} : { body: body ?? {} })
      expect([method, to, refused.status]).toEqual([method, to, 403])
    }
    expect((await app.call('GET', `/api${path}/progress`, { as: owner })).body).toEqual(before)

    const both = await makeKey(owner, ['programs:write', 'tasks:read'])
    for (const [method, to, body] of calls.filter(([name]) => name !== 'GET')) await send(both, method, to, body)
    expect((await callWith(both, 'GET', `/api${path}/progress`)).body).toMatchObject({ percent: 50, total: 3 })
    await send(key, 'DELETE', item)
    await send(key, 'POST', `${path}/complete`)
    const reader = await makeKey(owner, ['programs:read', 'tasks:read'])
    expect((await callWith(reader, 'POST', `/api${path}/reopen`, { body: {} })).status).toBe(403)
  })

  test('programs, whose forms, appointment types and resources it chooses and assigns only with the scope for them', async () => {
    const own = { name: 'Own', template: 'intake', fileUrl: 'https://example.com/own' }
    const kinds = {
      form: ['/forms', 'forms:write'],
      session: ['/appointment-types', 'scheduling:read'],
      resource: ['/files', 'resources:write'],
    }
    const key = await makeKey(owner, ['programs:write', 'tasks:write'])
    for (const [kind, [path, scope]] of Object.entries(kinds)) {
      const { body: choice } = await app.call('POST', `/api${path}`, { as: owner, body: own })
      const both = await makeKey(owner, ['programs:write', scope as Scope])
      const { body: second } = await app.call('POST', `/api${path}`, { as: owner, body: { ...own, name: 'Second' } })
      const add = (choiceId: number) => ({
        name: 'Calm',
        milestones: [{ title: 'x', week: 1, items: [{ kind, title: 'x', choiceId }] }],
      })
      const refused = async (method: string, to: string, body: object) => {
        const answer = await callWith(key, method, `/api${to}`, { body })
        expect([kind, method, to, answer.status]).toEqual([kind, method, to, 403])
        return answer.body.message
      }
      // The same message whether there is one or not.
      const message = await refused('POST', '/program-templates', add(choice.id))
      expect(message).toContain(`needs the scope ${scope}`)
      expect(await refused('POST', '/program-templates', add(8_999_999_999_999))).toBe(message)
      const template = await send(both, 'POST', '/program-templates', add(choice.id))
      const change = `/program-templates/${template.id}`
      await refused('PATCH', change, add(second.id))
      expect(await send(key, 'PATCH', change, { ...add(choice.id), name: 'Renamed' })).toMatchObject({
        name: 'Renamed',
      })
      const assigned = { templateId: template.id, clientId, startDate: '2026-03-10' }
      await refused('POST', '/programs', assigned)
      expect((await app.call('GET', '/api/programs', { as: owner })).body).toEqual([])
      const { id } = await send(both, 'POST', '/programs', assigned)
      await app.call('DELETE', `/api/programs/${id}`, { as: owner })
    }
  })

  test('agendas, whose commitments it sees only if it may see tasks', async () => {
    const key = await makeKey(owner, ['scheduling:write'])
    const { id } = await addSession(key, { clientId })
    const path = `/appointments/${id}/agenda`
    expect((await callWith(key, 'GET', `/api${path}`)).status).toBe(403)
    for (const body of [{}, { content: 'Sleep' }])
      expect((await callWith(key, 'PATCH', `/api${path}`, { body })).status).toBe(403)
    const both = await makeKey(owner, ['scheduling:write', 'tasks:read'])
    expect(await send(both, 'PATCH', path)).toMatchObject({ content: null })
    expect(await send(both, 'PATCH', path, { content: 'Sleep' })).toMatchObject({ content: 'Sleep', commitments: [] })
  })

  test('pipeline', async () => {
    const key = await makeKey(owner, ['pipeline:write'])
    const { id: productId } = await createProduct({ coach: owner })
    const [stage] = (await app.call('GET', '/api/pipeline/stages', { as: owner })).body
    const prospect = { name: 'Ada', email: 'ada@example.com', stageId: stage.id, productId }
    const { id: prospectId } = await send(key, 'POST', '/prospects', prospect)
    await addSession(await makeKey(owner, ['scheduling:write']), { prospectId })
    const { client } = await send(key, 'POST', `/prospects/${prospectId}/convert-to-client`)
    expect((await app.call('GET', '/api/appointments', { as: owner })).body).toMatchObject([{ clientId: client.id }])
  })

  test('summaries', async () => {
    const key = await makeKey(owner, ['summaries:write'])
    const calendar = await makeKey(owner, ['scheduling:write'])
    const { id } = await addSession(calendar, { clientId })
    await send(calendar, 'POST', `/appointments/${id}/complete`)
    const consent = { channel: 'spoken', wording: 'You may transcribe this.' }
    await send(key, 'POST', `/clients/${clientId}/recording-consents`, consent)
    const text = '[00:02:05] Grace: I will send you the plan for the spring by Friday.'
    await send(key, 'POST', `/appointments/${id}/transcript`, { text })
    await makeSummary(app.platform, { coachId: owner.id, appointmentId: id })
    expect(await send(key, 'POST', `/appointments/${id}/summary/approve`)).toMatchObject({ status: 'approved' })
    expect((await app.call('GET', '/api/tasks', { as: owner })).body).toMatchObject([{ clientId, source: 'session' }])
    await send(key, 'POST', `/appointments/${id}/summary/unapprove`)
    expect((await callWith(key, 'GET', '/api/tasks')).status).toBe(403)
  })

  test('profile, and uploads', async () => {
    const profile = { businessName: 'Lovelace', firstName: 'Ada', lastName: 'Coach', timezone: 'UTC' }
    await send(await makeKey(owner, ['account:write']), 'PUT', '/auth/profile', profile)
    await send(await makeKey(owner, ['core:write']), 'POST', '/uploads', { name: 'plan.pdf', size: 100 })
  })

  test('connections and payments are refused for another reason than rights', async () => {
    const attempts = {
      'zoom:write': '/zoom/disconnect',
      'google:write': '/google/disconnect',
      'stripe:write': '/subscription/portal',
    }
    for (const [scope, path] of Object.entries(attempts)) {
      const { status } = await callWith(await makeKey(owner, [scope as Scope]), 'POST', `/api${path}`, { body: {} })
      expect([path, status]).not.toEqual([path, 403])
    }
  })

  test('with seeing alone, nothing of it changes, and no other part either', async () => {
    const { id } = await addSession(await makeKey(owner, ['scheduling:write']), { clientId })
    const key = await makeKey(owner, ['scheduling:read', 'crm:write', 'billing:write'])
    expect((await callWith(key, 'POST', `/api/appointments/${id}/complete`, { body: {} })).status).toBe(403)
    expect((await callWith(key, 'POST', '/api/tasks', { body: { title: 'Read', clientId } })).status).toBe(403)
  })
})

describe('scopes', () => {
  test('a part includes what it names, and writing includes reading', () => {
    expect(allows(['crm:read'], 'crm:client:read')).toBe(true)
    expect(allows(['crm:read'], 'crm:client:write')).toBe(false)
    expect(allows(['crm:write'], 'crm:client:read')).toBe(true)
    expect(allows(['crm:write'], 'billing:product:read')).toBe(false)
    expect(allows(['*:read'], 'billing:product:read')).toBe(true)
    expect(allows(['*:read'], 'billing:product:write')).toBe(false)
  })

  const calls = testedCalls.filter(({ operation }) => operation.access !== 'public')

  test('every call is refused to a key that may do nothing of it', async () => {
    const owner = await createCoach({ password, plan: 'premium' })
    const key = await makeKey(owner, ['nothing:read'])
    const open: string[] = []
    for (const { operation } of calls) {
      app.clock.now = new Date(app.clock.now.getTime() + 1_000)
      const path = `/api${operation.path.replaceAll(/\{\w+\}/g, '1')}`
      const body =
        operation.method === 'get' || operation.method === 'delete' ? {} : { body: createSampleBody(operation) }
      const { status } = await callWith(key, operation.method.toUpperCase(), path, body)
      const isRecord = operation.path.includes('{')
      if (status < 400 || (!isRecord && status !== 403)) open.push(`${operation.method} ${operation.path}: ${status}`)
    }
    expect(open).toEqual([])
  })

  test('a key that may only see changes nothing', async () => {
    const owner = await createCoach({ password, plan: 'premium' })
    const key = await makeKey(owner, ['*:read'])
    const changed: string[] = []
    for (const { operation } of calls.filter(({ operation: { method } }) => method !== 'get')) {
      app.clock.now = new Date(app.clock.now.getTime() + 1_000)
      const path = `/api${operation.path.replaceAll(/\{\w+\}/g, '1')}`
      const { status } = await callWith(key, operation.method.toUpperCase(), path, {
        body: createSampleBody(operation),
      })
      if (status < 400) changed.push(`${operation.method} ${operation.path}: ${status}`)
    }
    expect(changed).toEqual([])
  })

  test('each part of the form is one that permissions have', async () => {
    expect(new Set(parts.map(({ name }) => name)).size).toBe(parts.length)
  })
})
