import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ClientOut } from '#modules/crm/index.ts'
import { createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp, concurrently, type CallResult } from '#tests/support/test-app.ts'
import { PipelineActivityOut, ProspectOut, StageOut, type ProspectRecord, type StageRecord } from './records.ts'
import { updateProspect } from './services/prospects.ts'
import { updateStage, moveStageTo } from './services/stages.ts'
import { createStage, createProspect } from './e2e/factories.ts'

const app = createTestApp()

const listStages = async (coach: Coach): Promise<StageRecord[]> =>
  (await app.call('GET', '/api/pipeline/stages', { as: coach })).body
const listNames = async (coach: Coach): Promise<string[]> => (await listStages(coach)).map(({ name }) => name)
const patch = (coach: Coach, { id }: { id: number }, body: object): Promise<CallResult> =>
  app.call('PATCH', `/api/prospects/${id}`, { as: coach, body })
const convert = (coach: Coach, { id }: { id: number }): Promise<CallResult> =>
  app.call('POST', `/api/prospects/${id}/convert-to-client`, { as: coach, body: {} })
const listProspects = async (coach: Coach): Promise<ProspectRecord[]> =>
  (await app.call('GET', '/api/prospects', { as: coach })).body
/** Returns the names in a stage, in order. */
async function inStage(coach: Coach, stageId: number): Promise<string[]> {
  const there = (await listProspects(coach))
    .filter((prospect) => prospect.stageId === stageId)
    .toSorted((a, b) => a.position - b.position)
  expect(there.map(({ position }) => position)).toEqual(there.map((_, index) => index))
  return there.map(({ name }) => name)
}
const listActivities = async (coach: Coach, { id }: { id: number }): Promise<string[]> =>
  z
    .array(PipelineActivityOut.strict())
    .parse((await app.call('GET', `/api/prospects/${id}/activities`, { as: coach })).body)
    .map(({ description }) => description)

