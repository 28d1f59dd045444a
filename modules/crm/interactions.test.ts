import { describe, expect, test } from 'vitest'
import { createCoach, inTenant, contextFor, type Coach, createClient } from '#tests/support/factories.ts'
import { createTestApp, concurrently } from '#tests/support/test-app.ts'
import { InteractionEdit, NewInteraction } from './forms.ts'
import { getInteraction } from './queries/interactions.ts'
import { InteractionOut, type InteractionRecord } from './records.ts'
import { createInteraction, updateInteraction } from './services/interactions.ts'

const app = createTestApp()
const noon = '2026-03-10T16:00:00.000Z'
const add = (coach: Coach, client: { id: number }, more: object = {}) =>
  app.call('POST', `/api/clients/${client.id}/interactions`, {
    as: coach,
    body: { name: 'Session 1', interactionDate: noon, ...more },
  })
const listed = async (coach: Coach, client: { id: number }): Promise<InteractionRecord[]> =>
  (await app.call('GET', `/api/clients/${client.id}/interactions`, { as: coach })).body
const formatPath = ({ clientId, id }: InteractionRecord): string => `/api/clients/${clientId}/interactions/${id}`

describe('an interaction', () => {
  test('is added to the client in the path, whatever the body says, as a manual one', async () => {
    const coach = await createCoach()
    const [client, other] = [await createClient({ coach }), await createClient({ coach })]
    const { status, body } = await add(coach, client, {
      name: '  Session 1 ',
      content: '**bold**\n• one',
      clientId: other.id,
      source: 'zoom',
      summary: 'x',
      appointmentId: 7,
      id: 9,
      coachId: 9,
    })

    expect(status).toBe(201)
    expect(InteractionOut.strict().parse(body)).toEqual({
      id: body.id,
      coachId: coach.id,
      clientId: client.id,
      appointmentId: null,
      name: 'Session 1',
      content: '**bold**\n• one',
      summary: null,
      source: 'manual',
      interactionDate: noon,
      createdAt: app.clock.now.toISOString(),
      updatedAt: app.clock.now.toISOString(),
    })
    expect(await listed(coach, client)).toEqual([body])
    expect(await listed(coach, other)).toEqual([])
    expect((await app.call('GET', formatPath(body), { as: coach })).body).toEqual(body)
    expect((await app.call('GET', `/api/clients/${other.id}/interactions/${body.id}`, { as: coach })).status).toBe(404)
  })

  test.each([
    [{ name: undefined }, 'name', 'Title is required'],
    [{ name: null }, 'name', 'Title is required'],
    [{ name: '  ' }, 'name', 'Title is required'],
    [{ name: 'x'.repeat(256) }, 'name', undefined],
    [{ name: 'two\nlines' }, 'name', undefined],
    [{ interactionDate: undefined }, 'interactionDate', 'Date is required'],
    [{ interactionDate: null }, 'interactionDate', 'Date is required'],
    [{ interactionDate: '' }, 'interactionDate', 'Date is required'],
    [{ interactionDate: '2026-03-10' }, 'interactionDate', undefined],
    [{ interactionDate: '2026-03-10T12:00:00' }, 'interactionDate', undefined],
    [{ interactionDate: '1899-12-31T12:00:00Z' }, 'interactionDate', undefined],
    [{ interactionDate: '2201-01-01T12:00:00Z' }, 'interactionDate', undefined],
    [{ interactionDate: 5 }, 'interactionDate', undefined],
    [{ content: '🙂'.repeat(50_001) }, 'content', undefined],
    [{ content: 'nul \u0000' }, 'content', undefined],
    [{ content: '\ud800' }, 'content', undefined],
  ])('rejects %j at its field, on create and update', async (more, field, message) => {
    const coach = await createCoach()
    const client = await createClient({ coach })
    const answer = await add(coach, client, more)
    expect(answer.status).toBe(422)
    expect(answer.body.issues.map((issue: { path: string }) => issue.path)).toEqual([field])
    if (message) expect(answer.body.issues[0].message).toBe(message)

    if (Object.values(more)[0] === undefined) return
    const { body } = await add(coach, client)
    expect((await app.call('PATCH', formatPath(body), { as: coach, body: more })).status).toBe(422)
    expect(await listed(coach, client)).toEqual([body])
  })

  test('holds 50,000 characters, counted in code points', async () => {
    const coach = await createCoach()
    expect((await add(coach, await createClient({ coach }), { content: '🙂'.repeat(50_000) })).status).toBe(201)
  })

  test('updates the given fields only; {} changes nothing', async () => {
    const coach = await createCoach()
    const client = await createClient({ coach })
    const { body } = await add(coach, client, { content: 'a' })
    app.clock.now = new Date(app.clock.now.getTime() + 60_000)
    const patch = (fields: object) => app.call('PATCH', formatPath(body), { as: coach, body: fields })

    expect((await patch({})).body).toEqual(body)
    expect((await patch({ name: body.name, interactionDate: '2026-03-10T17:00:00+01:00' })).body).toEqual(body)
    const changed = { ...body, content: null, updatedAt: app.clock.now.toISOString() }
    expect((await patch({ content: null, source: 'zoom', clientId: 1 })).body).toEqual(changed)
    expect(await listed(coach, client)).toEqual([changed])
  })

  test('a stale edit is rejected and changes nothing; one of ten concurrent edits succeeds', async () => {
    const coach = await createCoach()
    const client = await createClient({ coach })
    const { body } = await add(coach, client)
    const edit = (content: string, seen: number) =>
      inTenant(coach, (ctx) =>
        updateInteraction(ctx, { clientId: client.id, id: body.id }, InteractionEdit.parse({ content }), seen),
      )
    await edit('first', 1)
    await expect(edit('second', 1)).rejects.toMatchObject({ code: 'conflict' })
    const all = await concurrently(10, (n) => edit(String(n), 2))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await getInteraction(await contextFor(coach), { clientId: client.id, id: body.id })).version).toBe(3)
  })

  test('is deleted once, even by fifty concurrent calls, and restored unchanged', async () => {
    const coach = await createCoach()
    const client = await createClient({ coach })
    const { body } = await add(coach, client)
    const all = await concurrently(50, () => app.call('DELETE', formatPath(body), { as: coach }))
    expect(all.map((one) => (one.status === 'fulfilled' ? one.value.status : 0)).sort()).toEqual([
      204,
      ...Array<number>(49).fill(404),
    ])
    expect(await listed(coach, client)).toEqual([])
    expect((await app.call('GET', formatPath(body), { as: coach })).status).toBe(404)
    expect((await app.call('PATCH', formatPath(body), { as: coach, body: {} })).status).toBe(404)
    expect((await app.call('POST', `${formatPath(body)}/restore`, { as: coach })).body).toEqual(body)
    expect((await app.call('POST', `${formatPath(body)}/restore`, { as: coach })).body).toEqual(body)
    expect(await listed(coach, client)).toEqual([body])
  })

  test('is hidden, restored and erased with its client', async () => {
    const coach = await createCoach()
    const client = await createClient({ coach })
    const { body } = await add(coach, client)
    await app.call('DELETE', `/api/clients/${client.id}`, { as: coach })
    for (const [method, path] of [
      ['GET', formatPath(body)],
      ['PATCH', formatPath(body)],
      ['DELETE', formatPath(body)],
      ['POST', `${formatPath(body)}/restore`],
      ['GET', `/api/clients/${client.id}/interactions`],
    ] as const) {
      expect([
        method,
        path,
        (await app.call(method, path, { as: coach, ...(method === 'PATCH' ? { body: {} } : {}) })).status,
      ]).toEqual([method, path, 404])
    }
    expect((await app.call('GET', '/api/client-interactions', { as: coach })).body).toEqual([])
    expect((await add(coach, client)).body.message).toBe('Client not found')
    await app.call('POST', `/api/clients/${client.id}/restore`, { as: coach })
    expect(await listed(coach, client)).toEqual([body])
  })

  test('that is added while its client is deleted is rejected or hidden', async () => {
    const coach = await createCoach()
    const client = await createClient({ coach })
    const all = await concurrently(50, (n) =>
      n === 25 ? app.call('DELETE', `/api/clients/${client.id}`, { as: coach }) : add(coach, client),
    )
    const made = all.filter((one) => one.status === 'fulfilled' && one.value.status === 201).length
    expect(all.every((one) => one.status === 'fulfilled' && [201, 204, 404].includes(one.value.status))).toBe(true)
    await app.call('POST', `/api/clients/${client.id}/restore`, { as: coach })
    expect(await listed(coach, client)).toHaveLength(made)
  })

  test('is created once per idempotency key', async () => {
    const coach = await createCoach()
    const client = await createClient({ coach })
    const body = { name: 'Once', interactionDate: noon }
    await concurrently(10, () =>
      app.call('POST', `/api/clients/${client.id}/interactions`, {
        as: coach,
        body,
        headers: { 'idempotency-key': 'k' },
      }),
    )
    expect(await listed(coach, client)).toHaveLength(1)
  })
})

