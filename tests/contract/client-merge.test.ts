import { beforeAll, describe, expect, test } from 'vitest'
import { listDifferences } from '#modules/billing/e2e/factories.ts'
import { updatePurchase } from '#modules/billing/services/purchases.ts'
import { setCounting } from '#modules/hours/services/counting.ts'
import { restoreClient } from '#modules/crm/services/clients.ts'
import { mergeClients } from '#modules/crm/services/merge.ts'
import { listThreads } from '#modules/messages/queries/messages.ts'
import { sendMessage } from '#modules/messages/services/messages.ts'
import { createProspect } from '#modules/pipeline/e2e/factories.ts'
import { convertProspect, undoConversion } from '#modules/pipeline/services/conversion.ts'
import { NewTemplate } from '#modules/programs/forms.ts'
import { assignProgram, completeProgram } from '#modules/programs/services/programs.ts'
import { createTemplate } from '#modules/programs/services/templates.ts'
import { extensions } from '#modules/registry.ts'
import { standardWording } from '#modules/summaries/fields.ts'
import { giveConsent, withdrawConsent } from '#modules/summaries/services/consents.ts'
import { asOwner, runForCoach } from '#tests/support/as-db-owner.ts'
import {
  contextFor,
  createClient,
  createCoach,
  createProduct,
  createPurchase,
  inTenant,
  type Coach,
} from '#tests/support/factories.ts'
import { clientContextFor } from '#tests/support/portal-session.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { createTwoTenants, tenantFingerprint, type TwoTenants } from '#tests/support/two-tenants.ts'

// The merge of two clients with the records of every module.

const app = createTestApp()
let tenants: TwoTenants

beforeAll(async () => {
  tenants = await createTwoTenants(app)
})

const { clientRecords } = extensions
const merge = (coach: Coach, keptId: number, mergedId: number) =>
  inTenant(coach, (ctx) => mergeClients(ctx, { keptId, mergedId }))
const restore = (coach: Coach, id: number) => inTenant(coach, (ctx) => restoreClient(ctx, id))

test('a purchase at the same time becomes the kept client’s, or is refused', async () => {
  const coach = await createCoach()
  const product = await createProduct({ coach })
  for (let round = 0; round < 5; round += 1) {
    const [kept, merged] = [await createClient({ coach }), await createClient({ coach })]
    const body = { clientId: merged.id, productId: product.id, amount: 15_000, paymentMethod: 'cash' }
    const [{ status }] = await Promise.all([
      app.call('POST', '/api/purchases', { as: coach, body }),
      merge(coach, kept.id, merged.id),
    ])
    expect([201, 404]).toContain(status)
    const { body: client } = await app.call('GET', `/api/clients/${kept.id}`, { as: coach })
    expect([status, client.totalSpent]).toEqual([status, status === 201 ? 15_000 : 0])
  }
})

test('every table that refers to clients says what becomes of its rows', async () => {
  const keys = await asOwner(app.ownerUrl, (db) =>
    db.query<{ name: string }>(
      `select concat(f.conrelid::regclass, '.', a.attname) as name from pg_constraint f
        join pg_attribute a on a.attrelid = f.conrelid and a.attnum = any(f.conkey) and a.attname <> 'coach_id'
      where f.contype = 'f' and f.confrelid = 'client'::regclass`,
    ),
  )
  const declared = clientRecords.map(({ table, column = 'client_id' }) => `${table}.${column}`)
  // The log of automations names clients without a foreign key.
  expect(declared.filter((name) => name !== 'automation_run.person_id').toSorted()).toEqual(
    keys.rows.map(({ name }) => name).toSorted(),
  )
  const tables = new Set(clientRecords.map(({ table }) => table))
  expect(
    clientRecords.flatMap(({ parents = {} }) => Object.values(parents)).filter((name) => !tables.has(name)),
  ).toEqual([])
})

/** The client of each row, as `<table> <id>: <client>`. */
async function listOwners({ ownerUrl }: { ownerUrl: string }, coachId: number): Promise<string[]> {
  const selects = clientRecords
    .filter(({ onMerge = 'move', table }) => onMerge === 'move' && table !== 'activity')
    .map(
      ({ table, column = 'client_id', where = 'true' }) =>
        `select '${table} ' || id || ': ' || ${column} as owner from ${table} where coach_id = ${coachId} and ${where} and ${column} is not null`,
    )
  const { rows } = await runForCoach(
    ownerUrl,
    coachId,
    `select owner from (${selects.join(' union all ')}) owners order by 1`,
  )
  return rows.map(({ owner }) => owner as string)
}

