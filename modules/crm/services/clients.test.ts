import { dayMs } from '#app/lib/time.ts'
import { describe, expect, test } from 'vitest'
import { eraseTrash } from '#modules/core/trash.ts'
import type { OnboardingStep } from '#modules/core/manifest.ts'
import { search } from '#modules/core/search.ts'
import { fillSlot } from '#modules/core/slots.ts'
import { createCoach, inTenant, contextFor, type Coach, createClient } from '#tests/support/factories.ts'
import { createTestApp, concurrently } from '#tests/support/test-app.ts'
import { setPlan } from '#tenants/accounts/protected-columns.ts'
import { writeAsTenant } from '#tenants/context.ts'
import { ClientEdit, NewClient } from '../forms.ts'
import { listActivities } from '../queries/activities.ts'
import { getClient, listClients } from '../queries/clients.ts'
import { countClients } from '../queries/counts.ts'
import * as clients from './clients.ts'
import { archiveClient, deleteClient, updateClient, restoreClient, unarchiveClient } from './clients.ts'

const app = createTestApp()
const edit = (of: Coach, id: number, fields: Record<string, unknown>, seen?: number) =>
  inTenant(of, (ctx) => updateClient(ctx, id, ClientEdit.parse(fields), seen))
const count = async (of: Coach) => countClients(await contextFor(of))
const activities = async (of: Coach) => listActivities(await contextFor(of), { rows: null })
const fulfilled = (all: PromiseSettledResult<unknown>[]) => all.filter((one) => one.status === 'fulfilled').length

test('a client is created together with its activity', async () => {
  const coach = await createCoach()
  const client = await createClient({ coach, goals: 'Write the first program' })
  expect(client).toMatchObject({
    coachId: coach.id,
    name: 'Ada Lovelace',
    status: 'active',
    progress: 0,
    totalSpent: 0,
    createdAt: app.clock.now.toISOString(),
  })
  expect(await getClient(await contextFor(coach), client.id)).toEqual(client)
  expect(await activities(coach)).toMatchObject([
    { type: 'client_added', title: 'Client added', description: 'Ada Lovelace', clientId: client.id },
  ])
})

describe('the limit of the plan', () => {
  test.each([
    ['free', 1],
    ['pro', 10],
  ] as const)('%s accepts exactly %i of fifty concurrent clients', async (plan, limit) => {
    const coach = await createCoach({ plan })
    const all = await concurrently(50, (n) => createClient({ coach, name: `Client ${n}` }))
    expect(fulfilled(all)).toBe(limit)
    expect(all.filter((one) => one.status === 'rejected').every(({ reason }) => reason.code === 'plan_limit')).toBe(
      true,
    )
    expect(await count(coach)).toBe(limit)
    expect(await activities(coach)).toHaveLength(limit)
  })

  test('is read at commit: fifty concurrent clients do not exceed a plan that is lowered in the meantime', async () => {
    const [coach, admin] = [await createCoach({ plan: 'premium' }), await createCoach({ isAdmin: true })]
    // They all start under the unlimited plan.
    const ctx = await contextFor(coach)
    let lowered = Infinity
    const all = await concurrently(50, async (n) => {
      if (n === 20) {
        await inTenant(admin, (own) =>
          writeAsTenant(own, coach.id, async (tx) => {
            await setPlan(tx, 'pro', own.now())
            lowered = await countClients({ ...own, ...tx, coachId: coach.id })
          }),
        )
        return
      }
      await ctx.write((tx) =>
        clients.createClient(tx, NewClient.parse({ name: `Client ${n}`, email: 'ada@example.com' })),
      )
    })
    expect(await count(coach)).toBe(Math.max(10, lowered))
    for (const one of all)
      if (one.status === 'rejected')
        expect(one.reason).toMatchObject({
          code: 'plan_limit',
          message: expect.stringContaining('Your Pro plan includes 10 clients.'),
        })
    await expect(
      ctx.write((tx) => clients.createClient(tx, NewClient.parse({ name: 'One more', email: 'ada@example.com' }))),
    ).rejects.toMatchObject({ code: 'plan_limit' })
  })

  test('premium accepts all fifty', async () => {
    const coach = await createCoach({ plan: 'premium' })
    expect(fulfilled(await concurrently(50, () => createClient({ coach })))).toBe(50)
  })

  test('holds when clients are unarchived, restored and created concurrently', async () => {
    const coach = await createCoach({ plan: 'pro' })
    const archived: { id: number }[] = []
    const deleted: { id: number }[] = []
    for (let n = 0; n < 6; n++) {
      const one = await createClient({ coach })
      archived.push(await inTenant(coach, (ctx) => archiveClient(ctx, one.id)))
      const other = await createClient({ coach })
      await inTenant(coach, (ctx) => deleteClient(ctx, other.id))
      deleted.push(other)
    }
    const all = await concurrently(18, (n) => {
      if (n % 3 === 0) return createClient({ coach })
      const id = (n % 3 === 1 ? archived : deleted)[Math.floor(n / 3)]!.id
      return inTenant(coach, (ctx) => (n % 3 === 1 ? unarchiveClient(ctx, id) : restoreClient(ctx, id)))
    })
    expect(fulfilled(all)).toBe(10)
    expect(await count(coach)).toBe(10)
  })

  test('archived and deleted clients do not count', async () => {
    const coach = await createCoach({ plan: 'free' })
    const first = await createClient({ coach })
    await inTenant(coach, (ctx) => archiveClient(ctx, first.id))
    const second = await createClient({ coach })
    await expect(inTenant(coach, (ctx) => unarchiveClient(ctx, first.id))).rejects.toMatchObject({ code: 'plan_limit' })
    await inTenant(coach, (ctx) => deleteClient(ctx, second.id))
    await inTenant(coach, (ctx) => unarchiveClient(ctx, first.id))
    await expect(inTenant(coach, (ctx) => restoreClient(ctx, second.id))).rejects.toThrow(
      'Your Free plan includes 1 client.',
    )
  })

  test('a client deleted while archived is restored as archived, without counting', async () => {
    const coach = await createCoach({ plan: 'free' })
    const client = await createClient({ coach })
    await inTenant(coach, (ctx) => archiveClient(ctx, client.id))
    await inTenant(coach, (ctx) => deleteClient(ctx, client.id))
    await createClient({ coach })
    expect(await inTenant(coach, (ctx) => restoreClient(ctx, client.id))).toMatchObject({
      id: client.id,
      archivedAt: expect.any(String),
    })
  })
})