describe('the stages', () => {
  test('an account starts with five, found by alias whatever their name or position', async () => {
    const coach = await createCoach()
    const [lead, qualified, ...rest] = z.array(StageOut.strict()).parse(await listStages(coach))
    expect([lead, qualified, ...rest].map((stage) => stage!.name)).toEqual([
      'Lead',
      'Qualified',
      'Proposal',
      'Negotiation',
      'Closed Won',
    ])
    expect([lead, qualified, ...rest].map((stage) => stage!.order)).toEqual([0, 1, 2, 3, 4])
    await app.call('PATCH', `/api/pipeline/stages/${lead!.id}`, { as: coach, body: { name: 'New here', order: 9 } })

    expect((await createProspect({ coach, stageId: 'lead' })).stageId).toBe(lead!.id)
    expect((await createProspect({ coach, stageId: 'closed_won' })).stageId).toBe(rest[2]!.id)
    expect(await listNames(coach)).toEqual(['Qualified', 'Proposal', 'Negotiation', 'Closed Won', 'New here'])
  })

  test('are added last, or at a position that shifts the others', async () => {
    const coach = await createCoach()
    const last = await app.call('POST', '/api/pipeline/stages', {
      as: coach,
      body: { name: ' Onboarding ', id: 1, coachId: 1 },
    })
    await createStage({ coach, name: 'Second', order: 1, color: '#112233' })
    await createStage({ coach, name: 'Far', order: 40 })

    expect(last.status).toBe(201)
    expect(last.body).toMatchObject({ name: 'Onboarding', color: '#3B82F6', order: 5, coachId: coach.id })
    expect((await listStages(coach)).map(({ name, order }) => [name, order])).toEqual([
      ['Lead', 0],
      ['Second', 1],
      ['Qualified', 2],
      ['Proposal', 3],
      ['Negotiation', 4],
      ['Closed Won', 5],
      ['Onboarding', 6],
      ['Far', 40],
    ])
  })

  test.each([
    [{}, 'name', 'Stage name is required'],
    [{ name: '  ' }, 'name', 'Stage name is required'],
    [{ name: 'A', color: '' }, 'color', 'Color is required'],
    [{ name: 'A', color: 'blue' }, 'color', undefined],
    [{ name: 'A', order: -1 }, 'order', undefined],
    [{ name: 'A', order: 1.5 }, 'order', undefined],
    [{ name: 'x'.repeat(256) }, 'name', undefined],
  ])('reject %j', async (body, field, message) => {
    const answer = await app.call('POST', '/api/pipeline/stages', { as: await createCoach(), body })
    expect([answer.status, answer.body.issues[0].path]).toEqual([422, field])
    if (message) expect(answer.body.issues[0].message).toBe(message)
  })

  test('update the given fields, and {} changes nothing', async () => {
    const coach = await createCoach()
    const stage = await createStage({ coach })
    const path = `/api/pipeline/stages/${stage.id}`
    expect((await app.call('PATCH', path, { as: coach, body: {} })).body).toEqual(stage)
    expect((await app.call('PATCH', path, { as: coach, body: { name: 'Elsewhere' } })).body).toEqual({
      ...stage,
      name: 'Elsewhere',
    })
    expect((await app.call('PATCH', path, { as: coach, body: { color: '' } })).body.issues[0].message).toBe(
      'Color is required',
    )
  })

  test('are reordered as a whole, and returned with the orders 0…n-1', async () => {
    const coach = await createCoach()
    const stages = await listStages(coach)
    const send = (list: object[]) =>
      app.call('POST', '/api/pipeline/stages/reorder', { as: coach, body: { stages: list } })
    const turned = await send(stages.map(({ id }, index) => ({ id, order: 100 - index })))

    expect(turned.status).toBe(200)
    expect(turned.body.map(({ name, order }: StageRecord) => [name, order])).toEqual([
      ['Closed Won', 0],
      ['Negotiation', 1],
      ['Proposal', 2],
      ['Qualified', 3],
      ['Lead', 4],
    ])
    const before = await listStages(coach)
    const other = await createStage({ coach: await createCoach() })
    const wanted = stages.map(({ id }, order) => ({ id, order }))
    expect((await send(wanted.slice(1))).status).toBe(422)
    expect((await send([])).status).toBe(422)
    expect((await send([...wanted.slice(0, 4), { id: wanted[4]!.id, order: 0 }])).status).toBe(422)
    expect((await send([...wanted.slice(0, 4), { id: wanted[0]!.id, order: 4 }])).status).toBe(422)
    expect(await send([...wanted, { id: other.id, order: 9 }])).toMatchObject({
      status: 404,
      body: { message: 'Stage not found' },
    })
    expect((await send([...wanted, { id: 987_654_321, order: 9 }])).status).toBe(404)
    expect(await listStages(coach)).toEqual(before)
  })

  test('keep distinct positions under fifty concurrent reorders, creates and deletes', async () => {
    const coach = await createCoach()
    const five = await listStages(coach)
    await concurrently(50, async (index) => {
      if (index % 3 === 0) return createStage({ coach, name: `Stage ${index}`, order: index % 7 })
      if (index % 3 === 1)
        return app.call('PATCH', `/api/pipeline/stages/${five[index % 5]!.id}`, {
          as: coach,
          body: { order: index % 6 },
        })
      return app.call('POST', '/api/pipeline/stages/reorder', {
        as: coach,
        body: { stages: (await listStages(coach)).map(({ id }, order) => ({ id, order: (order * 7 + index) % 97 })) },
      })
    })
    const stages = await listStages(coach)
    expect(stages).toHaveLength(5 + 17)
    expect(new Set(stages.map(({ order }) => order)).size).toBe(stages.length)
  })
})

