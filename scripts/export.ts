// Writes everything of one practice to a file, also while the product serves:
// `npm run export -- --coach EMAIL --to FILE.zip`.
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { runtime } from '#app/server/process/runtime.ts'
import { DatabaseError } from '#db/migrate.ts'
import { writeExport } from '#modules/core/practice-export/write-export.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { findAccountByEmail } from '#tenants/auth/sign-in.ts'
import { ensureSecret } from './ensure-data-dir.ts'
import { runAsOwner } from './owner-database.ts'
import { exitWithError } from './shutdown.ts'

const { coach, to } = parseOptions()
await runAsOwner(async ({ config, ownerUrl, owner }) => {
  if (!config.secretKeys.length) config.secretKeys.push(ensureSecret(config.dataDir))
  await requireMigrated(owner)
  const platform = await runtime.open({ appUrl: ownerUrl, config: { ...config, role: 'web' } })
  const partial = `${to}.partial`
  try {
    const account = await findAccountByEmail(platform, coach)
    const ctx = account && (await loadCoachContext(platform, account.id, 'export', { orClosed: true }))
    if (!ctx) throw new DatabaseError(`There is no coach with the address ${coach}.`)
    const { rows, files } = await writeExport(ctx, (archive) =>
      pipeline(archive, createWriteStream(partial, { mode: 0o600, flush: true })),
    )
    await rename(partial, to)
    console.log(`Wrote ${rows} rows and ${files} files of ${coach} to ${to}.`)
  } finally {
    await rm(partial, { force: true })
    await platform.close()
  }
})

/** Throws DatabaseError for a database that another version serves. */
async function requireMigrated(owner: pg.Client): Promise<void> {
  const { rows: found } = await owner.query<{ name: string | null }>(
    `select to_regclass('public.schema_migration') as name`,
  )
  if (found[0]!.name === null) throw new DatabaseError('The product never started with this database.')
  const { rows } = await owner.query<{ name: string }>('select name from schema_migration')
  const isSame =
    rows.length === runtime.migrations.length &&
    runtime.migrations.every(({ name }) => rows.some((row) => row.name === name))
  if (!isSame) throw new DatabaseError('Another version serves this database: export with that one.')
}

function parseOptions(): { coach: string; to: string } {
  try {
    const { values } = parseArgs({ options: { coach: { type: 'string' }, to: { type: 'string' } } })
    if (values.coach && values.to) return { coach: values.coach, to: path.resolve(values.to) }
  } catch {
    // Prints how to use it.
  }
  exitWithError('Use: npm run export -- --coach EMAIL --to FILE.zip')
}
