import { beforeEach, describe, expect, test } from 'vitest'
import { getHistory } from '#modules/core/history.ts'
import { eraseRecord, eraseTrash, restoreRecord } from '#modules/core/trash.ts'
import { extensions } from '#modules/registry.ts'
import { dayMs } from '#app/lib/time.ts'
import {
  contextFor,
  createClient,
  createCoach,
  createInteraction,
  createProduct,
  createPurchase,
  inTenant,
  setPlan,
  type Coach,
} from '#tests/support/factories.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'
import { getClient, getClientForEdit } from './queries/clients.ts'
import { listTimelineEntries } from './queries/timeline.ts'
import { changeClients, undoChange } from './services/bulk.ts'
import { archiveClient, deleteClient, restoreClient, updateClient } from './services/clients.ts'
import { followMerges, mergeClients, type FieldSources, type NewMerge } from './services/merge.ts'

const app = createTestApp()
const clientKind = extensions.recordKinds.find(({ kind }) => kind === 'client')!
let coach: Coach
let kept: number
let other: number

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  coach = await createCoach()
  kept = (await createClient({ coach, name: 'Grace Hopper', email: 'grace@example.com' })).id
  other = (await createClient({ coach, name: 'Grace Hopper', email: 'g.hopper@example.com', phone: '+1 555 0100' })).id
})

const merge = (input: Partial<NewMerge> = {}, by = coach) =>
  inTenant(by, (ctx) => mergeClients(ctx, { keptId: kept, mergedId: other, ...input }))
const restore = (id: number) => inTenant(coach, (ctx) => restoreClient(ctx, id))
const load = async (id: number) => getClient(await contextFor(coach), id)
const rows = async (text: string, values: unknown[] = []) =>
  (await contextFor(coach)).query<Record<string, unknown>>({
    name: `test.${text.slice(0, 50)}`,
    text,
    values: [coach.id, ...values],
  })
const owners = (id: number) => rows('select client_id from client_interaction where coach_id = $1 and id = $2', [id])
const outcomes = (results: PromiseSettledResult<unknown>[]) =>
  results.map((result) => (result.status === 'fulfilled' ? 'done' : result.reason.code))

describe('a merge', () => {
  test('moves the records, and puts the other client in the trash', async () => {
    const { id } = await createInteraction({ coach, clientId: other })
    await merge()
    expect(await owners(id)).toEqual([{ client_id: kept }])
    await expect(load(other)).rejects.toMatchObject({ code: 'not_found' })
    expect((await load(kept)).phone).toBeNull()
    expect(await listTimelineEntries(await contextFor(coach), kept, 5)).toContainEqual(
      expect.objectContaining({ title: 'Client merged', text: 'Grace Hopper (g.hopper@example.com)' }),
    )
    for (const [own, with_] of [
      [kept, other],
      [other, kept],
    ] as const)
      expect(
        (await getHistory(await contextFor(coach), clientKind, own)).entries.flatMap(({ changes }) => changes),
      ).toContainEqual(expect.objectContaining({ label: 'Merged with', to: with_ }))
  })

  test('takes each field from the client that is chosen, or both texts and tags', async () => {
    const notes = 'notes' as const
    await inTenant(coach, (ctx) => updateClient(ctx, kept, { [notes]: 'One', goals: 'Run', tags: ['VIP', 'one'] }))
    await inTenant(coach, (ctx) => updateClient(ctx, other, { [notes]: 'Two', goals: 'Run', tags: ['vip', 'two'] }))
    const sources: FieldSources = {
      email: 'merged',
      phone: 'merged',
      notes: 'both',
      goals: 'both',
      tags: 'both',
      fears: 'both',
    }
    await merge({ sources })
    expect(await load(kept)).toMatchObject({
      email: 'g.hopper@example.com',
      phone: '+1 555 0100',
      notes: 'One\n\nTwo',
      goals: 'Run',
      tags: ['VIP', 'one', 'two'],
      fears: null,
    })
  })

  test('refuses values that are too long together, and changes nothing', async () => {
    for (const id of [kept, other])
      await inTenant(coach, (ctx) => updateClient(ctx, id, { notes: `${id}`.repeat(30_000).slice(0, 30_000) }))
    await expect(merge({ sources: { notes: 'both' } })).rejects.toMatchObject({
      code: 'validation_failed',
      issues: [{ path: 'notes' }],
    })
    expect(await rows('select id from client_merge where coach_id = $1')).toEqual([])
    await expect(merge({ mergedId: kept })).rejects.toMatchObject({ code: 'validation_failed' })
  })

  test('reaches no client of another practice', async () => {
    const bea = await createCoach()
    const theirs = (await createClient({ coach: bea })).id
    for (const ids of [{ mergedId: theirs }, { keptId: theirs }])
      await expect(merge(ids)).rejects.toMatchObject({ code: 'not_found' })
    await expect(merge({}, bea)).rejects.toMatchObject({ code: 'not_found' })
    expect((await getClientForEdit(await contextFor(bea), theirs)).version).toBe(1)
  })

  test('refuses to hide a client in one who is archived', async () => {
    await inTenant(coach, (ctx) => archiveClient(ctx, kept))
    await expect(merge()).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('archived') })
    await merge({ keptId: other, mergedId: kept })
  })

  test('refuses read-only clients', async () => {
    await setPlan(coach, 'free')
    await inTenant(coach, (ctx) => archiveClient(ctx, other))
    for (let count = 1; count < 5; count++) await createClient({ coach }).catch(() => null)
    await expect(merge()).rejects.toMatchObject({ code: 'plan_limit' })
  })
})