describe('deleting a stage', () => {
  const remove = (coach: Coach, { id }: { id: number }, query = '') =>
    app.call('DELETE', `/api/pipeline/stages/${id}${query}`, { as: coach })

  test('moves its prospects to the given stage only', async () => {
    const coach = await createCoach()
    const [lead, qualified] = await listStages(coach)
    for (const name of ['A', 'B']) await createProspect({ coach, name })
    await createProspect({ coach, name: 'C', stageId: qualified!.id })
    const foreign = await createStage({ coach: await createCoach() })

    expect(await remove(coach, lead!)).toMatchObject({
      status: 409,
      body: { code: 'conflict', message: 'Lead has 2 prospects. Choose a stage to move them to.' },
    })
    for (const wrong of ['987654321', String(foreign.id), 'abc', '0', '-1', '1.5', '9007199254740993', '', '%00']) {
      expect([wrong, (await remove(coach, lead!, `?moveTo=${wrong}`)).body]).toMatchObject([
        wrong,
        { code: 'not_found', message: 'Stage not found' },
      ])
    }
    for (const itself of [lead!.id, 'lead']) expect((await remove(coach, lead!, `?moveTo=${itself}`)).status).toBe(422)
    expect((await remove(coach, lead!, '?moveTo=qualified')).status).toBe(204)
    expect(await inStage(coach, qualified!.id)).toEqual(['C', 'A', 'B'])
    expect((await remove(coach, lead!, '?moveTo=qualified')).status).toBe(404)
    expect(
      (await app.call('POST', '/api/prospects', { as: coach, body: { name: 'D', stageId: 'lead' } })).body.message,
    ).toBe('Stage not found')
  })

  test('is rejected for the last one, even by fifty concurrent calls', async () => {
    const coach = await createCoach()
    const stages = await listStages(coach)
    await concurrently(50, (index) => remove(coach, stages[index % 5]!))
    const [left, ...others] = await listStages(coach)
    expect(others).toEqual([])
    expect((await remove(coach, left!)).status).toBe(409)
  })

  test('leaves no prospect behind, even one added concurrently', async () => {
    const coach = await createCoach()
    const [lead, qualified] = await listStages(coach)
    const answers = await concurrently(50, (index) =>
      index === 25
        ? remove(coach, lead!, '?moveTo=qualified')
        : app.call('POST', '/api/prospects', { as: coach, body: { name: `P${index}`, stageId: lead!.id } }),
    )
    const added = answers.filter((answer) => answer.status === 'fulfilled' && answer.value.status === 201).length
    expect(await inStage(coach, qualified!.id)).toHaveLength(added)
    expect(await listProspects(coach)).toHaveLength(added)
  })

  test('is undone with the prospects that it moved, unless they moved again', async () => {
    const coach = await createCoach()
    const [lead, qualified, proposal] = await listStages(coach)
    const [a, b] = [await createProspect({ coach, name: 'A' }), await createProspect({ coach, name: 'B' })]
    await createProspect({ coach, name: 'C', stageId: qualified!.id })
    await remove(coach, lead!, `?moveTo=${qualified!.id}`)
    await patch(coach, b, { stageId: proposal!.id })
    const back = await app.call('POST', `/api/pipeline/stages/${lead!.id}/restore`, { as: coach, body: {} })

    expect([back.status, back.body]).toEqual([200, lead])
    expect(await inStage(coach, lead!.id)).toEqual(['A'])
    expect(await inStage(coach, qualified!.id)).toEqual(['C'])
    expect(await inStage(coach, proposal!.id)).toEqual(['B'])
    expect(await listActivities(coach, a)).toEqual([
      'Moved back to Lead, which was restored',
      'Moved from Lead, which was deleted, to Qualified',
      'Added to Lead',
    ])
  })

  test('restores prospects that another deletion moved on or that were in the trash', async () => {
    const coach = await createCoach()
    const [lead, qualified] = await listStages(coach)
    const [moved, trashed] = [
      await createProspect({ coach, name: 'Moved' }),
      await createProspect({ coach, name: 'Trashed' }),
    ]
    await createProspect({ coach, name: 'Own', stageId: 'qualified' })
    const restore = (kind: string, id: number) =>
      app.call('POST', `/api/${kind}/${id}/restore`, { as: coach, body: {} })
    await remove(coach, lead!, '?moveTo=qualified')
    await app.call('DELETE', `/api/prospects/${trashed.id}`, { as: coach })
    await remove(coach, qualified!, '?moveTo=proposal')
    await restore('pipeline/stages', qualified!.id)
    expect(await inStage(coach, qualified!.id)).toEqual(['Own', 'Moved'])
    await restore('pipeline/stages', lead!.id)
    await restore('prospects', trashed.id)
    expect(await inStage(coach, qualified!.id)).toEqual(['Own'])
    expect(
      (await listProspects(coach))
        .filter(({ stageId }) => stageId === lead!.id)
        .map(({ id }) => id)
        .toSorted((a, b) => a - b),
    ).toEqual([moved.id, trashed.id].toSorted((a, b) => a - b))
  })
})

