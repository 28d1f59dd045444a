import { expect, onTestFinished, test } from 'vitest'
import { statementChannel } from '#db/pg-pipeline.ts'
import type { ReadPool } from '#db/read-pool.ts'
import { contextFor, createClient, createCoach } from '#tests/support/factories.ts'
import { clientContextFor } from '#tests/support/portal-session.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { coachContext, type Ctx } from './context.ts'
import { createStorageUsage } from './storage.ts'

const app = createTestApp()

/** Later than what was read before is valid. */
const inAMinute = <C extends Ctx>(ctx: C): C => {
  const later = new Date(app.platform.now().getTime() + 60_000)
  return { ...ctx, now: () => later }
}

/** The number of times that `work` reads the storage. */
async function countReads(work: () => Promise<unknown>): Promise<number> {
  let reads = 0
  const countRead = (statement: unknown) => {
    if ((statement as { name?: string }).name === 'storage.usage') reads++
  }
  statementChannel.subscribe(countRead)
  onTestFinished(() => void statementChannel.unsubscribe(countRead))
  await work()
  statementChannel.unsubscribe(countRead)
  return reads
}

test("a client's change counts against everything that the coach has stored", async () => {
  const coach = await createCoach()
  const client = await createClient({ coach })
  await createClient({ coach })
  const { storageUsage } = app.platform
  const all = await storageUsage.read(await contextFor(coach))
  const ofClient = inAMinute(await clientContextFor(coach, client.id))
  expect(await storageUsage.get(ofClient)).toBe(all)
  await ofClient.write(async (tx) => {
    expect(await storageUsage.read(tx)).toBe(all)
    const sees = { text: 'select count(*) as clients from client where coach_id = $1', values: [coach.id] }
    expect(await tx.query(sees)).toEqual([{ clients: 1 }])
  })
})

test('changes of a coach at the same moment read the storage once, before their transactions', async () => {
  const { platform, account } = await contextFor(await createCoach())
  const ctx = coachContext(platform, account, { requestId: 'test', address: '127.0.0.1' })
  const isFull = () => ctx.write((tx) => platform.storageUsage.reaches(tx, 1))
  const results: boolean[] = []
  const reads = await countReads(async () => results.push(...(await Promise.all([isFull(), isFull(), isFull()]))))
  expect([results, reads]).toEqual([[true, true, true], 1])
})

test('a change whose storage could not be read before its transaction reads it there', async () => {
  const ctx = await contextFor(await createCoach())
  const noConnection: ReadPool = { ...app.platform.readPool, queryAsTenant: () => Promise.reject(new Error('full')) }
  const storageUsage = createStorageUsage(() => app.platform.orm, noConnection)
  await storageUsage.refresh(ctx)
  expect(await ctx.write((tx) => storageUsage.reaches(tx, 1))).toBe(true)
})
