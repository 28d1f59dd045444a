import { beforeEach, describe, expect, test } from 'vitest'
import { dayMs } from '#app/lib/time.ts'
import { insertRows } from '#db/insert-rows.ts'
import { createClient, createCoach, inTenant, setPlan, type Coach } from '#tests/support/factories.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'
import { limits } from './fields.ts'

const app = createTestApp()
let coach: Coach
beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  coach = await createCoach({ plan: 'pro' })
})

const send = (method: string, path: string, body?: object, as = coach) =>
  app.call(method, `/api${path}`, { as, ...(body ? { body } : {}) })
/** The body of a call that succeeds. */
const call = async (method: string, path: string, body?: object) => {
  const answer = await send(method, path, body)
  expect([answer.status, answer.body]).toEqual([expect.toSatisfy((status) => status < 300), answer.body])
  return answer.body
}
const tag = (name = 'quiet') => ({ action: 'crm.add-tag', settings: { tag: name } })
const email = (settings: object = { subject: 'How are you?', body: 'Hello {{client first name}},' }) => ({
  action: 'automations.send-email',
  settings,
})
const quiet = { name: 'Stay in touch', trigger: 'crm.no-contact' }
const create = (more: object = {}) => call('POST', '/automations', { ...quiet, actions: [tag()], ...more })

describe('an automation', () => {
  test('is added with all of its parts, switched off', async () => {
    await createClient({ coach, tags: ['vip'] })
    const added = await send('POST', '/automations', {
      ...quiet,
      days: 10,
      filters: { tag: 'vip', 'without-tag': '' },
      actions: [email(), tag()],
      enabledAt: '2026-03-10T14:00:00Z',
    })
    expect([added.status, added.body]).toEqual([
      201,
      {
        id: expect.any(Number),
        coachId: coach.id,
        name: 'Stay in touch',
        trigger: 'crm.no-contact',
        days: 10,
        filters: { tag: 'vip' },
        actions: [
          { id: expect.any(String), ...email() },
          { id: expect.any(String), ...tag() },
        ],
        enabledAt: null,
        loop: null,
        createdAt: '2026-03-10T14:00:00.000Z',
        updatedAt: '2026-03-10T14:00:00.000Z',
      },
    ])
    expect(await call('GET', `/automations/${added.body.id}`)).toEqual(added.body)
    expect(await call('GET', '/automations')).toEqual([added.body])
  })

  test('is read and sent back without a change, and nothing sent changes nothing', async () => {
    const { id, ...read } = await create({ actions: [email(), tag()], days: 7 })
    app.clock.now = new Date(app.clock.now.getTime() + dayMs)
    for (const body of [read, {}]) expect(await call('PATCH', `/automations/${id}`, body)).toEqual({ id, ...read })
    expect(await call('GET', `/history/automation/${id}`)).toHaveLength(1)
  })

  test('keeps the actions with their ids in the order that is sent, and loses the others', async () => {
    const { id, actions } = await create({ actions: [tag('first'), email(), tag('last')] })
    const [first, , last] = actions
    const changed = await call('PATCH', `/automations/${id}`, {
      actions: [{ ...last, settings: { tag: 'new' } }, tag('added'), first],
    })
    expect(changed.actions).toEqual([
      { id: last.id, ...tag('new') },
      { id: expect.any(String), ...tag('added') },
      first,
    ])
    const unknown = await send('PATCH', `/automations/${id}`, { actions: [{ id: 'unknown', ...tag() }] })
    expect([unknown.status, unknown.body.message]).toEqual([404, 'Action not found'])
    const twice = await send('PATCH', `/automations/${id}`, { actions: [first, first] })
    expect(twice.status).toBe(422)
    expect((await call('GET', `/automations/${id}`)).actions).toEqual(changed.actions)
  })

  test('begins anew with other days, and not with another name', async () => {
    const { id } = await create()
    const { enabledAt } = await call('POST', `/automations/${id}/switch-on`)
    app.clock.now = new Date(app.clock.now.getTime() + dayMs)
    expect(await call('PATCH', `/automations/${id}`, { name: 'Other' })).toMatchObject({ enabledAt, name: 'Other' })
    const { enabledAt: later } = await call('PATCH', `/automations/${id}`, { days: 3 })
    expect(later).toBe(app.clock.now.toISOString())
    expect(await call('POST', `/automations/${id}/switch-off`)).toMatchObject({ enabledAt: null, days: 3 })
  })

  test('goes to the trash and back', async () => {
    const { id } = await create()
    expect((await send('DELETE', `/automations/${id}`)).status).toBe(204)
    expect((await send('DELETE', `/automations/${id}`)).status).toBe(404)
    for (const path of ['', '/dry-run', '/runs'])
      expect((await send('GET', `/automations/${id}${path}`)).status).toBe(404)
    expect(await call('GET', '/automations')).toEqual([])
    expect(await call('POST', `/automations/${id}/restore`)).toMatchObject({ id, name: 'Stay in touch' })
    expect(await call('GET', '/automations')).toHaveLength(1)
  })
})