describe('several deletions of stages', () => {
  const remove = (coach: Coach, { id }: { id: number }, moveTo: string) =>
    app.call('DELETE', `/api/pipeline/stages/${id}?moveTo=${moveTo}`, { as: coach })
  const restore = (coach: Coach, kind: string, { id }: { id: number }) =>
    app.call('POST', `/api/${kind}/${id}/restore`, { as: coach, body: {} })

  test.each([
    ['lead', 'qualified', 'proposal'],
    ['lead', 'proposal', 'qualified'],
    ['qualified', 'lead', 'proposal'],
    ['qualified', 'proposal', 'lead'],
    ['proposal', 'lead', 'qualified'],
    ['proposal', 'qualified', 'lead'],
  ])('are undone in any order (%s, %s, %s), except for prospects moved by hand', async (...order) => {
    const coach = await createCoach()
    const [lead, qualified, proposal, negotiation, won] = await listStages(coach)
    for (const name of ['L1', 'L2']) await createProspect({ coach, name })
    const byHand = await createProspect({ coach, name: 'L3' })
    for (const name of ['Q1', 'Q2']) await createProspect({ coach, name, stageId: 'qualified' })
    await createProspect({ coach, name: 'P1', stageId: 'proposal' })
    await remove(coach, lead!, 'qualified')
    await remove(coach, qualified!, 'proposal')
    await patch(coach, byHand, { stageId: 'closed_won' })
    await remove(coach, proposal!, 'negotiation')
    expect(await inStage(coach, negotiation!.id)).toEqual(['P1', 'Q1', 'Q2', 'L1', 'L2'])

    const stages = { lead: lead!, qualified: qualified!, proposal: proposal! }
    for (const alias of order)
      expect((await restore(coach, 'pipeline/stages', stages[alias as keyof typeof stages])).status).toBe(200)
    expect(await inStage(coach, lead!.id)).toEqual(['L1', 'L2'])
    expect(await inStage(coach, qualified!.id)).toEqual(['Q1', 'Q2'])
    expect(await inStage(coach, proposal!.id)).toEqual(['P1'])
    expect(await inStage(coach, negotiation!.id)).toEqual([])
    expect(await inStage(coach, won!.id)).toEqual(['L3'])
  })

  test('restore prospects that were restored before the stage, even if their new stage was deleted', async () => {
    const coach = await createCoach()
    const [lead, qualified] = await listStages(coach)
    const [prospect, byHand] = [
      await createProspect({ coach, stageId: 'qualified' }),
      await createProspect({ coach, name: 'By hand', stageId: 'qualified' }),
    ]
    for (const each of [prospect, byHand]) await app.call('DELETE', `/api/prospects/${each.id}`, { as: coach })
    await app.call('DELETE', `/api/pipeline/stages/${qualified!.id}`, { as: coach })
    for (const each of [prospect, byHand]) expect((await restore(coach, 'prospects', each)).body.stageId).toBe(lead!.id)
    await remove(coach, lead!, 'proposal')
    await patch(coach, byHand, { stageId: 'closed_won' })
    await restore(coach, 'pipeline/stages', qualified!)
    expect(await inStage(coach, qualified!.id)).toEqual(['Leila Haddad'])
    await restore(coach, 'pipeline/stages', lead!)
    expect(await inStage(coach, qualified!.id)).toEqual(['Leila Haddad'])
  })

  test('are not undone when a thousand stages exist', async () => {
    const coach = await createCoach()
    const [lead] = await listStages(coach)
    await app.call('DELETE', `/api/pipeline/stages/${lead!.id}`, { as: coach })
    await inTenant(coach, (ctx) =>
      ctx.query({
        name: 'test.many-stages',
        text: `insert into pipeline_stage (coach_id, name, position, created_at, updated_at) select $1, 'S' || at, at, now(), now() from generate_series(10, 1005) at`,
        values: [coach.id],
      }),
    )
    expect(await listStages(coach)).toHaveLength(1000)
    expect(await restore(coach, 'pipeline/stages', lead!)).toMatchObject({
      status: 409,
      body: { message: 'A pipeline can have at most 1,000 stages.' },
    })
    expect(await listStages(coach)).toHaveLength(1000)
  })
})

