import { beforeAll, describe, expect, test } from 'vitest'
import { listSwitchedOff } from '#modules/core/extensions.ts'
import { modules } from '#modules/registry.ts'
import { createApiKey } from '#tenants/api-keys/api-keys.ts'
import { changeAccountAsOwner } from '#tests/support/as-db-owner.ts'
import { contextFor, createCoach, inTenant, setPlan, type Coach } from '#tests/support/factories.ts'
import { captureSecurityLog } from '#tests/support/security-lines.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'
import { planNames } from './fields.ts'
import { listAuditLog } from './queries/audit-log.ts'
import {
  changeCoachModules,
  changePlanModules,
  getCoachModules,
  getPlanModules,
  listModules,
  toState,
} from './services/modules.ts'

const app = createTestApp()
const { clear, readLines } = captureSecurityLog(app)
let admin: Coach
let coach: Coach
beforeAll(async () => {
  admin = await createCoach({ isAdmin: true })
  coach = await createCoach({ plan: 'pro' })
})

/** The modules that the form of the plans shows as on, with changes. */
async function listOn(changes: Record<string, boolean> = {}): Promise<string[]> {
  const ctx = await contextFor(admin)
  const plans = await getPlanModules(ctx)
  const keys = plans.flatMap(({ plan, off }) =>
    listModules(ctx)
      .filter(({ id }) => !off.includes(id))
      .map(({ id }) => `${plan}:${id}`),
  )
  const added = Object.keys(changes).filter((key) => changes[key])
  return [...keys.filter((key) => changes[key] !== false), ...added]
}

const save = async (changes: Record<string, boolean>, as = admin) => {
  const [on, seen] = [await listOn(changes), await listOn()]
  await inTenant(as, (ctx) => changePlanModules(ctx, { on, seen }))
}

async function saveFor(target: Coach, states: Record<string, string>, as = admin): Promise<void> {
  const ctx = await contextFor(admin)
  const { switches } = await getCoachModules(ctx, target.id)
  const modules = listModules(ctx).filter(({ isSwitchable }) => isSwitchable)
  const seen = modules.map(({ id }) => `${id}:${toState(switches[id])}`)
  const state = modules.map(({ id }) => `${id}:${states[id] ?? toState(switches[id])}`)
  await inTenant(as, (tx) => changeCoachModules(tx, target.id, { state, seen }))
}

const listOff = async (target: Coach): Promise<string[]> => {
  const { platform, account } = await contextFor(target)
  return listSwitchedOff(platform.extensions.modules, account.modulesOff).toSorted()
}

/** Lists the modules that are off if `id` is: itself and those that need it. */
const offWithout = (id: string): string[] =>
  modules
    .filter((module) => module.id === id || module.dependsOn?.includes(id))
    .map((module) => module.id)
    .toSorted()