describe('what is refused', () => {
  const refuse = async (body: object) => {
    const { status, body: refused } = await send('POST', '/automations', { ...quiet, ...body })
    return [
      status,
      ...(refused.issues ?? []).map((issue: { path: string; message: string }) => [issue.path, issue.message]),
    ]
  }

  test('says which input is wrong and why, as the page does', async () => {
    expect(await refuse({ name: ' ' })).toEqual([422, ['name', 'Name is required']])
    for (const trigger of [undefined, 'crm.unknown', 'x', 7])
      expect(await refuse({ trigger })).toEqual([422, ['trigger', 'Choose when it begins']])
    for (const action of ['crm.unknown', 'x', 7])
      expect(await refuse({ actions: [tag(), { action }] })).toEqual([
        422,
        ['actions.1.action', 'This action is not possible here.'],
      ])
    expect(await refuse({ actions: [tag(), email({ subject: 'x'.repeat(201), body: '{{session title}}' })] })).toEqual([
      422,
      ['actions.1.settings.subject', 'Use at most 200 characters'],
      ['actions.1.settings.body', 'There is no placeholder {{session title}} here'],
    ])
    expect(await refuse({ days: 366 })).toEqual([422, ['days', 'Enter a number from 1 to 365']])
    expect(await refuse({ filters: { stage: '1' } })).toEqual([
      422,
      ['filters.stage', 'There is no such condition here'],
    ])
    expect(await call('GET', '/automations')).toEqual([])
  })

  test('is another coach’s value as one that does not exist', async () => {
    await createClient({ coach: await createCoach(), tags: ['hers'] })
    for (const value of ['hers', 'nobodys'])
      expect(await refuse({ filters: { tag: value } })).toEqual([
        422,
        ['filters.tag', 'This is no longer there. Choose again'],
      ])
  })

  test('is another coach’s automation as one that does not exist', async () => {
    const { id } = await create()
    const other = await createCoach({ plan: 'pro' })
    const paths: [string, string][] = [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', '/dry-run'],
      ['GET', '/runs'],
      ['POST', '/restore'],
      ['POST', '/switch-on'],
      ['POST', '/switch-off'],
    ]
    for (const [method, path] of paths) {
      const body = method === 'PATCH' ? { name: 'Mine' } : undefined
      const answers = [id, 8_999_999].map((of) => send(method, `/automations/${of}${path}`, body, other))
      for (const { status, body: refused } of await Promise.all(answers))
        expect([method, path, status, refused.message]).toEqual([method, path, 404, 'Automation not found'])
    }
    expect(await call('GET', `/automations/${id}`)).toMatchObject({ name: 'Stay in touch', enabledAt: null })
  })

  test('is more than the limits', async () => {
    const actions = Array.from({ length: limits.actions + 1 }, () => tag())
    expect(await refuse({ actions })).toEqual([422, ['actions', 'An automation has at most 10 actions.']])
    const settings = Object.fromEntries(Array.from({ length: 21 }, (_, at) => ['x'.repeat(at + 1), '']))
    expect(await refuse({ actions: [{ ...tag(), settings }] })).toEqual([
      422,
      ['actions.0.settings', 'Send at most 20 fields'],
    ])
    for (let count = 1; count < limits.automations; count++) await create()
    const answers = await concurrently(3, () => send('POST', '/automations', quiet))
    const statuses = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.status : 500))
    expect(statuses.toSorted()).toEqual([201, 409, 409])
    expect((await send('POST', '/automations', quiet)).body.message).toMatch('You have 50 automations')
  })

  test('is what the plan lacks: adding and switching on, but not switching off', async () => {
    const { id } = await create()
    await call('POST', `/automations/${id}/switch-on`)
    await setPlan(coach, 'free')
    for (const path of ['', `/${id}/switch-on`]) {
      const { status, body } = await send('POST', `/automations${path}`, quiet)
      expect([status, body.code]).toEqual([403, 'plan_required'])
    }
    expect((await send('POST', '/automations/8999999/switch-on')).status).toBe(404)
    expect(await call('POST', `/automations/${id}/switch-off`)).toMatchObject({ enabledAt: null })
  })
})

describe('switching on', () => {
  test('needs an action', async () => {
    const { id } = await create({ actions: [] })
    const { status, body } = await send('POST', `/automations/${id}/switch-on`)
    expect([status, body.message]).toEqual([422, 'Add an action first.'])
  })

  test('happens once when many calls come at once', async () => {
    const { id } = await create()
    const answers = await concurrently(10, () => call('POST', `/automations/${id}/switch-on`))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'fulfilled'))
    app.clock.now = new Date(app.clock.now.getTime() + dayMs)
    expect(await call('POST', `/automations/${id}/switch-on`)).toMatchObject({ enabledAt: '2026-03-10T14:00:00.000Z' })
    // It was added, and switched on.
    expect(await call('GET', `/history/automation/${id}`)).toHaveLength(2)
  })

  test('and removing the only action at the same time never leaves one that is on without actions', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await create()
      await Promise.all([
        send('PATCH', `/automations/${id}`, { actions: [] }),
        send('POST', `/automations/${id}/switch-on`),
      ])
      const { enabledAt, actions } = await call('GET', `/automations/${id}`)
      expect(enabledAt !== null).toBe(actions.length > 0)
    }
    const { id } = await create()
    await call('POST', `/automations/${id}/switch-on`)
    const { status, body } = await send('PATCH', `/automations/${id}`, { actions: [] })
    expect([status, body.message]).toEqual([409, 'Switch the automation off before you remove its only action.'])
  })
})