test('the first steps show only until a first client was created, even if it is archived or deleted', async () => {
  const coach = await createCoach()
  const isNew = async () =>
    (await fillSlot(await contextFor(coach), 'dashboard.step')).some(
      ({ data }) => (data as OnboardingStep).endsOnboarding && !(data as OnboardingStep).done,
    )
  expect(await isNew()).toBe(true)
  const client = await createClient({ coach })
  expect(await isNew()).toBe(false)
  await inTenant(coach, (ctx) => archiveClient(ctx, client.id))
  expect(await isNew()).toBe(false)
  await inTenant(coach, (ctx) => deleteClient(ctx, client.id))
  expect(await isNew()).toBe(false)
})

describe('an edit', () => {
  test('updates the given fields only', async () => {
    const coach = await createCoach()
    const client = await createClient({ coach, phone: '+1 416 555 0142', goals: 'a' })
    app.clock.now = new Date(app.clock.now.getTime() + 60_000)
    const changed = await edit(coach, client.id, { phone: '', progress: 40 })
    expect(changed).toEqual({ ...client, phone: null, progress: 40, updatedAt: app.clock.now.toISOString() })
    expect(await getClient(await contextFor(coach), client.id)).toEqual(changed)
  })

  test('without fields changes nothing, not even the updated time', async () => {
    const coach = await createCoach()
    const client = await createClient({ coach })
    app.clock.now = new Date(app.clock.now.getTime() + 60_000)
    expect(await edit(coach, client.id, {})).toEqual(client)
    expect(await edit(coach, client.id, { name: client.name, phone: null })).toEqual(client)
  })

  test('from a stale tab is rejected and changes nothing', async () => {
    const coach = await createCoach()
    const client = await createClient({ coach })
    await edit(coach, client.id, { phone: '1' }, 1)
    await expect(edit(coach, client.id, { phone: '2' }, 1)).rejects.toMatchObject({ code: 'conflict' })
    expect(await edit(coach, client.id, { phone: '3' }, 2)).toMatchObject({ phone: '3' })
  })

  test('from ten concurrent tabs succeeds once', async () => {
    const coach = await createCoach()
    const client = await createClient({ coach })
    expect(fulfilled(await concurrently(10, (n) => edit(coach, client.id, { phone: String(n) }, 1)))).toBe(1)
  })

  test('of the status is logged as an activity', async () => {
    const coach = await createCoach()
    const client = await createClient({ coach })
    await edit(coach, client.id, { status: 'completed' })
    expect((await activities(coach))[0]).toMatchObject({
      type: 'client_status_changed',
      description: 'Ada Lovelace completed the work',
      clientId: client.id,
    })
  })
})