describe('the modules of plans and coaches', () => {
  test('a plan’s hold for the coaches on it, a coach’s own win over them, and what needs one is off with it', async () => {
    await save({ 'pro:scheduling': false })
    expect(await listOff(coach)).toEqual(offWithout('scheduling'))
    expect(await listOff(await createCoach({ plan: 'premium' }))).toEqual([])
    expect((await app.call('GET', '/api/appointments', { as: coach })).body.message).toBe(
      'Calendar isn’t part of your plan.',
    )
    await saveFor(coach, { scheduling: 'on', billing: 'off' })
    expect(await listOff(coach)).toEqual(offWithout('billing'))
    expect((await app.call('GET', '/api/appointments', { as: coach })).status).toBe(200)
    await saveFor(coach, { scheduling: 'plan', billing: 'plan' })
    expect(await listOff(coach)).toContain('scheduling')
    await save({ 'pro:scheduling': true })
    expect(await listOff(coach)).toEqual([])
  })

  test('follow the coach to another plan, also at the end of a trial', async () => {
    const own = await createCoach({ plan: 'free' })
    await app.call('POST', '/api/subscription/trial', { as: own })
    await save({ 'free:billing': false, 'premium:scheduling': false })
    expect(await listOff(own)).toEqual([])
    app.clock.now = new Date('2026-03-25T14:00:00Z')
    expect(await listOff(own)).toEqual(offWithout('billing'))
    await setPlan(own, 'premium')
    expect(await listOff(own)).toEqual(offWithout('scheduling'))
    await save({ 'free:billing': true, 'premium:scheduling': true })
    app.clock.now = new Date('2026-03-10T14:00:00Z')
  })

  test('two administrators who save at once don’t undo each other’s changes', async () => {
    const seen = await listOn()
    const [first, second] = [await listOn({ 'pro:scheduling': false }), await listOn({ 'free:billing': false })]
    await inTenant(admin, (ctx) => changePlanModules(ctx, { on: first, seen }))
    await inTenant(admin, (ctx) => changePlanModules(ctx, { on: second, seen }))
    const off = (await getPlanModules(await contextFor(admin))).map(({ plan, off: own }) => [plan, own])
    expect(Object.fromEntries(off)).toEqual({ free: ['billing'], pro: ['scheduling'], premium: [] })
    await save({ 'pro:scheduling': true, 'free:billing': true })
  })

  test('clients, which everything builds on, can’t be switched off', async () => {
    await save(Object.fromEntries(planNames.map((plan) => [`${plan}:crm`, false])))
    expect((await getPlanModules(await contextFor(admin))).flatMap(({ off }) => off)).toEqual([])
    expect(listModules(await contextFor(admin)).filter(({ isSwitchable }) => !isSwitchable)).toMatchObject([
      { title: 'Clients' },
    ])
  })

  test('are in the audit log, with what was before', async () => {
    await save({ 'pro:scheduling': false })
    await saveFor(coach, { scheduling: 'on' })
    const [ofCoach, ofPlan] = await listAuditLog(await contextFor(admin), { rows: 2 })
    expect(ofPlan).toMatchObject({
      action: 'plan_modules_changed',
      actorId: admin.id,
      targetId: null,
      before: { modules: 'Calendar on in Pro' },
      after: { modules: 'Calendar off in Pro' },
    })
    expect(ofCoach).toMatchObject({
      action: 'coach_modules_changed',
      targetId: coach.id,
      before: { modules: 'Calendar: as in the plan' },
      after: { modules: 'Calendar: on' },
    })
    const { body } = await app.call('GET', '/api/admin/audit-log?limit=1', { as: admin })
    expect(body[0]).toEqual(ofCoach)
    await save({ 'pro:scheduling': true })
    await saveFor(coach, { scheduling: 'plan' })
  })

  test('are refused to everybody else, by the service and by the database', async () => {
    await expect(save({ 'pro:scheduling': false }, coach)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(saveFor(coach, { scheduling: 'off' }, coach)).rejects.toMatchObject({ code: 'forbidden' })
    await changeAccountAsOwner(app.ownerUrl, admin.id, { isAdmin: false })
    // The account as it was when the request began.
    const account = { ...(await contextFor(admin)).account, isAdmin: true }
    const late = await inTenant(admin, (ctx) =>
      changePlanModules({ ...ctx, account }, { on: [], seen: ['pro:scheduling'] }).catch(
        (error: Error) => error.message,
      ),
    ).catch((error: Error) => error.message)
    expect(late).toMatch(/only an administrator switches modules|aborted/)
    await changeAccountAsOwner(app.ownerUrl, admin.id, { isAdmin: true })
  })
})

describe('the calls for modules', () => {
  const call = (method: string, path: string, body?: object, as = admin) =>
    app.call(method, `/api/admin${path}`, { as, ...(body ? { body } : {}) })
  const find = (body: { modules: { id: string }[] }, id: string) => body.modules.find((module) => module.id === id)
  const countEntries = async () => (await listAuditLog(await contextFor(admin), { rows: 500 })).length

  test('switch those of plans, one by one, and answer with all of them', async () => {
    const before = (await call('GET', '/modules')).body
    expect(before.modules.map(({ id }: { id: string }) => id)).toEqual(
      modules.map(({ id }) => id).filter((id) => id !== 'admin'),
    )
    const off = await call('PATCH', '/modules', { pro: { scheduling: false }, premium: {} })
    expect(find(off.body, 'scheduling')).toEqual({
      id: 'scheduling',
      title: 'Calendar',
      dependsOn: ['crm'],
      isSwitchable: true,
      on: { free: true, pro: false, premium: true },
      available: { free: true, pro: false, premium: true },
    })
    for (const id of offWithout('scheduling')) expect(find(off.body, id)).toMatchObject({ available: { pro: false } })
    expect((await call('GET', '/modules')).body).toEqual(off.body)
    expect(await listOff(coach)).toEqual(offWithout('scheduling'))
    expect((await call('PATCH', '/modules', { pro: { scheduling: true } })).body).toEqual(before)
    expect(await listOff(coach)).toEqual([])
  })

  test('switch those of a coach, which win over the plan', async () => {
    await call('PATCH', '/modules', { pro: { scheduling: false } })
    const path = `/coaches/${coach.id}/modules`
    const on = await call('PATCH', path, { modules: { scheduling: 'on', billing: 'off' } })
    expect([on.status, on.body.plan]).toEqual([200, 'pro'])
    expect(find(on.body, 'scheduling')).toMatchObject({ state: 'on', onInPlan: false, available: true })
    expect(find(on.body, 'billing')).toMatchObject({ state: 'off', onInPlan: true, available: false })
    expect((await call('GET', path)).body).toEqual(on.body)
    expect(await listOff(coach)).toEqual(offWithout('billing'))
    const asInPlan = await call('PATCH', path, { modules: { scheduling: 'plan', billing: 'plan' } })
    expect(find(asInPlan.body, 'scheduling')).toMatchObject({ state: 'plan', onInPlan: false, available: false })
    expect(find(asInPlan.body, 'crm')).toMatchObject({ isSwitchable: false, state: 'plan', available: true })
    await call('PATCH', '/modules', { pro: { scheduling: true } })
    expect(await listOff(coach)).toEqual([])
  })

  test('are in the audit log as the form’s, unless they change nothing', async () => {
    const entries = await countEntries()
    clear()
    await call('PATCH', '/modules', { pro: { scheduling: false } })
    await call('PATCH', '/modules', { pro: { scheduling: false } })
    await call('PATCH', `/coaches/${coach.id}/modules`, { modules: { scheduling: 'on' } })
    for (const body of [{ modules: { scheduling: 'on' } }, {}])
      expect((await call('PATCH', `/coaches/${coach.id}/modules`, body)).status).toBe(200)
    expect(await countEntries()).toBe(entries + 2)
    expect(await listAuditLog(await contextFor(admin), { rows: 2 })).toMatchObject([
      {
        action: 'coach_modules_changed',
        targetId: coach.id,
        before: { modules: 'Calendar: as in the plan' },
        after: { modules: 'Calendar: on' },
      },
      {
        action: 'plan_modules_changed',
        actorId: admin.id,
        targetId: null,
        before: { modules: 'Calendar on in Pro' },
        after: { modules: 'Calendar off in Pro' },
      },
    ])
    expect(readLines()).toMatchObject([
      { event: 'admin_plan_modules_changed', account: admin.id },
      { event: 'admin_coach_modules_changed', account: admin.id, target: coach.id },
    ])
    await call('PATCH', '/modules', { pro: { scheduling: true } })
    await call('PATCH', `/coaches/${coach.id}/modules`, { modules: { scheduling: 'plan' } })
  })

  test('at the same time all count, and each change is in the audit log once', async () => {
    const entries = await countEntries()
    const path = `/coaches/${coach.id}/modules`
    await concurrently(5, () => call('PATCH', path, { modules: { scheduling: 'off' } }))
    expect(await countEntries()).toBe(entries + 1)
    await Promise.all(
      [{ scheduling: 'plan' }, { billing: 'off' }, { billing: 'off' }].map((switches) =>
        call('PATCH', path, { modules: switches }),
      ),
    )
    const { switches } = await getCoachModules(await contextFor(admin), coach.id)
    expect(switches).toEqual({ billing: false })
    expect(await countEntries()).toBe(entries + 3)
    await call('PATCH', path, { modules: { billing: 'plan' } })
  })

  test('refuse what can’t be switched, and change nothing then', async () => {
    const refuse = async (path: string, body: object) => {
      const { status, body: refused } = await call('PATCH', path, body)
      return [status, refused.issues]
    }
    for (const [id, message] of [
      ['crm', 'Clients can’t be switched on or off.'],
      ['admin', 'There is no such module.'],
      ['unknown', 'There is no such module.'],
    ] as const) {
      expect(await refuse('/modules', { pro: { scheduling: false, [id]: false } })).toEqual([
        422,
        [{ path: `pro.${id}`, message }],
      ])
      const modulesOfCoach = { modules: { scheduling: 'off', [id]: 'off' } }
      expect(await refuse(`/coaches/${coach.id}/modules`, modulesOfCoach)).toEqual([
        422,
        [{ path: `modules.${id}`, message }],
      ])
    }
    expect(await refuse('/modules', { pro: { scheduling: 'off' } })).toEqual([
      422,
      [{ path: 'pro.scheduling', message: 'Send true or false' }],
    ])
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`m${at}`, false]))
    expect(await refuse('/modules', { pro: many })).toEqual([
      422,
      [{ path: 'pro', message: 'Send at most 100 modules' }],
    ])
    expect(await listOff(coach)).toEqual([])
    for (const method of ['GET', 'PATCH']) {
      const body = method === 'PATCH' ? { modules: { scheduling: 'off' } } : undefined
      expect((await call(method, '/coaches/8999999/modules', body)).status).toBe(404)
    }
  })

  test('are for administrators with a session alone: no coach and no key of an administrator', async () => {
    const password = 'correct horse'
    const owner = await createCoach({ isAdmin: true, password })
    const input = { name: 'Deploy', scopes: ['*:write' as const], days: null, currentPassword: password }
    const key = await inTenant(owner, (tx) => createApiKey(tx, input, { address: '127.0.0.1', userAgent: null }))
    for (const [method, path, body] of [
      ['GET', '/modules'],
      ['PATCH', '/modules', { pro: { scheduling: false } }],
      ['GET', `/coaches/${coach.id}/modules`],
      ['PATCH', `/coaches/${coach.id}/modules`, { modules: { scheduling: 'off' } }],
    ] as const) {
      const withKey = await app.call(method, `/api/admin${path}`, {
        headers: { authorization: `Bearer ${key}` },
        ...(body ? { body } : {}),
      })
      const answers = [withKey, await call(method, path, body, coach)]
      for (const { status, body: refused } of answers)
        expect([method, path, status, refused.code]).toEqual([method, path, 403, 'forbidden'])
    }
    expect(await listOff(coach)).toEqual([])
  })
})