test('a dry run lists what would have been done in the last 30 days', async () => {
  await createClient({ coach, name: 'Grace Hopper', email: 'grace@example.com' })
  app.clock.now = new Date(app.clock.now.getTime() + 6 * dayMs)
  const { id } = await create({ days: 5, actions: [email(), tag()] })
  expect(await call('GET', `/automations/${id}/dry-run`)).toEqual({
    events: 1,
    matching: 1,
    isCut: false,
    rows: [
      {
        at: '2026-03-15T14:00:00.000Z',
        title: expect.any(String),
        link: expect.stringContaining('/clients/'),
        personName: 'Grace Hopper',
        actions: [
          { id: expect.any(String), text: 'Send the email “How are you?”', body: 'Hello Grace,', problem: null },
          { id: expect.any(String), text: 'Add the tag “quiet”', body: null, problem: null },
        ],
      },
    ],
  })
  expect(await call('GET', `/automations/${id}/runs`)).toEqual([])
})

test('the log is listed in pages, newest first, also of one state', async () => {
  const { id } = await create()
  const rows = Array.from({ length: 7 }, (_, at) => ({
    coach_id: coach.id,
    automation_id: id,
    trigger: 'crm.no-contact',
    event_key: `${at}`,
    payload: '{}',
    state: at % 2 ? 'done' : 'skipped',
    title: `Run ${at}`,
    created_at: app.clock.now,
  }))
  await inTenant(coach, (tx) => tx.query(insertRows('automation_run', rows)))
  const titles: string[] = []
  for (let query: string | undefined = '?limit=3'; query; ) {
    const { body, headers } = await send('GET', `/automations/${id}/runs${query}`)
    titles.push(...body.map(({ title }: { title: string }) => title))
    query = /<[^?]+(\?[^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
  }
  expect(titles).toEqual([6, 5, 4, 3, 2, 1, 0].map((at) => `Run ${at}`))
  const done = await call('GET', `/automations/${id}/runs?state=done`)
  expect(done.map(({ title }: { title: string }) => title)).toEqual(['Run 5', 'Run 3', 'Run 1'])
  expect((await send('GET', `/automations/${id}/runs?state=unknown`)).status).toBe(422)
})

test('the failed actions of a run are tried again, once when many calls come at once', async () => {
  const { id, actions } = await create({ actions: [tag(), email()] })
  const results = [
    { id: actions[0].id, state: 'failed', text: 'The client has 20 tags already.' },
    { id: actions[1].id, state: 'done', text: 'Send the email “How are you?”' },
  ]
  const rows = ['failed', 'done'].map((state) => ({
    coach_id: coach.id,
    automation_id: id,
    trigger: 'crm.no-contact',
    event_key: state,
    payload: '{}',
    state,
    results: JSON.stringify(results),
    created_at: app.clock.now,
  }))
  await inTenant(coach, (tx) => tx.query(insertRows('automation_run', rows)))
  const [done, failed] = await call('GET', `/automations/${id}/runs`)
  const retry = (run: number, as = coach) => send('POST', `/automation-runs/${run}/retry`, undefined, as)
  const other = await createCoach({ plan: 'pro' })
  for (const refused of [await retry(done.id), await retry(8_999_999), await retry(failed.id, other)])
    expect([refused.status, refused.body.message]).toEqual([404, 'There is nothing to try again in this run.'])
  const answers = await concurrently(5, () => retry(failed.id))
  const statuses = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.status : 500))
  expect(statuses.toSorted()).toEqual([200, 404, 404, 404, 404])
  expect((await call('GET', `/automations/${id}/runs`))[1]).toMatchObject({ state: 'waiting', results: [results[1]] })
})

test('the parts are those of the page, with what this coach can choose', async () => {
  await createClient({ coach, tags: ['vip'] })
  const { triggers, actions } = await call('GET', '/automation-parts')
  const trigger = triggers.find(({ name }: { name: string }) => name === 'crm.no-contact')
  expect(trigger).toMatchObject({ days: { initial: 30, max: 365 }, actions: expect.arrayContaining(['crm.add-tag']) })
  expect(trigger.placeholders).toContain('client first name')
  expect(trigger.filters).toContainEqual(
    expect.objectContaining({ name: 'tag', choices: [{ value: 'vip', label: 'vip' }] }),
  )
  expect(actions.find(({ name }: { name: string }) => name === 'automations.send-email')).toMatchObject({
    settings: [
      { name: 'subject', kind: 'line', isRequired: true, max: 200, takesPlaceholders: true, choices: null },
      { name: 'body', kind: 'text', isRequired: true, max: 5000, takesPlaceholders: true, choices: null },
    ],
  })
})
