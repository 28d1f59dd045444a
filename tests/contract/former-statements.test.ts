import { expect, test } from 'vitest'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { listRefused, readFormerStatements } from '#tests/support/former-statements.ts'
import { createTestApp } from '#tests/support/test-app.ts'

const app = createTestApp()

// During an upgrade both versions serve.
test('the statements of the previous version run on these tables', async () => {
  const statements = readFormerStatements()
  expect(statements.length).toBeGreaterThan(1_000)
  expect(await asOwner(app.ownerUrl, (db) => listRefused(db, statements))).toEqual([])
})

test('a statement of the previous version that names a missing column is found', async () => {
  const found = await asOwner(app.ownerUrl, (db) =>
    listRefused(db, ['select name from client where id = $1', 'select former_name from client where id = $1']),
  )
  expect(found).toEqual([{ text: expect.stringContaining('former_name'), reason: expect.stringContaining('exist') }])
})
