// Brings the database up to date as its owner, and ensures the administrator: `npm run migrate`. Serving then needs
// only APP_DATABASE_URL.
import { runtime } from '#app/server/process/runtime.ts'
import { ensureSecret } from './ensure-data-dir.ts'
import { runAsOwner } from './owner-database.ts'

await runAsOwner(async ({ config, ownerUrl }) => {
  if (!config.secretKeys.length) config.secretKeys.push(ensureSecret(config.dataDir))
  const { migrated } = await runtime.prepare({ ownerUrl, config })
  await runtime.ensureAccounts({ ownerUrl, config, demo: null })
  console.log(
    migrated.length ? `Migrated the database (${migrated.length} migrations).` : 'The database is up to date.',
  )
})