describe('clients that are being edited', () => {
  test('are not merged by a form that has shown another version', async () => {
    const { version } = await getClientForEdit(await contextFor(coach), other)
    await inTenant(coach, (ctx) => updateClient(ctx, other, { phone: '+1 555 0199' }))
    await expect(merge({ keptVersion: 1, mergedVersion: version })).rejects.toMatchObject({
      code: 'conflict',
      message: 'Grace Hopper was changed in another tab. Check the values below, then merge again.',
    })
    await expect(merge({ keptVersion: 7 })).rejects.toMatchObject({ code: 'conflict' })
    await merge({ keptVersion: 1, mergedVersion: version + 1 })
    // The edit form of the one who was kept is out of date, that of the other one has no client any more.
    await expect(inTenant(coach, (ctx) => updateClient(ctx, kept, { phone: '1' }, 1))).rejects.toMatchObject({
      code: 'conflict',
    })
    await expect(inTenant(coach, (ctx) => updateClient(ctx, other, { phone: '1' }))).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('lose no edit: it is in the merge, or it is refused', async () => {
    const results = await concurrently(20, (index) =>
      index === 10
        ? merge({ sources: { phone: 'merged' } })
        : inTenant(coach, (ctx) => updateClient(ctx, other, { phone: `+1 555 ${index}` })),
    )
    expect(outcomes([results[10]!])).toEqual(['done'])
    const saved = (await getClientForEdit(await contextFor(coach), kept)).phone
    const edits = outcomes(results).filter((_, index) => index !== 10)
    expect(edits.every((one) => ['done', 'not_found'].includes(one))).toBe(true)
    const [{ phone }] = (await rows('select phone from client where coach_id = $1 and id = $2', [other])) as [
      { phone: string },
    ]
    expect(saved).toBe(phone)
  })
})

describe('at the same time', () => {
  test('fifty equal merges are one', async () => {
    await createInteraction({ coach, clientId: other })
    const results = await concurrently(50, () => merge())
    expect(new Set(outcomes(results))).toEqual(new Set(['done']))
    expect(await rows('select id from client_merge where coach_id = $1')).toHaveLength(1)
    expect((await getClientForEdit(await contextFor(coach), kept)).version).toBe(2)
  })

  test('two merges that cross leave one client', async () => {
    for (const id of [kept, other]) await createInteraction({ coach, clientId: id })
    const results = await concurrently(10, (index) => (index % 2 ? merge() : merge({ keptId: other, mergedId: kept })))
    expect(outcomes(results).toSorted()).toEqual([...Array(5).fill('done'), ...Array(5).fill('not_found')])
    const current = await rows('select id from client where coach_id = $1 and deleted_at is null')
    expect(current).toHaveLength(1)
    expect(await rows('select distinct client_id as id from client_interaction where coach_id = $1')).toEqual(current)
  })

  test('a ring of merges leaves one client with all records', async () => {
    const third = (await createClient({ coach })).id
    for (const id of [kept, other, third]) await createInteraction({ coach, clientId: id })
    const ring = [
      [kept, other],
      [other, third],
      [third, kept],
    ] as const
    await concurrently(30, (index) => merge({ keptId: ring[index % 3]![0], mergedId: ring[index % 3]![1] }))
    await followMerges(app.platform)
    const current = await rows('select id from client where coach_id = $1 and deleted_at is null')
    expect(current).toHaveLength(1)
    expect(await rows('select distinct client_id as id from client_interaction where coach_id = $1')).toEqual(current)
  })

  test('merges and undos leave every record with a client, and each merge in one state', async () => {
    const { id } = await createInteraction({ coach, clientId: other })
    await concurrently(30, (index) => (index % 2 ? merge() : restore(other)))
    await followMerges(app.platform)
    const [{ active }] = (await rows(
      'select count(*)::int as active from client_merge where coach_id = $1 and undone_at is null',
    )) as [{ active: number }]
    const isMerged = (await load(other).catch(() => null)) === null
    expect(active).toBe(isMerged ? 1 : 0)
    expect(await owners(id)).toEqual([{ client_id: isMerged ? kept : other }])
  })

  test('what is added while clients are merged is with the one who is kept', async () => {
    const results = await concurrently(20, (index) =>
      index === 5 ? merge() : createInteraction({ coach, clientId: other }),
    )
    // As a payment that began before: it knows the client's id, and asks no more.
    await inTenant(coach, (ctx) =>
      ctx.query({
        name: 'test.late',
        text: `insert into client_interaction (coach_id, client_id, name, interaction_date, created_at, updated_at)
          values ($1, $2, 'Late', now(), now(), now())`,
        values: [coach.id, other],
      }),
    )
    await followMerges(app.platform)
    const added = outcomes(results).filter((one) => one === 'done').length
    const byClient = 'select client_id as id, count(*)::int as n from client_interaction where coach_id = $1 group by 1'
    expect(await rows(byClient)).toEqual([{ id: kept, n: added }])
    await restore(other)
    expect(await rows(byClient)).toEqual([{ id: other, n: added }])
  })
})

describe('the undo', () => {
  test('gives back what was moved and not changed since, and is done once', async () => {
    const ids = [
      await createInteraction({ coach, clientId: other }),
      await createInteraction({ coach, clientId: kept }),
    ]
    await merge({ sources: { email: 'merged', phone: 'merged' } })
    const later = await createInteraction({ coach, clientId: kept })
    await inTenant(coach, (ctx) => updateClient(ctx, kept, { phone: '+1 555 0142' }))
    expect(outcomes(await concurrently(10, () => restore(other)))).toEqual(Array(10).fill('done'))
    expect(await Promise.all([...ids, later].map(({ id }) => owners(id)))).toEqual(
      [other, kept, kept].map((client_id) => [{ client_id }]),
    )
    expect(await load(kept)).toMatchObject({ email: 'grace@example.com', phone: '+1 555 0142' })
    expect(await load(other)).toMatchObject({ email: 'g.hopper@example.com', phone: '+1 555 0100' })
    expect((await listTimelineEntries(await contextFor(coach), kept, 5)).map(({ title }) => title)).toContain(
      'Merge undone',
    )
    // And they can be merged again.
    await merge()
  })

  test('of a chain goes backwards, and waits for the client who was kept', async () => {
    const third = (await createClient({ coach, name: 'Third' })).id
    const { id } = await createInteraction({ coach, clientId: other })
    await merge()
    await merge({ keptId: third, mergedId: kept })
    await expect(restore(other)).rejects.toMatchObject({
      code: 'conflict',
      message:
        'Grace Hopper was merged into Grace Hopper (grace@example.com), who is in the trash. Restore them first.',
    })
    await inTenant(coach, (ctx) => restoreRecord(ctx, clientKind, kept))
    expect(await owners(id)).toEqual([{ client_id: kept }])
    await restore(other)
    expect(await owners(id)).toEqual([{ client_id: other }])
  })

  test('of the first of two brings nothing of it back with the second', async () => {
    const third = (await createClient({ coach, name: 'G. Hopper', email: 'third@example.com' })).id
    for (const [id, text] of [
      [kept, 'k'],
      [other, 'a'],
      [third, 'b'],
    ] as const)
      await inTenant(coach, (ctx) => updateClient(ctx, id, { notes: text }))
    const sources: FieldSources = { email: 'merged', notes: 'both' }
    await merge({ sources })
    await merge({ mergedId: third, sources })
    await restore(other)
    expect(await load(kept)).toMatchObject({ email: 'third@example.com', notes: 'k\n\na\n\nb' })
    await restore(third)
    expect(await load(kept)).toMatchObject({ email: 'grace@example.com', notes: 'k' })
  })

  test('is refused once money was booked for what goes back', async () => {
    const { id: productId } = await createProduct({ coach })
    const purchase = await createPurchase({ coach, clientId: other, productId, status: 'pending' })
    await merge()
    const lines = [{ description: 'Session', quantity: '1', unitPrice: '150.00' }]
    const invoice = { clientId: kept, description: 'Session', lines, purchaseIds: [purchase.id] }
    expect(await app.call('POST', '/api/invoices', { as: coach, body: invoice })).toMatchObject({ status: 201 })
    await expect(restore(other)).rejects.toMatchObject({ code: 'conflict' })
    expect(await rows('select undone_at from client_merge where coach_id = $1')).toEqual([{ undone_at: null }])
  })

  test('needs room in the plan, and leaves the merge as it is without', async () => {
    const { id } = await createInteraction({ coach, clientId: other })
    await merge()
    await setPlan(coach, 'free')
    for (let count = 0; count < 5; count++) await createClient({ coach }).catch(() => null)
    await expect(restore(other)).rejects.toMatchObject({ code: 'plan_limit' })
    expect(await owners(id)).toEqual([{ client_id: kept }])
  })

  test('of an earlier change of many leaves a merged client in the trash', async () => {
    const change = await inTenant(coach, (ctx) =>
      changeClients(ctx, { show: 'current', ids: [other] }, { action: 'delete' }),
    )
    await restore(other)
    const { id } = await createInteraction({ coach, clientId: other })
    // In the same millisecond as that change.
    await merge()
    await inTenant(coach, (ctx) => undoChange(ctx, change.id!))
    await expect(load(other)).rejects.toMatchObject({ code: 'not_found' })
    expect(await owners(id)).toEqual([{ client_id: kept }])
  })
})

describe('erasing', () => {
  test('the client who was kept erases those who were merged into it', async () => {
    const third = (await createClient({ coach })).id
    await merge()
    await merge({ keptId: third, mergedId: kept })
    await inTenant(coach, (ctx) => deleteClient(ctx, third))
    await inTenant(coach, (ctx) => eraseRecord(ctx, clientKind, third))
    expect(await rows('select id from client where coach_id = $1')).toEqual([])
    expect(await rows('select id from client_merge where coach_id = $1')).toEqual([])
    expect(await rows(`select id from history where coach_id = $1 and kind = 'client'`)).toEqual([])
  })

  test('the merged client leaves the records, and nothing to undo with', async () => {
    const { id } = await createInteraction({ coach, clientId: other })
    await merge({ sources: { email: 'merged' } })
    app.clock.now = new Date(app.clock.now.getTime() + 30 * dayMs)
    await eraseTrash(app.platform)
    await expect(restore(other)).rejects.toMatchObject({ code: 'not_found' })
    expect(await owners(id)).toEqual([{ client_id: kept }])
    expect(await rows('select merged_id, moved, fields from client_merge where coach_id = $1')).toEqual([
      { merged_id: null, moved: {}, fields: {} },
    ])
  })

  test('both at once, when both have been in the trash for 30 days, works', async () => {
    await merge()
    await inTenant(coach, (ctx) => deleteClient(ctx, kept))
    app.clock.now = new Date(app.clock.now.getTime() + 30 * dayMs)
    await eraseTrash(app.platform)
    expect(await rows('select id from client where coach_id = $1')).toEqual([])
  })
})
