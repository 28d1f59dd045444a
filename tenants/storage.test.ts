import { expect, onTestFinished, test } from 'vitest'
import { statementChannel } from '#db/pg-pipeline.ts'
import { contextFor, createClient, createCoach } from '#tests/support/factories.ts'
import { clientContextFor } from '#tests/support/portal-session.ts'
import { createTestApp } from '#tests/support/test-app.ts'

const app = createTestApp()

test("a client's change counts against everything that the coach has stored", async () => {
  const coach = await createCoach()
  const client = await createClient({ coach })
  await createClient({ coach })
  const ofClient = await clientContextFor(coach, client.id)
  const later = new Date(app.platform.now().getTime() + 10_000)
  const known = await app.platform.storageUsage.get({ ...ofClient, now: () => later })
  expect(known).toBe(await app.platform.storageUsage.read(await contextFor(coach)))
})

test('changes of a coach at the same moment read the storage once', async () => {
  const ctx = await contextFor(await createCoach())
  let reads = 0
  const countRead = (statement: unknown) => {
    if ((statement as { name?: string }).name === 'storage.usage') reads++
  }
  statementChannel.subscribe(countRead)
  onTestFinished(() => void statementChannel.unsubscribe(countRead))
  const results = await Promise.all(Array.from({ length: 5 }, () => app.platform.storageUsage.reaches(ctx, 1)))
  expect([results, reads]).toEqual([[true, true, true, true, true], 1])
})
