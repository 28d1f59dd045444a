import { expect, test } from 'vitest'
import { createCoach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { withTenant, type TenantTransaction } from './platform.ts'

const app = createTestApp()

test('a statement after the commit or rollback of its transaction is rejected', async () => {
  const { id } = await createCoach()
  const ended: TenantTransaction[] = []
  const work = async (tx: TenantTransaction) => {
    ended.push(tx)
    await tx.query({ text: 'select 1 as one' })
  }
  await withTenant(app.platform, id, work)
  const failing = withTenant(app.platform, id, async (tx) => {
    await work(tx)
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  expect(ended).toHaveLength(2)
  for (const tx of ended) {
    await expect(tx.query({ text: 'select 1 as one' })).rejects.toThrow('already ended')
    await expect(tx.defer({ name: 'test.late', text: 'select 2 as two' })).rejects.toThrow('already ended')
  }
})