describe('two tabs', () => {
  const conflict = { code: 'conflict' }

  test('a stale edit of a stage is rejected, and so is a move from an outdated position', async () => {
    const coach = await createCoach()
    const [lead, qualified, ...rest] = await listStages(coach)
    await inTenant(coach, (ctx) => updateStage(ctx, lead!.id, { name: 'There' }, 1))
    await expect(inTenant(coach, (ctx) => updateStage(ctx, lead!.id, { name: 'Here' }, 1))).rejects.toMatchObject(
      conflict,
    )
    await inTenant(coach, (ctx) => updateStage(ctx, lead!.id, { color: '#000000' }, 2))

    await inTenant(coach, (ctx) => moveStageTo(ctx, lead!.id, 2, 0))
    await expect(inTenant(coach, (ctx) => moveStageTo(ctx, lead!.id, 4, 0))).rejects.toMatchObject(conflict)
    // Both asked for the same position.
    await inTenant(coach, (ctx) => moveStageTo(ctx, lead!.id, 2, 0))
    expect((await listStages(coach)).map(({ name, color }) => [name, color])).toEqual([
      ['Qualified', qualified!.color],
      ['Proposal', rest[0]!.color],
      ['There', '#000000'],
      ['Negotiation', rest[1]!.color],
      ['Closed Won', rest[2]!.color],
    ])
    // Reordering is not an edit of the name: an open form is not stale.
    await inTenant(coach, (ctx) => updateStage(ctx, qualified!.id, { name: 'Second' }, 1))
  })

  test('a second move to a different stage is rejected, while a moved prospect can be edited', async () => {
    const coach = await createCoach()
    const [lead, qualified, proposal] = await listStages(coach)
    const { id } = await createProspect({ coach })
    const seen = { version: 1, stageId: lead!.id }
    await inTenant(coach, (ctx) => updateProspect(ctx, id, { stageId: qualified!.id }, seen))
    await expect(
      inTenant(coach, (ctx) => updateProspect(ctx, id, { stageId: proposal!.id, company: 'Lost' }, seen)),
    ).rejects.toMatchObject(conflict)
    await inTenant(coach, (ctx) => updateProspect(ctx, id, { stageId: qualified!.id, company: 'Kept' }, seen))
    expect(await listProspects(coach)).toMatchObject([{ stageId: qualified!.id, company: 'Kept' }])
  })
})

