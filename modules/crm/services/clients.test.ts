import { describe, expect, test } from 'vitest'
import { eraseTrash } from '#modules/core/trash.ts'
import type { FirstStep } from '#modules/core/manifest.ts'
import { fill, search } from '#modules/registry.ts'
import { aCoach, aHouse, asCoach, atOnce, ctxFor, type Coach } from '#tests/support/test-app.ts'
import { Account } from '#tenants/schema.ts'
import { ClientEdit, NewClient } from '../forms.ts'
import { activitiesNewestFirst } from '../queries/activities.ts'
import { clientOf, clientsNewestFirst } from '../queries/clients.ts'
import { countClients } from '../queries/counts.ts'
import { addClient, archiveClient, deleteClient, editClient, restoreClient, unarchiveClient } from './clients.ts'

const house = aHouse()

const aClient = (of: Coach, fields: Record<string, unknown> = {}) =>
  asCoach(of, (ctx) => addClient(ctx, NewClient.parse({ name: 'Ada Lovelace', email: 'ada@example.com', ...fields })))
const edit = (of: Coach, id: number, fields: Record<string, unknown>, seen?: number) =>
  asCoach(of, (ctx) => editClient(ctx, id, ClientEdit.parse(fields), seen))
const count = async (of: Coach) => countClients(await ctxFor(of))
const activities = async (of: Coach) => activitiesNewestFirst(await ctxFor(of), { rows: null })
const fulfilled = (all: PromiseSettledResult<unknown>[]) => all.filter((one) => one.status === 'fulfilled').length

test('a client is added together with its activity', async () => {
  const coach = await aCoach(house)
  const client = await aClient(coach, { goals: 'Write the first program' })
  expect(client).toMatchObject({
    coachId: coach.id,
    name: 'Ada Lovelace',
    status: 'active',
    progress: 0,
    totalSpent: 0,
    createdAt: house.clock.now.toISOString(),
  })
  expect(await clientOf(await ctxFor(coach), client.id)).toEqual(client)
  expect(await activities(coach)).toMatchObject([
    { type: 'client_added', title: 'Client added', description: 'Ada Lovelace', clientId: client.id },
  ])
})

