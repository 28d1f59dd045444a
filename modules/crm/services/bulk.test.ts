import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node'
import { describe, expect, test, vi } from 'vitest'
import { dayMs } from '#app/lib/time.ts'
import { insertRows } from '#db/insert-rows.ts'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'
import { setPlan } from '#tenants/accounts/protected-columns.ts'
import { writeAsTenant } from '#tenants/context.ts'
import { deleteOldImports } from '../jobs.ts'
import { clientsUrl } from '../list-state.ts'
import { listActivities } from '../queries/activities.ts'
import { getClientList } from '../queries/list.ts'
import { action } from '../routes/clients.tsx'
import { changeClients, undoChange, type BulkChange } from './bulk.ts'
import { archiveClient, unarchiveClient, updateClient } from './clients.ts'
import { lockAccount } from './plan-limit.ts'

const app = createTestApp()
const everyone = { show: 'current', filters: { q: '', status: null, tag: '', filters: [] } } as const
const change = (coach: Coach, target: Parameters<typeof changeClients>[1], what: BulkChange) =>
  inTenant(coach, (ctx) => {
    // As in operation, time passes during the change.
    let time = ctx.now().getTime()
    return changeClients({ ...ctx, now: () => new Date(time++) }, target, what)
  })
const undo = (coach: Coach, id: number | null) => inTenant(coach, (ctx) => undoChange(ctx, id!))
const list = async (coach: Coach, query = '') => {
  const { rows } = await getClientList(
    await contextFor(coach),
    clientsUrl.parse(`http://localhost/clients?sort=name&${query}`),
  )
  return rows.map(({ name, status, tags }) => [name, status, ...tags].join(' '))
}
async function createThree(coach: Coach) {
  const ada = await createClient({ coach, name: 'Ada', tags: ['VIP'] })
  const grace = await createClient({ coach, name: 'Grace', status: 'pending' })
  const mary = await createClient({ coach, name: 'Mary', tags: ['x', 'Vip', 'y'], status: 'completed' })
  return [ada.id, grace.id, mary.id] as const
}
const before = ['Ada active VIP', 'Grace pending', 'Mary completed x Vip y']

test('the form changes all clients that are checked, and no other', async () => {
  const coach = await createCoach()
  const [ada, grace] = await createThree(coach)
  const ctx = await contextFor(coach)
  const body = new URLSearchParams({ intent: 'bulk', url: '/clients', action: 'status-inactive', tag: '' })
  for (const id of [ada, grace]) body.append('ids', String(id))
  const request = new Request('http://localhost/clients', { method: 'POST', body })
  const cookies = { toast: (message: object) => encodeURIComponent(JSON.stringify(message)) }
  const context = { account: ctx.account, coach: () => ctx, write: ctx.write, cookies } as unknown as AppLoadContext
  const response = (await action({ request, params: {}, context } as ActionFunctionArgs)) as Response
  expect(decodeURIComponent(response.headers.get('Set-Cookie')!)).toContain('2 clients: ')
  expect(await list(coach)).toEqual(['Ada inactive VIP', 'Grace inactive', 'Mary completed x Vip y'])
})