describe('the trash', () => {
  test('hides the client and its activity, and restores both', async () => {
    const coach = await createCoach()
    const client = await createClient({ coach })
    await inTenant(coach, (ctx) => deleteClient(ctx, client.id))
    await expect(getClient(await contextFor(coach), client.id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(edit(coach, client.id, { phone: '1' })).rejects.toMatchObject({ code: 'not_found' })
    expect(await activities(coach)).toEqual([])
    expect((await search(await contextFor(coach), 'ada')).results).toEqual([])
    expect(await inTenant(coach, (ctx) => restoreClient(ctx, client.id))).toEqual(client)
    expect(await activities(coach)).toHaveLength(1)
  })

  test('receives a client once, however often it is deleted', async () => {
    const coach = await createCoach()
    const client = await createClient({ coach })
    expect(fulfilled(await concurrently(10, () => inTenant(coach, (ctx) => deleteClient(ctx, client.id))))).toBe(1)
  })

  test("is erased after 30 days in each practice, with the client's records", async () => {
    const [one, other] = [await createCoach(), await createCoach()]
    const [deleted, kept, current] = [
      await createClient({ coach: one }),
      await createClient({ coach: other }),
      await createClient({ coach: one }),
    ]
    const start = app.clock.now.getTime()
    await inTenant(one, (ctx) => deleteClient(ctx, deleted.id))
    app.clock.now = new Date(start + 2 * dayMs)
    await inTenant(other, (ctx) => deleteClient(ctx, kept.id))
    app.clock.now = new Date(start + 31 * dayMs)
    await eraseTrash(app.platform)
    await expect(inTenant(one, (ctx) => restoreClient(ctx, deleted.id))).rejects.toMatchObject({ code: 'not_found' })
    await inTenant(other, (ctx) => restoreClient(ctx, kept.id))
    expect((await activities(one)).map(({ clientId }) => clientId)).toEqual([current.id])
  })
})

test('another coach can neither read nor change a client', async () => {
  const [owner, stranger] = [await createCoach(), await createCoach()]
  const client = await createClient({ coach: owner })
  for (const act of [archiveClient, unarchiveClient, deleteClient, restoreClient]) {
    await expect(inTenant<unknown>(stranger, (ctx) => act(ctx, client.id))).rejects.toMatchObject({
      code: 'not_found',
      message: 'Client not found',
    })
  }
  await expect(edit(stranger, client.id, { name: 'Mine' })).rejects.toMatchObject({ code: 'not_found' })
  expect(await listClients(await contextFor(stranger), { rows: null, after: null })).toEqual([])
  expect(await getClient(await contextFor(owner), client.id)).toEqual(client)
})

test.each([
  ['%', []],
  ['_', ['under_score@example.com']],
  ['\\', []],
  ["' or 1=1 --", []],
  ['ADA', ['ada@example.com']],
  ['škvor', ['jana@example.com']],
  ['skvorecka', ['jana@example.com']],
  ['\u0300\u0300\u0300', []],
  ['Example.COM', ['ada@example.com', 'jana@example.com', 'under_score@example.com']],
])('searching for %s finds the names that contain it', async (q, expected) => {
  const coach = await createCoach()
  await createClient({ coach })
  await createClient({ coach, name: 'Jana ŠKVORECKÁ', email: 'jana@example.com' })
  await createClient({ coach, name: 'Someone', email: 'under_score@example.com' })
  const found = await listClients(await contextFor(coach), { q, rows: null, after: null })
  expect(found.map(({ email }) => email).sort()).toEqual(expected)
})

test.each([
  ['ΑΛΕΞΗΣ', 'αλεξης'],
  ['Ｗｉｄｅ', 'wide'],
  ['O’Brien', "o'brien"],
  ['Jean\u2011Luc', 'jean-luc'],
  ['Łukasz Ørsted', 'lukasz orsted'],
  ['Groß', 'GROSS'],
  ['İpek', 'ipek'],
])('%s is found by %s', async (name, q) => {
  const coach = await createCoach()
  const client = await createClient({ coach, name })
  expect((await search(await contextFor(coach), q)).results).toMatchObject([{ type: 'client', id: client.id }])
})