describe('a prospect', () => {
  test('is created with a name and a stage, its value in cents', async () => {
    const coach = await createCoach()
    const answer = await app.call('POST', '/api/prospects', {
      as: coach,
      body: {
        name: ' Leila Haddad ',
        stageId: 'lead',
        value: '3600.50',
        probability: 40,
        nextFollowUp: '2026-03-14T12:00:00-04:00',
        email: '',
        id: 7,
        coachId: 7,
        convertedAt: 'x',
        createdAt: 'x',
      },
    })
    expect(answer.status).toBe(201)
    expect(ProspectOut.strict().parse(answer.body)).toMatchObject({
      coachId: coach.id,
      name: 'Leila Haddad',
      email: null,
      value: 360050,
      probability: 40,
      nextFollowUp: '2026-03-14T16:00:00.000Z',
      productId: null,
      position: 0,
      createdAt: '2026-03-10T14:00:00.000Z',
    })
    expect(await createProspect({ coach, value: null, probability: null })).toMatchObject({
      value: 0,
      probability: 0,
      position: 1,
    })
  })

  test.each([
    [{ stageId: 'lead' }, 'name', 'Name is required'],
    [{ name: 'A' }, 'stageId', 'Stage is required'],
    [{ name: 'A', stageId: '' }, 'stageId', 'Stage is required'],
    [{ name: 'A', stageId: 'lead', value: -1 }, 'value', undefined],
    [{ name: 'A', stageId: 'lead', value: 1.5 }, 'value', undefined],
    [{ name: 'A', stageId: 'lead', value: 10_000_000_000 }, 'value', undefined],
    [{ name: 'A', stageId: 'lead', probability: 101 }, 'probability', undefined],
    [{ name: 'A', stageId: 'lead', probability: '50' }, 'probability', undefined],
    [{ name: 'A', stageId: 'lead', email: 'nobody' }, 'email', undefined],
    [{ name: 'A', stageId: 'lead', nextFollowUp: '2026-03-14' }, 'nextFollowUp', undefined],
    [{ name: 'A', stageId: 'lead', timezone: 'Mars/Olympus' }, 'timezone', undefined],
    [{ name: 'A', stageId: 'lead', notes: 'a\u0000b' }, 'notes', undefined],
  ])('is rejected as %j', async (body, field, message) => {
    const answer = await app.call('POST', '/api/prospects', { as: await createCoach(), body })
    expect([answer.status, answer.body.issues[0].path]).toEqual([422, field])
    if (message) expect(answer.body.issues[0].message).toBe(message)
  })

  test('reports a missing stage and a missing product', async () => {
    const [coach, other] = [await createCoach(), await createCoach()]
    const theirs = await createStage({ coach: other })
    const product = (await app.call('POST', '/api/products', { as: other, body: { name: 'P', price: 1 } })).body
    const prospect = await createProspect({ coach })
    for (const stageId of [theirs.id, 987_654_321, 0, -1, 1.5, 1e300, 'abc', '0']) {
      expect(await patch(coach, prospect, { stageId })).toMatchObject({
        status: 404,
        body: { message: 'Stage not found' },
      })
      expect((await app.call('POST', '/api/prospects', { as: coach, body: { name: 'A', stageId } })).body.message).toBe(
        'Stage not found',
      )
    }
    for (const productId of [product.id, 987_654_321])
      expect(await patch(coach, prospect, { productId })).toMatchObject({
        status: 404,
        body: { message: 'Product not found' },
      })
    expect(await listProspects(coach)).toEqual([prospect])
  })

  test('updates the given fields, null clears them, and {} changes nothing', async () => {
    const coach = await createCoach()
    const product = (
      await app.call('POST', '/api/products', { as: coach, body: { name: 'Career Reset', price: '150.00' } })
    ).body
    const prospect = await createProspect({
      coach,
      company: 'Saffron Table',
      productId: product.id,
      nextFollowUp: '2026-03-14T16:00:00Z',
    })
    app.clock.now = new Date('2026-03-11T09:00:00Z')
    expect((await patch(coach, prospect, {})).body).toEqual(prospect)
    const edited = await patch(coach, prospect, {
      company: null,
      value: 5000,
      productId: null,
      nextFollowUp: null,
      notes: '**Warm**',
    })
    expect(edited.body).toEqual({
      ...prospect,
      company: null,
      value: 5000,
      productId: null,
      nextFollowUp: null,
      notes: '**Warm**',
      updatedAt: '2026-03-11T09:00:00.000Z',
    })
    expect(await listActivities(coach, prospect)).toEqual([
      'Edited company, value, notes, product, and next follow-up',
      'Added to Lead',
    ])
    await app.call('DELETE', `/api/products/${product.id}`, { as: coach })
    expect((await patch(coach, prospect, { productId: product.id })).status).toBe(404)
    app.clock.now = new Date('2026-03-10T14:00:00Z')
  })

  test('moves by stageId to the end of a stage, or to a position in it', async () => {
    const coach = await createCoach()
    const [lead, qualified] = await listStages(coach)
    const [a, b, c] = [
      await createProspect({ coach, name: 'A' }),
      await createProspect({ coach, name: 'B' }),
      await createProspect({ coach, name: 'C' }),
    ]
    const other = await createProspect({ coach, name: 'X', stageId: 'qualified' })
    expect((await patch(coach, a, { stageId: qualified!.id })).body).toMatchObject({
      stageId: qualified!.id,
      position: 1,
    })
    expect((await patch(coach, b, { stageId: 'qualified', position: 0 })).body.position).toBe(0)
    expect(await inStage(coach, qualified!.id)).toEqual(['B', 'X', 'A'])
    expect((await patch(coach, a, { position: 1 })).body.position).toBe(1)
    expect(await inStage(coach, qualified!.id)).toEqual(['B', 'A', 'X'])
    expect((await patch(coach, b, { position: 99 })).body.position).toBe(2)
    expect((await patch(coach, c, { stageId: lead!.id })).body).toEqual({ ...c, position: 0 })
    expect(await listActivities(coach, other)).toEqual(['Added to Qualified'])
    expect(await listActivities(coach, a)).toEqual(['Moved from Lead to Qualified', 'Added to Lead'])
  })

  test('keeps a distinct order, however often the same position is requested', async () => {
    const coach = await createCoach()
    const { id: stageId } = (await listStages(coach))[0]!
    const prospects = [
      await createProspect({ coach, name: 'A' }),
      await createProspect({ coach, name: 'B' }),
      await createProspect({ coach, name: 'C' }),
    ]
    let expected = ['A', 'B', 'C']
    for (let turn = 0; turn < 40; turn++) {
      const at = turn % 2 ? 0 : 2
      const name = expected[at]!
      await patch(coach, prospects['ABC'.indexOf(name)]!, { position: 1 })
      expected = expected.filter((other) => other !== name)
      expected.splice(1, 0, name)
      expect(await inStage(coach, stageId)).toEqual(expected)
    }
  })

  test('moved by fifty concurrent calls is in one stage, and none is lost', async () => {
    const coach = await createCoach()
    const stages = await listStages(coach)
    const prospects = await Promise.all(
      Array.from({ length: 10 }, (_, index) => createProspect({ coach, name: `P${index}` })),
    )
    const answers = await concurrently(50, (index) =>
      patch(coach, prospects[index % 10]!, { stageId: stages[(index * 3) % 5]!.id, position: index % 4 }),
    )
    expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.status : answer.reason))).toEqual(
      Array.from({ length: 50 }, () => 200),
    )
    const there = await Promise.all(stages.map(({ id }) => inStage(coach, id)))
    expect(there.flat().toSorted()).toEqual(prospects.map(({ name }) => name).toSorted())
  })

  test('is deleted once and restored to its position', async () => {
    const coach = await createCoach()
    const [lead] = await listStages(coach)
    const [a] = [await createProspect({ coach, name: 'A' }), await createProspect({ coach, name: 'B' })]
    expect((await app.call('DELETE', `/api/prospects/${a.id}`, { as: coach })).status).toBe(204)
    expect((await app.call('DELETE', `/api/prospects/${a.id}`, { as: coach })).body.message).toBe('Prospect not found')
    expect((await patch(coach, a, {})).status).toBe(404)
    expect(await inStage(coach, lead!.id)).toEqual(['B'])
    expect((await app.call('POST', `/api/prospects/${a.id}/restore`, { as: coach, body: {} })).body).toEqual(a)
    expect(await inStage(coach, lead!.id)).toEqual(['A', 'B'])
  })

  test('restored after its stage was deleted goes to the first stage', async () => {
    const coach = await createCoach()
    const stage = await createStage({ coach })
    const prospect = await createProspect({ coach, stageId: stage.id })
    await app.call('DELETE', `/api/prospects/${prospect.id}`, { as: coach })
    expect((await app.call('DELETE', `/api/pipeline/stages/${stage.id}`, { as: coach })).status).toBe(204)
    const back = await app.call('POST', `/api/prospects/${prospect.id}/restore`, { as: coach, body: {} })
    expect(back.body.stageId).toBe((await listStages(coach))[0]!.id)
  })

  test('is listed newest first, page by page', async () => {
    const coach = await createCoach()
    for (const name of ['A', 'B', 'C']) await createProspect({ coach, name })
    const first = await app.call('GET', '/api/prospects?limit=2', { as: coach })
    expect(first.body.map(({ name }: ProspectRecord) => name)).toEqual(['C', 'B'])
    const next = /<([^>]+)>/.exec(first.headers.get('link')!)![1]!
    expect((await app.call('GET', next, { as: coach })).body.map(({ name }: ProspectRecord) => name)).toEqual(['A'])
  })

  test('of the list are filtered by name and email', async () => {
    const coach = await createCoach()
    await createProspect({ coach, name: 'Leila Haddad', email: 'leila@example.com' })
    await createProspect({ coach, name: 'Sam Ito', email: 'sam@example.com' })
    const find = async (q: string) => (await app.call('GET', `/api/prospects?q=${q}`, { as: coach })).body
    for (const q of ['haddad', 'LEILA%40'])
      expect((await find(q)).map(({ name }: ProspectRecord) => name)).toEqual(['Leila Haddad'])
    expect(await find('nobody')).toEqual([])
  })
})