describe('a change of many clients, and its undo', () => {
  test.each<[BulkChange, number, string[], string[]]>([
    [{ action: 'add-tag', tag: 'vip' }, 1, ['Ada active VIP', 'Grace pending vip', 'Mary completed x Vip y'], before],
    [
      { action: 'remove-tag', tag: 'vip' },
      2,
      ['Ada active', 'Grace pending', 'Mary completed x y'],
      ['Ada active VIP', 'Grace pending', 'Mary completed x y Vip'],
    ],
    [{ action: 'status', status: 'active' }, 2, ['Ada active VIP', 'Grace active', 'Mary active x Vip y'], before],
    [{ action: 'archive' }, 3, [], before],
    [{ action: 'delete' }, 3, [], before],
  ])('%j', async (what, changed, after, undone) => {
    const coach = await createCoach()
    await createThree(coach)
    const result = await change(coach, everyone, what)
    expect(result.changed).toBe(changed)
    expect(await list(coach)).toEqual(after)
    expect(await undo(coach, result.id)).toBe(changed)
    expect(await list(coach)).toEqual(undone)
    expect(await undo(coach, result.id)).toBe(0)
  })

  test('from the archive and back', async () => {
    const coach = await createCoach()
    const ids = await createThree(coach)
    await change(coach, everyone, { action: 'archive' })
    const result = await change(coach, { show: 'archive', ids: [...ids] }, { action: 'unarchive' })
    expect(await list(coach)).toEqual(before)
    await undo(coach, result.id)
    expect(await list(coach, 'show=archive')).toEqual(before)
  })

  test('of those chosen or of those that match, and of nobody else', async () => {
    const [coach, other] = [await createCoach(), await createCoach()]
    const [ada, grace] = await createThree(coach)
    const theirs = await createThree(other)
    await change(coach, { show: 'current', ids: [ada, ...theirs] }, { action: 'add-tag', tag: 'chosen' })
    const filters = { ...everyone.filters, tag: 'VIP' }
    await change(coach, { show: 'current', filters }, { action: 'status', status: 'inactive' })
    expect(await list(coach)).toEqual(['Ada inactive VIP chosen', 'Grace pending', 'Mary inactive x Vip y'])
    expect(await list(other)).toEqual(before)
    await expect(change(other, { show: 'current', ids: [grace] }, { action: 'delete' })).rejects.toMatchObject({
      code: 'not_found',
    })
    const { id } = await change(other, everyone, { action: 'archive' })
    await expect(undo(coach, id)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('leaves alone what was changed since', async () => {
    const coach = await createCoach()
    const [ada, grace] = await createThree(coach)
    const status = await change(coach, everyone, { action: 'status', status: 'inactive' })
    await inTenant(coach, (ctx) => updateClient(ctx, ada, { status: 'completed' }))
    expect(await undo(coach, status.id)).toBe(2)
    expect(await list(coach)).toEqual(['Ada completed VIP', 'Grace pending', 'Mary completed x Vip y'])
    const archived = await change(coach, { show: 'current', ids: [ada, grace] }, { action: 'archive' })
    app.clock.now = new Date(app.clock.now.getTime() + 1000)
    await change(coach, { show: 'archive', ids: [ada] }, { action: 'unarchive' })
    await inTenant(coach, (ctx) => archiveClient(ctx, ada))
    expect(await undo(coach, archived.id)).toBe(1)
    expect(await list(coach, 'show=archive')).toEqual(['Ada completed VIP'])
  })

  test('is a new version, so an open form shows it as a conflict', async () => {
    const coach = await createCoach()
    const [ada] = await createThree(coach)
    await change(coach, { show: 'current', ids: [ada] }, { action: 'add-tag', tag: 'new' })
    await expect(inTenant(coach, (ctx) => updateClient(ctx, ada, { phone: '1' }, 1))).rejects.toMatchObject({
      code: 'conflict',
    })
  })

  test('is one activity', async () => {
    const coach = await createCoach()
    await createThree(coach)
    await change(coach, everyone, { action: 'status', status: 'completed' })
    expect((await listActivities(await contextFor(coach), { rows: null }))[0]).toMatchObject({
      type: 'client_status_changed',
      description: '2 clients: Completed',
      clientId: null,
    })
  })

  test('can’t be undone after 30 days', async () => {
    const coach = await createCoach()
    await createThree(coach)
    const { id } = await change(coach, everyone, { action: 'add-tag', tag: 'new' })
    app.clock.now = new Date(app.clock.now.getTime() + 31 * dayMs)
    await deleteOldImports(app.platform)
    await expect(undo(coach, id)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('the limits', () => {
  test('twenty tags are not exceeded by anybody', async () => {
    const coach = await createCoach()
    await createThree(coach)
    await createClient({ coach, name: 'Full', tags: Array.from({ length: 20 }, (_, n) => `tag ${n}`) })
    await expect(change(coach, everyone, { action: 'add-tag', tag: 'more' })).rejects.toMatchObject({
      code: 'validation_failed',
    })
    expect((await list(coach, 'tag=more')).length).toBe(0)
  })

  test('of the plan hold for clients that come back, also for twenty at once', async () => {
    const [coach, admin] = [await createCoach(), await createCoach({ isAdmin: true })]
    for (let n = 0; n < 6; n++) await createClient({ coach, name: `Client ${n}`, email: `c${n}@example.com` })
    const { id } = await change(coach, everyone, { action: 'archive' })
    for (let n = 0; n < 6; n++) await createClient({ coach, name: `Later ${n}`, email: `l${n}@example.com` })
    await inTenant(admin, (ctx) => writeAsTenant(ctx, coach.id, (tx) => setPlan(tx, 'pro', app.clock.now)))
    await expect(undo(coach, id)).rejects.toMatchObject({ code: 'plan_limit' })
    const archived = await getClientList(
      await contextFor(coach),
      clientsUrl.parse('http://localhost/clients?show=archive'),
    )
    const ids = archived.rows.map((row) => row.id)
    await expect(change(coach, { show: 'archive', ids }, { action: 'unarchive' })).rejects.toMatchObject({
      code: 'plan_limit',
    })
    const all = await concurrently(20, (n) =>
      change(coach, { show: 'archive', ids: [ids[n % 6]!] }, { action: 'unarchive' }),
    )
    expect(all.filter(({ status }) => status === 'fulfilled').length).toBe(4)
    expect(await list(coach)).toHaveLength(10)
    // The plan is full, so those in the archive are read-only.
    const rest = { ...everyone, show: 'archive' } as const
    await expect(change(coach, rest, { action: 'add-tag', tag: 'x' })).rejects.toMatchObject({ code: 'plan_limit' })
    expect((await change(coach, rest, { action: 'delete' })).changed).toBe(2)
  })

  test('of the plan are checked in turn: unarchiving one client and many at the same time is no deadlock', async () => {
    const coach = await createCoach()
    const { id } = await createClient({ coach })
    await inTenant(coach, (ctx) => archiveClient(ctx, id))
    const reader = await contextFor(coach)
    let one: Promise<unknown> | undefined
    const many = await inTenant(coach, async (ctx) => {
      await lockAccount(ctx)
      one = inTenant(coach, (other) => unarchiveClient(other, id))
      one.catch(() => {})
      const text = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await vi.waitFor(async () => expect(await reader.query({ text })).toHaveLength(1), 10_000)
      return changeClients(ctx, { show: 'archive', ids: [id] }, { action: 'unarchive' })
    })
    expect([many.changed, await one]).toEqual([1, expect.objectContaining({ id, archivedAt: null })])
  })

  test('five thousand clients are changed and restored with a bounded number of statements', async () => {
    const coach = await createCoach()
    const row = { coach_id: coach.id, email: 'a@example.com', created_at: app.clock.now, updated_at: app.clock.now }
    const rows = Array.from({ length: 5000 }, (_, n) => ({ ...row, name: `Client ${n}` }))
    await inTenant(coach, (ctx) => ctx.query(insertRows('client', rows)))
    let statements = 0
    const counting = <T>(work: (ctx: Parameters<Parameters<typeof inTenant<T>>[1]>[0]) => Promise<T>) =>
      inTenant(coach, (ctx) =>
        work({
          ...ctx,
          query: (query) => {
            statements++
            return ctx.query(query)
          },
        }),
      )
    const { id, changed } = await counting((ctx) => changeClients(ctx, everyone, { action: 'add-tag', tag: 'all' }))
    expect([changed, await counting((ctx) => undoChange(ctx, id!))]).toEqual([5000, 5000])
    expect(statements).toBeLessThan(20)
  })
})
