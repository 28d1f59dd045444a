import { describe, expect, test, vi } from 'vitest'
import { createClient, createCoach, inTenant, setPlan, type Coach } from '#tests/support/factories.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'

const app = createTestApp()

const milestones = [
  {
    title: 'Look',
    week: 1,
    items: [
      { kind: 'check', title: 'Write', days: 2 },
      { kind: 'check', title: 'Read' },
    ],
  },
  { title: 'Act', week: 3, items: [{ kind: 'check', title: 'Try', days: 0 }] },
]

const callAs = (coach: Coach) => async (method: string, path: string, body?: object) => {
  const {
    status,
    body: answer,
    headers,
  } = await app.call(method, `/api${path}`, { as: coach, ...(body ? { body } : {}) })
  return { status, body: answer, headers }
}

/** A coach with a client in a program that began today. */
async function start() {
  const coach = await createCoach()
  const call = callAs(coach)
  const client = await createClient({ coach, name: 'Grace Hopper' })
  const { body: template } = await call('POST', '/program-templates', { name: 'Calm', milestones })
  const assigned = { templateId: template.id, clientId: client.id, startDate: '2026-03-10' }
  const { body: program } = await call('POST', '/programs', assigned)
  const load = async () => (await call('GET', `/programs/${program.id}/progress`)).body
  const { milestones: own } = await load()
  const items: { id: number; title: string }[] = own.flatMap((milestone: { items: object[] }) => milestone.items)
  return { coach, call, client, template, assigned, program, own, items, load }
}

type Call = ReturnType<typeof callAs>

