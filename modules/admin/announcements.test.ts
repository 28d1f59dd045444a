import { beforeEach, describe, expect, test } from 'vitest'
import { clientContext } from '#tenants/context.ts'
import { runForCoach } from '#tests/support/as-db-owner.ts'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'
import { AnnouncementEdit, NewAnnouncement } from './forms.ts'
import { listAnnouncements, listCurrentAnnouncements } from './queries/announcements.ts'
import {
  createAnnouncement,
  deleteAnnouncement,
  dismissAnnouncement,
  updateAnnouncement,
} from './services/announcements.ts'

const app = createTestApp()
const input = {
  title: 'Maintenance on Sunday',
  body: 'We are back at noon.',
  from: '2026-03-10',
  until: '2026-03-11',
  plans: ['free', 'pro', 'premium'],
}
let admin: Coach
let coach: Coach
beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  admin = await createCoach({ isAdmin: true })
  coach = await createCoach({ plan: 'pro' })
  for (const { id } of await listAll()) await inTenant(admin, (ctx) => deleteAnnouncement(ctx, id))
})

const listAll = async () => listAnnouncements(await contextFor(admin))
async function announce(changes: Partial<typeof input> = {}): Promise<number> {
  await inTenant(admin, (ctx) => createAnnouncement(ctx, NewAnnouncement.parse({ ...input, ...changes })))
  return (await listAll())[0]!.id
}
const shown = async (to = coach) => (await listCurrentAnnouncements(await contextFor(to))).map(({ title }) => title)
const dismiss = (id: number, by = coach) => inTenant(by, (ctx) => dismissAnnouncement(ctx, id))

describe('an announcement', () => {
  test('is shown on its days, those of the administrator’s time zone', async () => {
    await announce()
    for (const [now, isShown] of [
      ['2026-03-10T03:59:59.999Z', false],
      ['2026-03-10T04:00:00Z', true],
      ['2026-03-12T03:59:59.999Z', true],
      ['2026-03-12T04:00:00Z', false],
    ] as const) {
      app.clock.now = new Date(now)
      expect([now, await shown()]).toEqual([now, isShown ? [input.title] : []])
    }
  })

  test('is shown to coaches of its plans alone', async () => {
    await announce({ plans: ['free', 'premium'] })
    expect(await shown()).toEqual([])
    expect(await shown(await createCoach({ plan: 'free' }))).toEqual([input.title])
  })

  test('is dismissed by each coach alone, also twice at once, and never one that is not there', async () => {
    const id = await announce()
    const results = await concurrently(4, () => dismiss(id))
    expect(results.map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'))
    expect([await shown(), await shown(admin)]).toEqual([[], [input.title]])
    await expect(dismiss(8_999_999)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is refused without text, plan or an order of its days', () => {
    const reject = (changes: object) => {
      const { error } = AnnouncementEdit.safeParse({ ...input, id: '1', version: '1', ...changes })
      return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    }
    expect(reject({})).toBeUndefined()
    expect(reject({ title: ' ' })).toEqual(['title: Title is required'])
    expect(reject({ body: ' \n' })).toEqual(['body: Text is required'])
    expect(reject({ plans: ['', 'gold'] })).toEqual(['plans: Choose at least one plan'])
    expect(reject({ until: '2026-03-09' })).toEqual(['until: Choose the first day or a later one'])
  })

  test('is changed by one of two administrators at a time, and each step is in the audit log', async () => {
    const id = await announce()
    const edit = (title: string) =>
      inTenant(admin, (ctx) => updateAnnouncement(ctx, id, NewAnnouncement.parse({ ...input, title }), 1))
    const results = await concurrently(2, (index) => edit(`Version ${index}`))
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await inTenant(admin, (ctx) => deleteAnnouncement(ctx, id))
    await expect(inTenant(admin, (ctx) => deleteAnnouncement(ctx, id))).rejects.toMatchObject({ code: 'not_found' })
    const log = (await app.call('GET', '/api/admin/audit-log', { as: admin })).body
    expect(log.slice(0, 3).map(({ action }: { action: string }) => action)).toEqual([
      'announcement_deleted',
      'announcement_changed',
      'announcement_added',
    ])
  })

  test('is written by administrators alone, also in the database', async () => {
    await expect(inTenant(coach, (ctx) => createAnnouncement(ctx, NewAnnouncement.parse(input)))).rejects.toMatchObject(
      { code: 'forbidden' },
    )
    const text = `insert into announcement (title, body, starts_at, ends_at, plans, version, created_at)
      values ('x', 'x', now(), now() + interval '1 day', '{free}', 1, now())`
    await expect(inTenant(coach, (tx) => tx.query({ name: 'test.announce', text }))).rejects.toMatchObject({
      code: '42501',
    })
  })

  test('is never shown to a client', async () => {
    await announce()
    const { id } = await createClient({ coach })
    const ctx = await contextFor(coach)
    const client = { id, name: 'Ada', email: 'ada@example.com', timezone: 'UTC' }
    const portal = clientContext(app.platform, ctx.account, { requestId: 'test' }, client)
    await expect(listCurrentAnnouncements(portal)).rejects.toMatchObject({ code: 'forbidden' })
    const all = { name: 'test.announcements', text: 'select id from announcement' }
    expect([(await portal.query(all)).length, (await ctx.query(all)).length]).toEqual([0, 1])
  })
})

test('what coaches have dismissed is theirs alone', async () => {
  await dismiss(await announce())
  const count = 'select count(*)::int as count from announcement_dismissal'
  expect((await runForCoach(app.ownerUrl, coach.id, count)).rows).toEqual([{ count: 1 }])
  expect((await runForCoach(app.ownerUrl, admin.id, count)).rows).toEqual([{ count: 0 }])
})