describe('a conversion', () => {
  const full = {
    name: 'Leila Haddad',
    email: 'leila@example.com',
    phone: '+1',
    location: 'Beirut',
    profession: 'Founder',
    timezone: 'Asia/Dubai',
    notes: '**N**',
    futureGoals: 'G',
    frustrations: 'F',
    fears: 'E',
    failures: 'P',
  }

  test('copies the contact fields and removes the prospect from the board', async () => {
    const coach = await createCoach()
    const [lead] = await listStages(coach)
    const prospect = await createProspect({ coach, ...full, company: 'Saffron Table', value: 1 })
    const { status, body } = await convert(coach, prospect)

    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['client'])
    expect(ClientOut.strict().parse(body.client)).toMatchObject({
      ...full,
      convertedAt: '2026-03-10T14:00:00.000Z',
      convertedFromProspectId: prospect.id,
      status: 'active',
      totalSpent: 0,
    })
    expect((await convert(coach, prospect)).body).toEqual(body)
    expect(await listProspects(coach)).toEqual([])
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect(
        (
          await app.call(method, `/api/prospects/${prospect.id}`, {
            as: coach,
            ...(method === 'PATCH' ? { body: { name: 'B' } } : {}),
          })
        ).status,
      ).toBe(404)
    expect((await app.call('DELETE', `/api/pipeline/stages/${lead!.id}`, { as: coach })).status).toBe(204)
    expect(
      (await app.call('GET', '/api/activities', { as: coach })).body
        .map(({ type }: { type: string }) => type)
        .toSorted(),
    ).toEqual(['client_added', 'prospect_converted'])
    expect((await app.call('GET', '/api/dashboard/stats', { as: coach })).body).toMatchObject({
      totalClients: 1,
      activeProspects: 0,
    })
  })

  test("checks the email address before the plan's limit", async () => {
    const coach = await createCoach({ plan: 'free' })
    await app.call('POST', '/api/clients', { as: coach, body: { name: 'A', email: 'a@example.com' } })
    const prospect = await createProspect({ coach, email: null })
    expect(await convert(coach, prospect)).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', issues: [{ path: 'email' }] },
    })
    await patch(coach, prospect, { email: 'leila@example.com' })
    expect(await convert(coach, prospect)).toMatchObject({ status: 403, body: { code: 'plan_limit' } })
    expect((await listProspects(coach)).map(({ id }) => id)).toEqual([prospect.id])
  })

  test('is a 404 after its client was deleted, and returns the same client once it is restored', async () => {
    const coach = await createCoach()
    const prospect = await createProspect({ coach })
    const { client } = (await convert(coach, prospect)).body
    await app.call('DELETE', `/api/clients/${client.id}`, { as: coach })
    expect((await convert(coach, prospect)).status).toBe(404)
    await app.call('POST', `/api/clients/${client.id}/restore`, { as: coach, body: {} })
    expect((await convert(coach, prospect)).body.client.id).toBe(client.id)
  })

  test('requested by fifty concurrent calls creates one client', async () => {
    const coach = await createCoach()
    const prospect = await createProspect({ coach })
    const answers = await concurrently(50, () => convert(coach, prospect))
    const ids = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.body.client?.id : answer.reason))
    expect(new Set(ids).size).toBe(1)
    expect((await app.call('GET', '/api/clients', { as: coach })).body).toHaveLength(1)
  })

  test("of fifty prospects concurrently stops at the plan's limit", async () => {
    const coach = await createCoach({ plan: 'pro' })
    const prospects: ProspectRecord[] = []
    for (let index = 0; index < 50; index++)
      prospects.push(await createProspect({ coach, name: `P${index}`, email: `p${index}@example.com` }))
    const answers = await concurrently(50, (index) => convert(coach, prospects[index]!))
    const statuses = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.status : 0)).toSorted()
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), ...Array.from({ length: 40 }, () => 403)])
    expect((await app.call('GET', '/api/clients', { as: coach })).body).toHaveLength(10)
    expect(await listProspects(coach)).toHaveLength(40)
  })
})

test('the search finds the text in notes of prospects, and links to them', async () => {
  const coach = await createCoach()
  const { id } = await createProspect({ coach, name: 'Ravi', notes: 'Wants to buy a **light**house' })
  expect((await app.call('GET', '/api/search?q=lighthouse&in=content', { as: coach })).body).toEqual([
    {
      type: 'prospect',
      id,
      title: 'Ravi',
      subtitle: 'Wants to buy a lighthouse',
      to: `/pipeline?dialog=edit&prospect=${id}`,
    },
  ])
})
