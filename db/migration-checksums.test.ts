import { expect, test } from 'vitest'
import { runtime } from '#app/server/process/runtime.ts'
import checksums from './migration-checksums.json' with { type: 'json' }

const recorded: Record<string, string | undefined> = checksums

test.each(runtime.migrations)('$name has not changed since it was recorded', ({ name, checksum }) => {
  // A migration is recorded when it is released: npm run record-migrations.
  expect(checksum, 'A released migration must not change. Restore it and add a new one.').toBe(
    recorded[name] ?? checksum,
  )
})
