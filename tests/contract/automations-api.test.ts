import { beforeEach, describe, expect, test } from 'vitest'
import { createProspect } from '#modules/pipeline/e2e/factories.ts'
import { createAppointment } from '#modules/scheduling/e2e/factories.ts'
import { createApiKey } from '#tenants/api-keys/api-keys.ts'
import type { Scope } from '#tenants/api-keys/scopes.ts'
import { createClient, createCoach, inTenant, switchModules, type Coach } from '#tests/support/factories.ts'
import { captureSecurityLog } from '#tests/support/security-lines.ts'
import { createTestApp } from '#tests/support/test-app.ts'

// The calls of automations with parts of other modules: crm, pipeline, '#modules/scheduling/', '#modules/tasks/',
// '#modules/automations/'.

const app = createTestApp()
const log = captureSecurityLog(app)
const password = 'correct horse'
let coach: Coach
beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  coach = await createCoach({ plan: 'pro', password })
})

const send = (method: string, path: string, body?: object, as = coach) =>
  app.call(method, `/api${path}`, { as, ...(body ? { body } : {}) })
const call = async (method: string, path: string, body?: object) => {
  const answer = await send(method, path, body)
  expect([answer.status, answer.body]).toEqual([expect.toSatisfy((status) => status < 300), answer.body])
  return answer.body
}
const task = { action: 'tasks.create-task', settings: { title: 'Call {{client name}}', owner: 'coach' } }
const moveTo = (stage: { id: number }) => ({ action: 'pipeline.move-to-stage', settings: { stage: String(stage.id) } })

test('a loop is named as soon as it is there, and ends with a change', async () => {
  const [, second, third] = await call('GET', '/pipeline/stages')
  const add = (name: string, [from, to]: { id: number }[]) =>
    call('POST', '/automations', {
      name,
      trigger: 'pipeline.stage-changed',
      filters: { stage: String(from!.id) },
      actions: [moveTo(to!)],
    })
  expect((await add('There', [second, third])).loop).toBeNull()
  const back = await add('Back', [third, second])
  expect(back.loop).toEqual(['Back', 'There', 'Back'])
  const listed: { loop: string[] | null }[] = await call('GET', '/automations')
  expect(listed.map(({ loop }) => loop)).toEqual([
    ['Back', 'There', 'Back'],
    ['There', 'Back', 'There'],
  ])
  expect(await call('POST', `/automations/${back.id}/switch-on`)).toMatchObject({ loop: back.loop })
  expect(await call('PATCH', `/automations/${back.id}`, { actions: [task] })).toMatchObject({ loop: null })
})

test('ids of another coach in conditions and settings are refused as missing ones', async () => {
  const other = await createCoach({ plan: 'pro' })
  const { body: type } = await send('POST', '/appointment-types', { name: 'First talk' }, other)
  const { body: stages } = await send('GET', '/pipeline/stages', undefined, other)
  const refuse = async (body: object) => {
    const { status, body: refused } = await send('POST', '/automations', { name: 'Hers', ...body })
    return [status, refused.issues]
  }
  for (const id of [type.id, 8_999_999])
    expect(await refuse({ trigger: 'scheduling.session-booked', filters: { type: String(id) } })).toEqual([
      422,
      [{ path: 'filters.type', message: 'This is no longer there. Choose again' }],
    ])
  const answers = await Promise.all(
    [stages[0].id, 8_999_999].map((id) => refuse({ trigger: 'pipeline.stage-changed', actions: [moveTo({ id })] })),
  )
  expect(answers[0]).toEqual(answers[1])
  expect(answers[0]).toMatchObject([422, [{ path: 'actions.0.settings.stage' }]])
})

test('what an automation of the API does is in its log', async () => {
  const [lead, second] = await call('GET', '/pipeline/stages')
  const { id } = await call('POST', '/automations', {
    name: 'Call',
    trigger: 'pipeline.stage-changed',
    actions: [task],
  })
  await call('POST', `/automations/${id}/switch-on`)
  const prospect = await createProspect({ coach, name: 'Noor van Dijk', stageId: lead.id })
  await call('PATCH', `/prospects/${prospect.id}`, { stageId: second.id })
  expect(await call('GET', `/automations/${id}/runs`)).toMatchObject([
    { automationId: id, coachId: coach.id, state: 'waiting', results: [], chain: [], emails: [] },
  ])
})

describe('with a part that is switched off', () => {
  test('it is not offered, stays in the automation, and keeps it from being switched on', async () => {
    const { id, actions } = await call('POST', '/automations', {
      name: 'Prepare',
      trigger: 'scheduling.session-booked',
      actions: [task],
    })
    await switchModules(coach, { tasks: false })
    const names = async (kind: 'triggers' | 'actions') =>
      (await call('GET', '/automation-parts'))[kind].map(({ name }: { name: string }) => name)
    expect(await names('actions')).not.toContain('tasks.create-task')
    expect(await call('GET', `/automations/${id}`)).toMatchObject({ actions })
    const refused = await send('POST', `/automations/${id}/switch-on`)
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('not available')])
    await switchModules(coach, { scheduling: false })
    expect(await names('triggers')).not.toContain('scheduling.session-booked')
    for (const [method, path, body] of [
      ['GET', '/dry-run'],
      ['PATCH', '', { filters: {} }],
    ] as const)
      expect((await send(method, `/automations/${id}${path}`, body)).status).toBe(409)
    expect(await call('PATCH', `/automations/${id}`, { name: 'Other' })).toMatchObject({ name: 'Other', actions })
  })
})