test('the records of every module move, and go back', async () => {
  const { ada, bea } = tenants
  // The demo practice has no client who was a prospect, and no resource of a client.
  const { id: prospectId } = await createProspect({ coach: ada })
  const converted = await inTenant(ada, (ctx) => convertProspect(ctx, prospectId))
  await inTenant(ada, (ctx) =>
    ctx.query({
      name: 'test.resource',
      text: 'update resource set client_id = $2 where coach_id = $1',
      values: [ada.id, converted.id],
    }),
  )
  const before = await listOwners(app, ada.id)
  const theirs = await tenantFingerprint(app, bea.id)
  const tables = new Set(before.map((owner) => owner.split(' ')[0]))
  const expected = clientRecords.flatMap(({ table, onMerge = 'move' }) =>
    onMerge === 'move' && table !== 'activity' ? [table] : [],
  )
  expect([...tables].toSorted()).toEqual([...new Set(expected)].toSorted())

  const clients = await (await contextFor(ada)).query<{ id: number }>({
    name: 'test.clients',
    text: 'select id from client where coach_id = $1 and deleted_at is null order by id',
    values: [ada.id],
  })
  const [first, ...others] = clients.map(({ id }) => id)
  const merged: number[] = []
  for (const id of others) {
    // Both may take part in the same program, or have different consents.
    const isDone = await merge(ada, first!, id).catch((error) => {
      expect(error.code).toBe('conflict')
      return null
    })
    if (isDone) merged.push(id)
  }
  expect(merged.length).toBeGreaterThan(1)
  const during = await listOwners(app, ada.id)
  expect(during.filter((owner) => merged.includes(Number(owner.split(': ')[1])))).toEqual([])
  expect(during).toHaveLength(before.length)
  expect(await listDifferences(await contextFor(ada))).toEqual([])

  for (const id of merged.toReversed()) await restore(ada, id)
  expect(await listOwners(app, ada.id)).toEqual(before)
  expect(await listDifferences(await contextFor(ada))).toEqual([])
  expect(await tenantFingerprint(app, bea.id)).toBe(theirs)
})

async function createPair() {
  const coach = await createCoach()
  const kept = (await createClient({ coach, name: 'Grace Hopper' })).id
  const other = (await createClient({ coach, name: 'Grace Hopper', email: 'g.hopper@example.com' })).id
  return { coach, kept, other }
}

test('the total follows the payments, also those that are refunded later', async () => {
  const { coach, kept, other } = await createPair()
  const { id: productId } = await createProduct({ coach })
  const mine = await createPurchase({ coach, clientId: kept, productId })
  const refunded = await createPurchase({ coach, clientId: other, productId })
  await createPurchase({ coach, clientId: other, productId, amount: 5000 })
  const totals = async () =>
    (
      await (
        await contextFor(coach)
      ).query<{ spent: number }>({
        name: 'test.totals',
        text: 'select total_spent as spent from client where coach_id = $1 order by id',
        values: [coach.id],
      })
    ).map(({ spent }) => spent)
  await merge(coach, kept, other)
  expect(await totals()).toEqual([35_000, 0])
  await inTenant(coach, (ctx) => updatePurchase(ctx, refunded.id, { status: 'refunded' }))
  await inTenant(coach, (ctx) => updatePurchase(ctx, mine.id, { status: 'refunded' }))
  await restore(coach, other)
  expect(await totals()).toEqual([0, 5000])
  expect(await listDifferences(await contextFor(coach))).toEqual([])
})

test('the ledger and signed rows go with a merge alone', async () => {
  const { coach, kept, other } = await createPair()
  const { id: productId } = await createProduct({ coach })
  await createPurchase({ coach, clientId: other, productId })
  const third = (await createClient({ coach })).id
  const move = (to: number) =>
    inTenant(coach, (ctx) =>
      ctx.query({
        name: 'test.move-entry',
        text: 'update ledger_entry set client_id = $2 where coach_id = $1',
        values: [coach.id, to],
      }),
    )
  await expect(move(kept)).rejects.toThrow('an entry of the ledger never changes')
  await merge(coach, kept, other)
  for (const to of [other, third]) await expect(move(to)).rejects.toThrow('an entry of the ledger never changes')
})

