import { beforeAll, describe, expect, test, vi } from 'vitest'
import { runUnlessOff } from '#app/server/process/jobs.ts'
import { listNeeded } from '#modules/core/extensions.ts'
import { listNavItems } from '#modules/core/navigation.ts'
import { search } from '#modules/core/search.ts'
import { fillSlot } from '#modules/core/slots.ts'
import { extensions, modules } from '#modules/registry.ts'
import { forEachCoach } from '#tenants/for-each-coach.ts'
import type { Operation } from '#tenants/api/operation.ts'
import { contextFor, createCoach, switchModules, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { testedModules } from '#tests/support/tested-modules.ts'
import { createTwoTenants, type TwoTenants } from '#tests/support/two-tenants.ts'

// Generated from the registry: what is switched off for a coach isn't there at any entry to a module. The pages are in
// tests/pages/module-switches.test.ts.

const app = createTestApp()
let coach: Coach
let tenants: TwoTenants

beforeAll(async () => {
  coach = await createCoach()
  tenants = await createTwoTenants(app)
})

const switchable = testedModules.filter(({ isSwitchable = true }) => isSwitchable)
const withOperations = switchable.filter(({ operations = [] }) => operations.length)

function call({ method, path }: Pick<Operation, 'method' | 'path'>, as = coach) {
  const hasBody = method !== 'get' && method !== 'delete'
  const target = `/api${path.replaceAll(/\{\w+\}/g, '1')}`
  return app.call(method.toUpperCase(), target, { as, ...(hasBody ? { body: {} } : {}) })
}

describe('a call of a module', () => {
  test.each(withOperations)(
    'of $id is refused while it, or a module that it needs, is off, and answers again after that',
    async (module) => {
      const { id, operations = [], recordKinds = [] } = module
      const own = [
        ...operations.filter(({ ofPlan }) => !ofPlan),
        ...recordKinds.map(({ kind }) => ({ method: 'get' as const, path: `/history/${kind}/{id}` })),
      ]
      const needed = listNeeded(extensions.modules, id).filter((each) => each !== 'crm')
      for (const off of needed) {
        await switchModules(coach, { [off]: false })
        for (const operation of own) {
          const { status, body } = await call(operation)
          expect([off, operation.path, status, body.code]).toEqual([off, operation.path, 403, 'plan_required'])
          expect(body.message).toMatch(/isn’t part of your plan\.$/)
        }
      }
      await switchModules(coach, {})
      const [reading] = operations.filter(({ method, path }) => method === 'get' && !path.includes('{'))
      if (reading) expect((await call(reading)).body.code).not.toBe('plan_required')
    },
  )

  test('answers as before while other modules are off', async () => {
    const crm = modules.find(({ id }) => id === 'crm')!
    const reading = crm.operations!.filter(({ method, path }) => method === 'get' && !path.includes('{'))
    const before = await Promise.all(reading.map((each) => call(each, tenants.ada)))
    await switchModules(tenants.ada, Object.fromEntries(switchable.map(({ id }) => [id, false])))
    const after = await Promise.all(reading.map((each) => call(each, tenants.ada)))
    await switchModules(tenants.ada, {})
    expect(after.map(({ status }) => status)).toEqual(before.map(({ status }) => status))
    expect(after.find(({ status }) => status === 200)).toBeDefined()
  })

  test('is a 401 for somebody who isn’t signed in, whatever is off', async () => {
    await switchModules(coach, { [withOperations[0]!.id]: false })
    expect((await call(withOperations[0]!.operations![0]!, { ...coach, cookie: '' })).status).toBe(401)
    await switchModules(coach, {})
  })
})

describe.each(switchable)('without the module $id', ({ id, search: providers = [], nav = [] }) => {
  test('the navigation, slots, counts, trash and search have nothing of it', async () => {
    await switchModules(tenants.ada, { [id]: false })
    const ctx = await contextFor(tenants.ada)
    const off = modules.filter((each) => listNeeded(extensions.modules, each.id).includes(id)).map((each) => each.id)
    expect(ctx.extensions.modules.filter((each) => off.includes(each.id))).toEqual([])
    const shown = ctx.extensions.contributions.filter(({ module, ofPlan }) => off.includes(module) && !ofPlan)
    expect(shown).toEqual([])
    const items = await listNavItems(ctx)
    expect(items.filter(({ to }) => nav.some((own) => own.to === to))).toEqual([])
    for (const provider of providers) expect(ctx.extensions.searchProviders).not.toContain(provider)
    for (const slot of ['dashboard.stat', 'dashboard.main', 'dashboard.side', 'settings.pane'] as const)
      expect((await fillSlot(ctx, slot)).filter(({ module }) => off.includes(module))).toEqual([])
    const { status, body } = await app.call('GET', '/api/dashboard/stats', { as: tenants.ada })
    expect([status, Object.keys(body).length > 0]).toEqual([200, true])
    const trash = await app.call('GET', '/api/trash?limit=500', { as: tenants.ada })
    const kinds = modules.filter((each) => off.includes(each.id)).flatMap((each) => each.recordKinds ?? [])
    const listed: { kind: string }[] = trash.body
    expect(listed.filter(({ kind }) => kinds.some((own) => own.kind === kind))).toEqual([])
    await switchModules(tenants.ada, {})
  })
})

const jobs = switchable.flatMap(({ id, jobs: own = [] }) => own.map((job) => ({ ...job, module: id })))

describe('a job', () => {
  test.each(jobs)('$name does nothing for a coach without its module, unless it keeps data', async (job) => {
    const run = vi.fn<() => Promise<void>>(async () => {})
    const target = await createCoach()
    await switchModules(target, { [job.module]: false })
    await runUnlessOff(app.platform, { ...job, run }, { coachId: target.id })
    expect(run).toHaveBeenCalledTimes(job.keepsData ? 1 : 0)
    await switchModules(target, {})
    await runUnlessOff(app.platform, { ...job, run }, { coachId: target.id })
    expect(run).toHaveBeenCalledTimes(job.keepsData ? 2 : 1)
  })

  test('that goes from coach to coach leaves out those without its module or one that it needs', async () => {
    const [dependent] = modules.filter(({ dependsOn = [] }) => dependsOn.some((needed) => needed !== 'crm'))
    const needed = dependent!.dependsOn!.find((each) => each !== 'crm')!
    const [without, withoutNeeded, switchedOn] = [await createCoach(), await createCoach(), await createCoach()]
    await switchModules(without, { [dependent!.id]: false })
    await switchModules(withoutNeeded, { [needed]: false })
    const visited: number[] = []
    const run = (platform: typeof app.platform) => forEachCoach(platform, async ({ id }) => void visited.push(id))
    await runUnlessOff(app.platform, { name: 'test', module: dependent!.id, run }, {})
    expect(visited).toContain(switchedOn.id)
    expect(visited.filter((id) => id === without.id || id === withoutNeeded.id)).toEqual([])
    await runUnlessOff(app.platform, { name: 'test', module: dependent!.id, keepsData: true, run }, {})
    expect(visited).toEqual(expect.arrayContaining([without.id, withoutNeeded.id]))
  })
})

test('modules that everything builds on stay on, whatever a switch says', async () => {
  await switchModules(coach, { crm: false, admin: false })
  expect((await app.call('GET', '/api/clients', { as: coach })).status).toBe(200)
  expect((await contextFor(coach)).extensions.modules.map(({ id }) => id)).toEqual(modules.map(({ id }) => id))
  await switchModules(coach, {})
})

describe('what is kept', () => {
  const has = (id: string) => modules.some((module) => module.id === id)

  test.runIf(has('pipeline'))(
    'is not found, restored or sold while it is off, and is there again after that',
    async () => {
      const own = await createCoach()
      const post = (path: string, body: object) => app.call('POST', `/api${path}`, { as: own, body })
      const find = async () => (await search(await contextFor(own), 'Grace')).results
      const stages = await app.call('GET', '/api/pipeline/stages', { as: own })
      await post('/prospects', { name: 'Grace Hopper', email: 'grace@example.com', stageId: stages.body[0].id })
      expect(await find()).toHaveLength(1)
      await switchModules(own, { pipeline: false, billing: false })
      expect(await find()).toEqual([])
      const sold = await post('/clients', { name: 'Ada', email: 'ada@example.com', productId: 1 })
      expect([sold.status, sold.body.message]).toEqual([404, 'Product not found'])
      await switchModules(own, {})
      expect(await find()).toHaveLength(1)
      expect((await app.call('GET', '/api/prospects', { as: own })).body).toHaveLength(1)
    },
  )

  test.runIf(has('pipeline') && has('scheduling'))(
    'moves with its client: a session of a prospect who becomes one while the calendar is off',
    async () => {
      const own = await createCoach()
      const call = (method: string, path: string, body?: object) => app.call(method, `/api${path}`, { as: own, body })
      const stages = await call('GET', '/pipeline/stages')
      const person = { name: 'Grace Hopper', email: 'grace@example.com', stageId: stages.body[0].id }
      const { id: prospectId } = (await call('POST', '/prospects', person)).body
      const times = { startTime: '2026-03-12T10:00:00Z', endTime: '2026-03-12T11:00:00Z' }
      await call('POST', '/appointments', { title: 'First talk', prospectId, ...times })
      await switchModules(own, { scheduling: false })
      const { client } = (await call('POST', `/prospects/${prospectId}/convert-to-client`)).body
      await switchModules(own, {})
      const [appointment] = (await call('GET', '/appointments')).body
      expect(appointment).toMatchObject({ clientId: client.id, prospectId: null })
    },
  )
})