describe('the limit of the plan', () => {
  test.each([
    ['free', 1],
    ['pro', 10],
  ] as const)('%s takes exactly %i of fifty at once', async (plan, limit) => {
    const coach = await aCoach(house, { plan })
    const all = await atOnce(50, (n) => aClient(coach, { name: `Client ${n}` }))
    expect(fulfilled(all)).toBe(limit)
    expect(all.filter((one) => one.status === 'rejected').every(({ reason }) => reason.code === 'plan_limit')).toBe(
      true,
    )
    expect(await count(coach)).toBe(limit)
    expect(await activities(coach)).toHaveLength(limit)
  })

  test('is that of the moment: fifty on their way when the plan is lowered bring in no more than it takes', async () => {
    const coach = await aCoach(house, { plan: 'premium' })
    // They all begin under the plan that has no limit.
    const ctx = await ctxFor(coach)
    let lowered = Infinity
    const all = await atOnce(50, async (n) => {
      if (n === 20) {
        await asCoach(coach, async (tx) => {
          await tx.em.nativeUpdate(Account, { id: coach.id }, { plan: 'pro' })
          lowered = await countClients(tx)
        })
        return
      }
      await ctx.write((tx) => addClient(tx, NewClient.parse({ name: `Client ${n}`, email: 'ada@example.com' })))
    })
    expect(await count(coach)).toBe(Math.max(10, lowered))
    for (const one of all)
      if (one.status === 'rejected')
        expect(one.reason).toMatchObject({
          code: 'plan_limit',
          message: expect.stringContaining('Your Pro plan includes 10 clients.'),
        })
    await expect(
      ctx.write((tx) => addClient(tx, NewClient.parse({ name: 'One more', email: 'ada@example.com' }))),
    ).rejects.toMatchObject({ code: 'plan_limit' })
  })

  test('premium takes all fifty', async () => {
    const coach = await aCoach(house, { plan: 'premium' })
    expect(fulfilled(await atOnce(50, () => aClient(coach)))).toBe(50)
  })

  test('holds when clients come back from archive and trash and new ones come in, all at once', async () => {
    const coach = await aCoach(house, { plan: 'pro' })
    const archived: { id: number }[] = []
    const deleted: { id: number }[] = []
    for (let n = 0; n < 6; n++) {
      const one = await aClient(coach)
      archived.push(await asCoach(coach, (ctx) => archiveClient(ctx, one.id)))
      const other = await aClient(coach)
      await asCoach(coach, (ctx) => deleteClient(ctx, other.id))
      deleted.push(other)
    }
    const all = await atOnce(18, (n) => {
      if (n % 3 === 0) return aClient(coach)
      const id = (n % 3 === 1 ? archived : deleted)[Math.floor(n / 3)]!.id
      return asCoach(coach, (ctx) => (n % 3 === 1 ? unarchiveClient(ctx, id) : restoreClient(ctx, id)))
    })
    expect(fulfilled(all)).toBe(10)
    expect(await count(coach)).toBe(10)
  })

  test('an archived client makes room, and a deleted one too', async () => {
    const coach = await aCoach(house, { plan: 'free' })
    const first = await aClient(coach)
    await asCoach(coach, (ctx) => archiveClient(ctx, first.id))
    const second = await aClient(coach)
    await expect(asCoach(coach, (ctx) => unarchiveClient(ctx, first.id))).rejects.toMatchObject({ code: 'plan_limit' })
    await asCoach(coach, (ctx) => deleteClient(ctx, second.id))
    await asCoach(coach, (ctx) => unarchiveClient(ctx, first.id))
    await expect(asCoach(coach, (ctx) => restoreClient(ctx, second.id))).rejects.toThrow(
      'Your Free plan includes 1 client.',
    )
  })

  test('what was archived and deleted comes back archived, which needs no room', async () => {
    const coach = await aCoach(house, { plan: 'free' })
    const client = await aClient(coach)
    await asCoach(coach, (ctx) => archiveClient(ctx, client.id))
    await asCoach(coach, (ctx) => deleteClient(ctx, client.id))
    await aClient(coach)
    expect(await asCoach(coach, (ctx) => restoreClient(ctx, client.id))).toMatchObject({
      id: client.id,
      archivedAt: expect.any(String),
    })
  })
})

test('first steps are for who never had a client: archived, deleted, it was there', async () => {
  const coach = await aCoach(house)
  const isNew = async () =>
    (await fill(await ctxFor(coach), 'dashboard.step')).some(
      ({ data }) => (data as FirstStep).decides && !(data as FirstStep).done,
    )
  expect(await isNew()).toBe(true)
  const client = await aClient(coach)
  expect(await isNew()).toBe(false)
  await asCoach(coach, (ctx) => archiveClient(ctx, client.id))
  expect(await isNew()).toBe(false)
  await asCoach(coach, (ctx) => deleteClient(ctx, client.id))
  expect(await isNew()).toBe(false)
})

describe('an edit', () => {
  test('changes what is sent and nothing else', async () => {
    const coach = await aCoach(house)
    const client = await aClient(coach, { phone: '+1 416 555 0142', goals: 'a' })
    house.clock.now = new Date(house.clock.now.getTime() + 60_000)
    const changed = await edit(coach, client.id, { phone: '', progress: 40 })
    expect(changed).toEqual({ ...client, phone: null, progress: 40, updatedAt: house.clock.now.toISOString() })
    expect(await clientOf(await ctxFor(coach), client.id)).toEqual(changed)
  })

  test('of nothing changes nothing, not even the time of the last change', async () => {
    const coach = await aCoach(house)
    const client = await aClient(coach)
    house.clock.now = new Date(house.clock.now.getTime() + 60_000)
    expect(await edit(coach, client.id, {})).toEqual(client)
    expect(await edit(coach, client.id, { name: client.name, phone: null })).toEqual(client)
  })

  test('from the second of two tabs is refused, and changes nothing', async () => {
    const coach = await aCoach(house)
    const client = await aClient(coach)
    await edit(coach, client.id, { phone: '1' }, 1)
    await expect(edit(coach, client.id, { phone: '2' }, 1)).rejects.toMatchObject({ code: 'conflict' })
    expect(await edit(coach, client.id, { phone: '3' }, 2)).toMatchObject({ phone: '3' })
  })

  test('saved by ten tabs at once counts once', async () => {
    const coach = await aCoach(house)
    const client = await aClient(coach)
    expect(fulfilled(await atOnce(10, (n) => edit(coach, client.id, { phone: String(n) }, 1)))).toBe(1)
  })

  test('of the status is told among the activities', async () => {
    const coach = await aCoach(house)
    const client = await aClient(coach)
    await edit(coach, client.id, { status: 'completed' })
    expect((await activities(coach))[0]).toMatchObject({
      type: 'client_status_changed',
      description: 'Ada Lovelace completed the work',
      clientId: client.id,
    })
  })
})