describe('the lists of interactions', () => {
  test('are ordered by date, newest first, and paginated on request', async () => {
    const coach = await createCoach()
    const [client, other] = [await createClient({ coach }), await createClient({ coach })]
    for (const [of, day] of [
      [client, '05'],
      [other, '07'],
      [client, '01'],
      [client, '09'],
      [client, '09'],
    ] as const)
      await add(coach, of, { name: day, interactionDate: `2026-03-${day}T12:00:00Z` })
    const names = (body: { name: string }[]) => body.map(({ name }) => name)

    expect(names(await listed(coach, client))).toEqual(['09', '09', '05', '01'])
    expect(names((await app.call('GET', '/api/client-interactions?_=1', { as: coach })).body)).toEqual([
      '09',
      '09',
      '07',
      '05',
      '01',
    ])
    for (const [path, expected] of [
      [`/api/clients/${client.id}/interactions`, 4],
      ['/api/client-interactions', 5],
    ] as const) {
      const seen: InteractionRecord[] = []
      for (let next: string | undefined = `${path}?limit=2`; next; ) {
        const page: { body: InteractionRecord[]; headers: Headers } = await app.call('GET', next, { as: coach })
        seen.push(...page.body)
        next = /<([^>]+)>/.exec(page.headers.get('link') ?? '')?.[1]
      }
      expect(seen).toEqual((await app.call('GET', path, { as: coach })).body)
      expect(new Set(seen.map(({ id }) => id)).size).toBe(expected)
    }
    expect((await app.call('GET', '/api/client-interactions?limit=0', { as: coach })).status).toBe(422)
  })
})

test('another module can set the source of an interaction', async () => {
  const coach = await createCoach()
  const client = await createClient({ coach })
  const noted = await inTenant(coach, (ctx) =>
    createInteraction(ctx, client.id, NewInteraction.parse({ name: 'Reminder sent', interactionDate: noon }), {
      source: 'system_notification',
      summary: 'By e-mail',
      appointmentId: 12,
    }),
  )
  expect(noted).toMatchObject({ source: 'system_notification', summary: 'By e-mail', appointmentId: 12 })
  expect(await listed(coach, client)).toEqual([noted])
})