describe('an API key', () => {
  const withKey = async (scopes: Scope[]) => {
    const key = await inTenant(coach, (tx) =>
      createApiKey(
        tx,
        { name: 'Reports', scopes, days: null, currentPassword: password },
        { address: '127.0.0.1', userAgent: null },
      ),
    )
    return (method: string, path: string, body?: object) =>
      app.call(method, `/api${path}`, { headers: { authorization: `Bearer ${key}` }, ...(body ? { body } : {}) })
  }
  const booked = { name: 'Prepare', trigger: 'scheduling.session-booked' }
  const email = { action: 'automations.send-email', settings: { subject: 'Hello', body: 'Hello' } }

  test('gets and uses the parts that its scopes include', async () => {
    const callWith = await withKey(['automations:write', 'scheduling:read'])
    const { triggers, actions } = (await callWith('GET', '/automation-parts')).body
    expect(new Set(triggers.map(({ name }: { name: string }) => name.split('.')[0]))).toEqual(new Set(['scheduling']))
    expect(actions.map(({ name }: { name: string }) => name)).toEqual(['automations.send-email'])
    // Leaving out what the key may not see is no attempt to get at it.
    expect(log.readLines().filter((line) => 'event' in line && line.event === 'permission_refused')).toEqual([])
    expect((await callWith('POST', '/automations', { ...booked, actions: [email] })).status).toBe(201)
    const { status, body } = await callWith('POST', '/automations', { ...booked, actions: [task] })
    expect([status, body.message]).toEqual([422, 'This action is not possible here.'])
    expect((await callWith('POST', '/automations', { ...booked, trigger: 'crm.no-contact' })).status).toBe(422)
  })

  test('changes no action, and learns nothing about conditions, without the scopes for them', async () => {
    await createClient({ coach, tags: ['vip'] })
    const { id, actions } = await call('POST', '/automations', { ...booked, actions: [task] })
    const callWith = await withKey(['automations:write', 'scheduling:read'])
    const path = `/automations/${id}`
    const kept = await callWith('PATCH', path, { actions: [...actions, email] })
    expect([kept.status, kept.body.actions?.length]).toEqual([200, 2])
    const changed = [{ ...actions[0], settings: { ...task.settings, title: 'Pay' } }]
    expect((await callWith('PATCH', path, { actions: changed })).status).toBe(422)
    for (const tag of ['vip', 'unknown']) expect((await callWith('PATCH', path, { filters: { tag } })).status).toBe(403)
    expect((await call('GET', path)).actions[0]).toEqual(actions[0])
  })

  test('without the scope of a trigger switches it and sees its log, but no dry run', async () => {
    const { id } = await call('POST', '/automations', { ...booked, actions: [email] })
    const callWith = await withKey(['automations:write'])
    expect((await callWith('GET', `/automations/${id}/dry-run`)).status).toBe(403)
    for (const path of ['switch-on', 'switch-off'])
      expect([path, (await callWith('POST', `/automations/${id}/${path}`)).status]).toEqual([path, 200])
    expect((await callWith('GET', `/automations/${id}/runs`)).status).toBe(200)
  })

  test('without the scope of an action sees in the dry run what it would do, but not with which choice', async () => {
    const { id: clientId } = await createClient({ coach })
    await createAppointment({ coach, clientId })
    const [, stage] = await call('GET', '/pipeline/stages')
    const { id } = await call('POST', '/automations', { ...booked, actions: [moveTo(stage)] })
    const readTexts = async (callAs: Awaited<ReturnType<typeof withKey>>) => {
      const { status, body } = await callAs('GET', `/automations/${id}/dry-run`)
      return [status, new Set(body.rows.map(({ actions }: { actions: { text: string }[] }) => actions[0]!.text))]
    }
    expect(await readTexts(await withKey(['automations:read', 'scheduling:read', 'pipeline:read']))).toEqual([
      200,
      new Set([`Move to the stage “${stage.name}”`]),
    ])
    expect(await readTexts(await withKey(['automations:read', 'scheduling:read']))).toEqual([
      200,
      new Set(['Move to a stage']),
    ])
  })

  test('that may only see changes nothing', async () => {
    const { id } = await call('POST', '/automations', { ...booked, actions: [email] })
    const callWith = await withKey(['automations:read', 'scheduling:write'])
    expect((await callWith('GET', `/automations/${id}`)).status).toBe(200)
    for (const [method, path] of [
      ['POST', ''],
      ['PATCH', `/${id}`],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/switch-on`],
    ] as const) {
      const body = method === 'DELETE' ? undefined : booked
      expect([method, (await callWith(method, `/automations${path}`, body)).status]).toEqual([method, 403])
    }
  })
})