describe('the trash', () => {
  test('hides the client and its activity, and gives both back', async () => {
    const coach = await aCoach(house)
    const client = await aClient(coach)
    await asCoach(coach, (ctx) => deleteClient(ctx, client.id))
    await expect(clientOf(await ctxFor(coach), client.id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(edit(coach, client.id, { phone: '1' })).rejects.toMatchObject({ code: 'not_found' })
    expect(await activities(coach)).toEqual([])
    expect((await search(await ctxFor(coach), 'ada')).results).toEqual([])
    expect(await asCoach(coach, (ctx) => restoreClient(ctx, client.id))).toEqual(client)
    expect(await activities(coach)).toHaveLength(1)
  })

  test('takes a client once, whoever asks how often', async () => {
    const coach = await aCoach(house)
    const client = await aClient(coach)
    expect(fulfilled(await atOnce(10, () => asCoach(coach, (ctx) => deleteClient(ctx, client.id))))).toBe(1)
  })

  test('is erased after 30 days, practice by practice, with what belongs to the client', async () => {
    const [one, other] = [await aCoach(house), await aCoach(house)]
    const [gone, kept, alive] = [await aClient(one), await aClient(other), await aClient(one)]
    const day = 86_400_000
    const start = house.clock.now.getTime()
    await asCoach(one, (ctx) => deleteClient(ctx, gone.id))
    house.clock.now = new Date(start + 2 * day)
    await asCoach(other, (ctx) => deleteClient(ctx, kept.id))
    house.clock.now = new Date(start + 31 * day)
    await eraseTrash(house.platform)
    await expect(asCoach(one, (ctx) => restoreClient(ctx, gone.id))).rejects.toMatchObject({ code: 'not_found' })
    await asCoach(other, (ctx) => restoreClient(ctx, kept.id))
    expect((await activities(one)).map(({ clientId }) => clientId)).toEqual([alive.id])
  })
})

test('another coach can do nothing with a client, in either direction', async () => {
  const [owner, stranger] = [await aCoach(house), await aCoach(house)]
  const client = await aClient(owner)
  for (const act of [archiveClient, unarchiveClient, deleteClient, restoreClient]) {
    await expect(asCoach<unknown>(stranger, (ctx) => act(ctx, client.id))).rejects.toMatchObject({
      code: 'not_found',
      message: 'Client not found',
    })
  }
  await expect(edit(stranger, client.id, { name: 'Mine' })).rejects.toMatchObject({ code: 'not_found' })
  expect(await clientsNewestFirst(await ctxFor(stranger), { rows: null, after: null })).toEqual([])
  expect(await clientOf(await ctxFor(owner), client.id)).toEqual(client)
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
])('searching for %s finds what holds these letters', async (q, expected) => {
  const coach = await aCoach(house)
  await aClient(coach)
  await aClient(coach, { name: 'Jana ŠKVORECKÁ', email: 'jana@example.com' })
  await aClient(coach, { name: 'Someone', email: 'under_score@example.com' })
  const found = await clientsNewestFirst(await ctxFor(coach), { q, rows: null, after: null })
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
  const coach = await aCoach(house)
  const client = await aClient(coach, { name })
  expect((await search(await ctxFor(coach), q)).results).toMatchObject([{ type: 'client', id: client.id }])
})