/** The statuses of fifty calls at once, and how often each came. */
async function countStatuses(run: (index: number) => ReturnType<Call>): Promise<Record<number, number>> {
  const results = await concurrently(50, async (index) => (await run(index)).status)
  const counts: Record<number, number> = {}
  for (const result of results) {
    const status = result.status === 'fulfilled' ? result.value : 0
    counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}

/** The answer without its request id. */
const comparable = ({
  status,
  body: { requestId: _id, ...body },
}: {
  status: number
  body: { requestId?: string }
}) => ({
  status,
  body,
})

describe('templates', () => {
  test('are added with milestones, changed as a whole, deleted and restored', async () => {
    const call = callAs(await createCoach())
    const { status, body } = await call('POST', '/program-templates', { name: 'Calm', milestones })
    expect([status, body.milestones[0]]).toMatchObject([
      201,
      {
        title: 'Look',
        description: null,
        week: 1,
        items: [{ title: 'Write', owner: 'client', days: 2, choiceId: null }, {}],
      },
    ])
    const path = `/program-templates/${body.id}`
    expect((await call('PATCH', path, { name: 'Calmer' })).body).toMatchObject({
      name: 'Calmer',
      milestones: body.milestones,
    })
    expect((await call('PATCH', path, { milestones: [{ title: 'Rest', week: 2 }] })).body.milestones).toMatchObject([
      { title: 'Rest', items: [] },
    ])
    expect((await call('PATCH', path, {})).status).toBe(200)
    expect((await call('DELETE', path)).status).toBe(204)
    expect([(await call('DELETE', path)).status, (await call('GET', path)).status]).toEqual([404, 404])
    expect((await call('POST', `${path}/restore`)).body).toMatchObject({ name: 'Calmer' })
  })

  test('have at most 50 milestones with 30 items, in the first 104 weeks', async () => {
    const call = callAs(await createCoach())
    const add = async (value: object[]) =>
      (await call('POST', '/program-templates', { name: 'x', milestones: value })).status
    const one = { title: 'x', week: 104 }
    const item = { kind: 'check', title: 'x', days: 365 }
    expect(await add(Array.from({ length: 50 }, () => one))).toBe(201)
    expect(await add(Array.from({ length: 51 }, () => one))).toBe(422)
    expect(await add([{ ...one, items: Array.from({ length: 30 }, () => item) }])).toBe(201)
    expect(await add([{ ...one, items: Array.from({ length: 31 }, () => item) }])).toBe(422)
    expect(await add([{ ...one, week: 105 }])).toBe(422)
    expect(await add([{ ...one, items: [{ ...item, days: 366 }] }])).toBe(422)
    expect(await add([{ ...one, items: [{ ...item, kind: 'video' }] }])).toBe(422)
  })
})

describe('a program', () => {
  test('is a copy of its template from a date on, listed by client and status', async () => {
    const { call, client, program, own, template } = await start()
    expect(program).toMatchObject({
      name: 'Calm',
      clientId: client.id,
      templateId: template.id,
      startDate: '2026-03-10',
    })
    expect(own.map((one: { startDate: string }) => one.startDate)).toEqual(['2026-03-10', '2026-03-24'])
    expect(own[0].items[0]).toMatchObject({ title: 'Write', dueDate: '2026-03-12', doneAt: null })
    const list = async (query: string) => (await call('GET', `/programs${query}`)).body.length
    expect(await list(`?clientId=${client.id}&status=running`)).toBe(1)
    expect(await list('?status=completed')).toBe(0)
    expect((await call('GET', '/programs?clientId=999999')).status).toBe(404)
    await call('POST', `/programs/${program.id}/complete`)
    expect(await list('?status=completed')).toBe(1)
    expect(
      (await call('PATCH', `/programs/${program.id}`, { name: 'Hers', startDate: '2020-01-01' })).body,
    ).toMatchObject({
      name: 'Hers',
      startDate: '2026-03-10',
    })
    expect((await call('DELETE', `/programs/${program.id}`)).status).toBe(204)
    expect((await call('POST', `/programs/${program.id}/restore`)).status).toBe(200)
  })

  test('assigned by fifty calls at once is one', async () => {
    const { call, assigned, program } = await start()
    await call('DELETE', `/programs/${program.id}`)
    const results = await concurrently(50, async () => (await call('POST', '/programs', assigned)).status)
    const statuses = results.map((result) => (result.status === 'fulfilled' ? result.value : 0))
    expect([
      statuses.filter((status) => status === 201).length,
      statuses.filter((status) => status === 409).length,
    ]).toEqual([1, 49])
    expect((await call('GET', '/programs')).body).toHaveLength(1)
  })

  test('is not assigned from a template without milestones, nor without a date', async () => {
    const { call, client } = await start()
    const { body: empty } = await call('POST', '/program-templates', { name: 'Empty' })
    const assign = (body: object) => call('POST', '/programs', { templateId: empty.id, clientId: client.id, ...body })
    expect((await assign({ startDate: '2026-03-10' })).body).toMatchObject({
      code: 'validation_failed',
      issues: [{ path: 'templateId', message: 'Add a milestone to the template first' }],
    })
    expect((await assign({})).body.issues).toMatchObject([{ path: 'startDate' }])
    expect((await assign({ startDate: '2201-01-01' })).status).toBe(422)
  })

  test('has no date after 2200, of a milestone or an item', async () => {
    const { call, client } = await start()
    const item = (days: number) => ({ kind: 'check', title: 'x', days })
    for (const [last, milestone] of [
      ['2200-12-17', { title: 'x', week: 3 }],
      ['2200-12-26', { title: 'x', week: 1, items: [item(5), item(0)] }],
    ] as const) {
      const { body: template } = await call('POST', '/program-templates', { name: 'Long', milestones: [milestone] })
      const assign = (startDate: string) =>
        call('POST', '/programs', { templateId: template.id, clientId: client.id, startDate })
      const next = `${last.slice(0, 8)}${Number(last.slice(8)) + 1}`
      expect(await assign(next)).toMatchObject({
        status: 422,
        body: {
          issues: [{ path: 'startDate', message: 'Choose an earlier date: the program would go on after 2200' }],
        },
      })
      expect((await assign(last)).status).toBe(201)
    }
  })

  test('is one of twenty that a client runs at most, also when fifty are assigned, restored or reopened at once', async () => {
    const { call, client } = await start()
    const templates: number[] = []
    for (let count = 0; count < 50; count++)
      templates.push((await call('POST', '/program-templates', { name: `T${count}`, milestones })).body.id)
    const assign = (index: number) =>
      call('POST', '/programs', { templateId: templates[index], clientId: client.id, startDate: '2026-03-10' })
    const listRunning = async () => (await call('GET', '/programs?status=running')).body as { id: number }[]
    expect(await countStatuses(assign)).toEqual({ 201: 19, 422: 31 })

    for (const { id } of await listRunning()) await call('DELETE', `/programs/${id}`)

    const back: string[] = []
    for (const index of templates.keys()) {
      const path = `/programs/${(await assign(index)).body.id}`
      await (index % 2 ? call('DELETE', path) : call('POST', `${path}/complete`))
      back.push(`${path}/${index % 2 ? 'restore' : 'reopen'}`)
    }
    expect(await countStatuses((index) => call('POST', back[index]!))).toEqual({ 200: 20, 409: 30 })
    expect(await listRunning()).toHaveLength(20)
    const answers = await Promise.all(back.map((path) => call('POST', path)))
    expect(new Set(answers.filter(({ status }) => status === 409).map(({ body }) => body.message))).toEqual(
      new Set(['A client has at most 20 programs at a time. Complete or delete one first.']),
    )
  })

  test('has its open dates shifted and shifted back, from 1900 to 2200', async () => {
    const { call, program, items, load } = await start()
    const path = `/programs/${program.id}`
    await call('POST', `${path}/items/${items[2]!.id}/complete`)
    const before = await load()
    const { body } = await call('POST', `${path}/shift-dates`, { days: 7 })
    const dates = ({ milestones: all }: { milestones: { startDate: string }[] }) =>
      all.map(({ startDate }) => startDate)
    expect([dates(body), body.milestones[0].items[0].dueDate]).toEqual([['2026-03-17', '2026-03-24'], '2026-03-19'])
    expect((await call('POST', `${path}/shift-dates`, { days: -7 })).body).toEqual(before)
    for (const days of [0, 3651, 1.5, '7', null])
      expect([days, (await call('POST', `${path}/shift-dates`, { days })).status]).toEqual([days, 422])
    const statuses = []
    for (let count = 0; count < 20; count++)
      statuses.push((await call('POST', `${path}/shift-dates`, { days: 3650 })).status)
    expect([statuses[0], statuses.at(-1)]).toEqual([200, 422])
  })

  test('has its progress counted, or set by hand until it is counted again', async () => {
    const { call, program, items } = await start()
    const path = `/programs/${program.id}/progress`
    await call('POST', `/programs/${program.id}/items/${items[0]!.id}/complete`)
    expect((await call('GET', path)).body).toMatchObject({ percent: 33, done: 1, total: 3, setAt: null })
    expect((await call('PATCH', path, { percent: 80 })).body).toMatchObject({
      percent: 80,
      setAt: app.clock.now.toISOString(),
    })
    for (const percent of [101, -1, 1.5, '80'])
      expect([percent, (await call('PATCH', path, { percent })).status]).toEqual([percent, 422])
    expect((await call('PATCH', path, { percent: null })).body).toMatchObject({ percent: 33, setAt: null })
  })
})

describe('an item', () => {
  test('ticked by fifty calls at once keeps the first time, and a later call changes nothing', async () => {
    const { call, program, items, load } = await start()
    const path = `/programs/${program.id}/items/${items[0]!.id}`
    const results = await concurrently(50, () => call('POST', `${path}/complete`))
    const answers = results.map((result) => (result.status === 'fulfilled' ? result.value : null))
    expect(new Set(answers.map((answer) => `${answer?.status} ${answer?.body.doneAt}`)).size).toBe(1)
    const { doneAt } = (await call('GET', path)).body
    expect(doneAt).toBe(app.clock.now.toISOString())
    app.clock.now = new Date(app.clock.now.getTime() + 60_000)
    expect((await call('POST', `${path}/complete`)).body.doneAt).toBe(doneAt)
    expect((await load()).done).toBe(1)
    expect((await call('POST', `${path}/reopen`)).body.doneAt).toBeNull()
    expect((await load()).done).toBe(0)
  })

  test('is added to a milestone, thirty at most also by fifty calls at once, and deleted', async () => {
    const { call, program, own, template } = await start()
    const path = `/programs/${program.id}/items`
    const item = { milestoneId: own[1].id, title: 'Extra', dueDate: '2026-04-01', owner: 'coach' }
    const results = await concurrently(50, async () => (await call('POST', path, item)).status)
    const statuses = results.map((result) => (result.status === 'fulfilled' ? result.value : 0))
    expect([
      statuses.filter((status) => status === 201).length,
      statuses.filter((status) => status === 422).length,
    ]).toEqual([29, 21])
    const { body: newest, headers } = await call('GET', `${path}?limit=1`)
    expect(newest).toMatchObject([{ title: 'Extra', owner: 'coach', kind: 'check', milestoneId: own[1].id }])
    expect(headers.get('link')).toContain(`/api${path}?limit=1&cursor=`)
    expect((await call('DELETE', `${path}/${newest[0].id}`)).status).toBe(204)
    expect((await call('DELETE', `${path}/${newest[0].id}`)).status).toBe(404)
    expect((await call('GET', path)).body).toHaveLength(31)
    expect((await call('GET', `/program-templates/${template.id}`)).body.milestones[1].items).toHaveLength(1)
  })

  test('deleted by fifty calls at once is deleted once, and is one change of the program', async () => {
    const { call, coach, program, items } = await start()
    const readVersion = async () => {
      const query = {
        name: 'test.version',
        text: 'select version from program where coach_id = $1',
        values: [coach.id],
      }
      return (await inTenant(coach, (tx) => tx.query<{ version: number }>(query)))[0]!.version
    }
    const before = await readVersion()
    const path = `/programs/${program.id}/items/${items[0]!.id}`
    expect(await countStatuses(() => call('DELETE', path))).toEqual({ 204: 1, 404: 49 })
    expect(await readVersion()).toBe(before + 1)
  })

  test('needs a module for its kind, and only the kinds of the screen can be added', async () => {
    const { call, program, own } = await start()
    const path = `/programs/${program.id}/items`
    for (const kind of ['form', 'session', 'resource', ''])
      expect((await call('POST', path, { milestoneId: own[0].id, title: 'x', kind })).status).toBe(422)
  })

  test('has its refusals in the document of the API, as its program does', async () => {
    const { body: document } = await app.call('GET', '/api/openapi.json')
    for (const name of ['complete', 'reopen'])
      expect(document.paths[`/api/programs/{id}/items/{item}/${name}`].post.responses).toHaveProperty('422')
    expect(document.paths['/api/programs/{id}/reopen'].post.responses).toHaveProperty('409')
  })

  test('of another program is not found', async () => {
    const { call, client, program, items } = await start()
    const { body: template } = await call('POST', '/program-templates', { name: 'Other', milestones })
    const { body: other } = await call('POST', '/programs', {
      templateId: template.id,
      clientId: client.id,
      startDate: '2026-03-10',
    })
    const found = await call('POST', `/programs/${other.id}/items/${items[0]!.id}/complete`)
    expect([found.status, found.body.message]).toEqual([404, 'Item not found'])
    expect((await call('DELETE', `/programs/${other.id}/items/${items[0]!.id}`)).status).toBe(404)
    expect((await call('GET', `/programs/${program.id}/items/${items[0]!.id}`)).body.doneAt).toBeNull()
  })
})

describe('a goal', () => {
  const weight = { title: 'Weight', unit: 'kg', start: 90, target: '80.5' }

  test('has values, of which the latest is current', async () => {
    const { call, program } = await start()
    const { status, body: goal } = await call('POST', '/goals', { programId: program.id, ...weight })
    expect([status, goal]).toMatchObject([
      201,
      { programId: program.id, start: 90, target: 80.5, value: 90, setBy: null },
    ])
    expect((await call('POST', `/goals/${goal.id}/values`, { value: 87.456 })).body).toMatchObject({
      goalId: goal.id,
      value: 87.46,
      setBy: 'coach',
    })
    app.clock.now = new Date(app.clock.now.getTime() + 60_000)
    await call('POST', `/goals/${goal.id}/values`, { value: 85 })
    expect((await call('GET', `/goals/${goal.id}`)).body).toMatchObject({ value: 85, setBy: 'coach' })
    expect((await call('GET', `/goals/${goal.id}/values`)).body).toMatchObject([{ value: 85 }, { value: 87.46 }])
    for (const value of [1e10, 'ten', '', null, []])
      expect([value, (await call('POST', `/goals/${goal.id}/values`, { value })).status]).toEqual([value, 422])
  })

  test('is changed, listed by program, deleted and restored; its target differs from its start', async () => {
    const { call, program } = await start()
    const { body: goal } = await call('POST', '/goals', { programId: program.id, ...weight })
    const path = `/goals/${goal.id}`
    expect((await call('PATCH', path, { title: 'Kilos' })).body).toMatchObject({ title: 'Kilos', target: 80.5 })
    expect((await call('PATCH', path, { start: 80.5 })).body.issues).toMatchObject([{ path: 'target' }])
    expect((await call('GET', `/goals?programId=${program.id}`)).body).toHaveLength(1)
    expect((await call('GET', '/goals?programId=999999')).status).toBe(404)
    expect((await call('DELETE', path)).status).toBe(204)
    expect((await call('DELETE', path)).status).toBe(404)
    expect((await call('POST', `${path}/restore`)).body).toMatchObject({ title: 'Kilos' })
  })

  test('is one of twenty at most, also when fifty calls add some at once', async () => {
    const { call, program } = await start()
    const results = await concurrently(
      50,
      async () => (await call('POST', '/goals', { programId: program.id, ...weight })).status,
    )
    expect(results.filter((result) => result.status === 'fulfilled' && result.value === 201)).toHaveLength(20)
    expect((await call('GET', '/goals')).body).toHaveLength(20)
  })

  test('is one of twenty at most, also when fifty come back from the trash at once', async () => {
    const { call, program } = await start()
    const trashed: number[] = []
    for (let count = 0; count < 50; count++) {
      const { body: goal } = await call('POST', '/goals', { programId: program.id, ...weight })
      await call('DELETE', `/goals/${goal.id}`)
      trashed.push(goal.id)
    }
    expect(await countStatuses((index) => call('POST', `/goals/${trashed[index]}/restore`))).toEqual({
      200: 20,
      409: 30,
    })
    const own: { id: number }[] = (await call('GET', '/goals')).body
    expect(own).toHaveLength(20)
    expect((await call('POST', `/goals/${own[0]!.id}/restore`)).status).toBe(200)
    const refused = await call('POST', `/goals/${trashed.find((id) => !own.some((one) => one.id === id))}/restore`)
    expect(refused.body.message).toBe('A program has at most 20 goals. Delete one first.')
    await call('DELETE', `/goals/${own[0]!.id}`)
    expect(await countStatuses(() => call('POST', `/goals/${own[0]!.id}/restore`))).toEqual({ 200: 50 })
  })
})

test('a change without fields changes nothing', async () => {
  const { call, template, program } = await start()
  const { body: goal } = await call('POST', '/goals', { programId: program.id, title: 'Weight', start: 90, target: 80 })
  await call('PATCH', `/programs/${program.id}/progress`, { percent: 80 })
  const paths = [
    `/program-templates/${template.id}`,
    `/programs/${program.id}`,
    `/programs/${program.id}/progress`,
    `/goals/${goal.id}`,
  ]
  const before = await Promise.all(paths.map(async (path) => (await call('GET', path)).body))
  app.clock.now = new Date(app.clock.now.getTime() + 60_000)
  for (const [index, path] of paths.entries())
    expect(await call('PATCH', path, {})).toMatchObject({ status: 200, body: before[index] })
  expect(await Promise.all(paths.map(async (path) => (await call('GET', path)).body))).toEqual(before)
})

test('a change without fields is refused neither for a read-only client nor with full storage', async () => {
  const { call, coach, client, program } = await start()
  const { body: goal } = await call('POST', '/goals', { programId: program.id, title: 'Weight', start: 90, target: 80 })
  const check = async () => {
    for (const [path, change] of [
      [`/programs/${program.id}`, { name: 'New' }],
      [`/goals/${goal.id}`, { title: 'New' }],
    ] as const) {
      expect(await call('PATCH', path, change)).toMatchObject({ status: 403, body: { code: 'plan_limit' } })
      expect(await call('PATCH', path, {})).toMatchObject({ status: 200, body: (await call('GET', path)).body })
    }
    expect((await call('PATCH', `/programs/${program.id}/progress`, {})).status).toBe(200)
  }
  const reaches = vi.spyOn(app.platform.storageUsage, 'reaches').mockResolvedValue(true)
  await check()
  // Wrong values are refused before the limits are checked.
  expect((await call('PATCH', `/goals/${goal.id}`, { target: 90 })).body.issues).toMatchObject([{ path: 'target' }])
  expect((await call('POST', '/goals', { programId: program.id, title: 'x', start: 1, target: 1 })).status).toBe(422)
  reaches.mockRestore()
  await call('POST', `/clients/${client.id}/archive`)
  await setPlan(coach, 'free')
  await createClient({ coach, email: 'another@example.com' })
  await check()
})

describe('what is not the coach’s', () => {
  test('answers as if it did not exist, and stays as it is', async () => {
    const theirs = await start()
    const { body: goal } = await theirs.call('POST', '/goals', {
      programId: theirs.program.id,
      title: 'Weight',
      start: 90,
      target: 80,
    })
    const { call, client, template, program, own } = await start()
    const before = await theirs.load()
    const [milestone, item] = [theirs.own[0].id, theirs.items[0]!.id]
    const assigned = { templateId: template.id, clientId: client.id, startDate: '2026-03-10' }
    const calls = (id: {
      template: number
      program: number
      item: number
      goal: number
      milestone: number
      client: number
    }) =>
      [
        ['PATCH', `/program-templates/${id.template}`, { name: 'x' }],
        ['POST', '/programs', { ...assigned, templateId: id.template }],
        ['POST', '/programs', { ...assigned, clientId: id.client }],
        ['GET', `/programs/${id.program}/progress`],
        ['PATCH', `/programs/${id.program}/progress`, { percent: 5 }],
        ['POST', `/programs/${id.program}/shift-dates`, { days: 5 }],
        ['POST', `/programs/${id.program}/items`, { milestoneId: own[0].id, title: 'x' }],
        ['POST', `/programs/${program.id}/items`, { milestoneId: id.milestone, title: 'x' }],
        ['POST', `/programs/${program.id}/items/${id.item}/complete`],
        ['POST', `/programs/${id.program}/items/${id.item}/complete`],
        ['DELETE', `/programs/${program.id}/items/${id.item}`],
        ['POST', '/goals', { programId: id.program, title: 'x', start: 1, target: 2 }],
        ['POST', `/goals/${id.goal}/values`, { value: 5 }],
        ['PATCH', `/goals/${id.goal}`, { title: 'x' }],
        ['DELETE', `/goals/${id.goal}`],
        ['GET', `/goals?programId=${id.program}`],
        ['GET', `/programs?clientId=${id.client}`],
      ] as const
    const none = 8_999_999_999_999
    const foreign = calls({
      template: theirs.template.id,
      program: theirs.program.id,
      item,
      goal: goal.id,
      milestone,
      client: theirs.client.id,
    })
    const missing = calls({ template: none, program: none, item: none, goal: none, milestone: none, client: none })
    for (const [index, [method, path, body]] of foreign.entries()) {
      const [otherMethod, otherPath, otherBody] = missing[index]!
      const answer = comparable(await call(method, path, body))
      expect([path, answer]).toEqual([path, comparable(await call(otherMethod, otherPath, otherBody))])
      expect([path, answer.status]).toEqual([path, 404])
    }
    expect(await theirs.load()).toEqual(before)
  })

  test('is a program of a client in the trash: nothing of it is found or changed until they are restored', async () => {
    const { call, client, assigned, program, items, load } = await start()
    const { body: goal } = await call('POST', '/goals', {
      programId: program.id,
      title: 'Weight',
      start: 90,
      target: 80,
    })
    const before = await load()
    await call('DELETE', `/clients/${client.id}`)
    const calls = [
      ['POST', '/programs', assigned],
      ['GET', `/programs/${program.id}`],
      ['GET', `/programs/${program.id}/progress`],
      ['GET', `/programs/${program.id}/items`],
      ['POST', `/programs/${program.id}/items/${items[0]!.id}/complete`],
      ['POST', `/programs/${program.id}/shift-dates`, { days: 7 }],
      ['PATCH', `/programs/${program.id}/progress`, { percent: 5 }],
      ['POST', `/programs/${program.id}/complete`],
      ['DELETE', `/programs/${program.id}`],
      ['GET', `/goals/${goal.id}`],
      ['GET', `/goals/${goal.id}/values`],
      ['POST', `/goals/${goal.id}/values`, { value: 85 }],
      ['DELETE', `/goals/${goal.id}`],
    ] as const
    for (const [method, path, body] of calls)
      expect([path, (await call(method, path, body)).status]).toEqual([path, 404])
    expect([(await call('GET', '/programs')).body, (await call('GET', '/goals')).body]).toEqual([[], []])
    await call('POST', `/clients/${client.id}/restore`)
    expect(await load()).toEqual(before)
  })
})