test('a choice for a client moves only to one who has none, and goes back', async () => {
  const { coach, kept, other } = await createPair()
  const choose = (clientId: number, counting: 'paid' | 'pro_bono') =>
    inTenant(coach, (ctx) => setCounting(ctx, { clientId, counting }))
  const choices = async () =>
    (await contextFor(coach)).query({
      name: 'test.choices',
      text: 'select client_id as id, counting from hours_counting where coach_id = $1 order by client_id',
      values: [coach.id],
    })
  await choose(other, 'pro_bono')
  await merge(coach, kept, other)
  expect(await choices()).toEqual([{ id: kept, counting: 'pro_bono' }])
  await restore(coach, other)
  await choose(kept, 'paid')
  const both = [
    { id: kept, counting: 'paid' },
    { id: other, counting: 'pro_bono' },
  ]
  expect(await choices()).toEqual(both)
  await merge(coach, kept, other)
  expect(await choices()).toEqual(both)
})

test('the messages of both become one thread, and two again', async () => {
  const { coach, kept, other } = await createPair()
  const write = (id: number, content: string) => inTenant(coach, (ctx) => sendMessage(ctx, id, { content }))
  await write(other, 'First')
  await write(kept, 'Second')
  await write(other, 'Third')
  const threads = async () =>
    (await listThreads(await contextFor(coach), { q: '', page: 1 })).threads
      .map(({ clientId, excerpt }) => [clientId, excerpt])
      .toSorted()
  await merge(coach, kept, other)
  expect(await threads()).toEqual([[kept, 'Third']])
  await restore(coach, other)
  expect(await threads()).toEqual([
    [kept, 'Second'],
    [other, 'Third'],
  ])
})

test('the portal is closed to the merged client, and shows the other one everything', async () => {
  const { coach, kept, other } = await createPair()
  await inTenant(coach, (ctx) => sendMessage(ctx, other, { content: 'Hello' }))
  await merge(coach, kept, other)
  const count = async (id: number) =>
    (
      await (
        await clientContextFor(coach, id)
      ).query({ name: 'test.messages', text: 'select id from message where coach_id = $1', values: [coach.id] })
    ).length
  expect(await count(kept)).toBe(1)
  expect(await count(other)).toBe(0)
})

describe('a merge is refused', () => {
  test('while both take part in the same program', async () => {
    const { coach, kept, other } = await createPair()
    const template = await inTenant(coach, (ctx) =>
      createTemplate(
        ctx,
        NewTemplate.parse({
          name: 'Calm',
          milestones: [{ title: 'Look', week: 1, items: [{ kind: 'check', title: 'Write' }] }],
        }),
      ),
    )
    const assign = (clientId: number) =>
      inTenant(coach, (ctx) => assignProgram(ctx, { templateId: template.id, clientId, startDate: '2026-03-10' }))
    const [{ id }] = [await assign(other), await assign(kept)]
    await expect(merge(coach, kept, other)).rejects.toMatchObject({
      code: 'conflict',
      message: 'Both take part in the program Calm. Complete or delete one of the two first.',
    })
    await inTenant(coach, (ctx) => completeProgram(ctx, id))
    await merge(coach, kept, other)
  })

  test('while one has withdrawn the consent that the other has given', async () => {
    const { coach, kept, other } = await createPair()
    const give = (clientId: number) =>
      inTenant(coach, (ctx) => giveConsent(ctx, { clientId }, { channel: 'spoken', wording: standardWording }))
    const { id } = await give(other)
    await give(kept)
    await inTenant(coach, (ctx) => withdrawConsent(ctx, id))
    await expect(merge(coach, kept, other)).rejects.toMatchObject({ code: 'conflict' })
    await give(other)
    await merge(coach, kept, other)
  })
})

test('a conversion is not undone while another client is merged into the client', async () => {
  const coach = await createCoach()
  const prospect = await createProspect({ coach })
  const other = (await inTenant(coach, (ctx) => convertProspect(ctx, prospect.id))).id
  const kept = (await createClient({ coach })).id
  await merge(coach, kept, other)
  const undo = () =>
    inTenant(coach, (ctx) => undoConversion(ctx, { id: prospect.id, stageId: prospect.stageId as number }))
  await expect(undo()).rejects.toMatchObject({ code: 'conflict' })
  await restore(coach, other)
  await undo()
})
