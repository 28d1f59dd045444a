import { expect, test } from 'vitest'
import { setClient } from '#db/read-pool.ts'
import { archiveClient, deleteClient } from '#modules/crm/services/clients.ts'
import type { WriteCtx } from '#tenants/context.ts'
import { contextFor, createClient, createCoach, inTenant } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { findClientByEmail } from './queries/clients.ts'

createTestApp()

test('a client is found by email, whatever its case, a current one first, and none in the trash', async () => {
  const coach = await createCoach()
  const add = (email: string) => createClient({ coach, email })
  const deleted = await add('Ada@example.com')
  const archived = await add('ada@example.com')
  const current = await add('ADA@example.com')
  await createClient({ coach: await createCoach(), email: 'other@example.com' })
  await inTenant(coach, (tx) => deleteClient(tx, deleted.id))
  await inTenant(coach, (tx) => archiveClient(tx, archived.id))
  const ctx = await contextFor(coach)
  expect(await findClientByEmail(ctx, 'adA@Example.com')).toBe(current.id)
  expect(await findClientByEmail(ctx, 'other@example.com')).toBeNull()
})

test('the look-up by email reads the index of the addresses', async () => {
  const coach = await createCoach()
  const { id, email } = await createClient({ coach })
  await inTenant(coach, async (tx) => {
    // A practice of one client is read faster as a whole.
    await tx.query({ text: 'set local enable_seqscan = off' })
    expect(await findClientByEmail(tx, email)).toBe(id)
    const [row] = await tx.query<{ scans: number }>({
      text: `select pg_stat_get_xact_numscans('client_email'::regclass) as scans`,
    })
    expect(row!.scans).toBe(1)
  })
})

test('the look-up shows nobody of another coach, and a client in the portal nobody else', async () => {
  const coach = await createCoach()
  const other = await createCoach()
  const shared = 'shared@example.com'
  const [one, two] = [await createClient({ coach, email: shared }), await createClient({ coach, email: shared })]
  await createClient({ coach: other, email: shared })
  const list = async (tx: WriteCtx, coachId: number) =>
    (
      await tx.query<{ id: number }>({
        text: 'select id from list_client_ids_by_email($1, $2) as found(id) order by id',
        values: [coachId, shared],
      })
    ).map(({ id }) => id)
  await inTenant(coach, async (tx) => {
    expect(await list(tx, coach.id)).toEqual([one.id, two.id])
    expect(await list(tx, other.id)).toEqual([])
    await tx.query(setClient(one.id))
    expect(await list(tx, coach.id)).toEqual([one.id])
    expect(await list(tx, other.id)).toEqual([])
  })
})
