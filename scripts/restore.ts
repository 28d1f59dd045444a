// Loads a backup into an empty installation: `npm run restore FILE`.
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { runtime } from '#app/server/process/runtime.ts'
import { contentDigest } from '#db/backup.ts'
import { DatabaseError } from '#db/migrate.ts'
import { checkEmpty, checkVersion, loadBackup, openBackup } from '#db/restore.ts'
import { createFileStore } from '#tenants/files/open-store.ts'
import type { FileKey } from '#tenants/files/store.ts'
import { ensureSecret } from './ensure-data-dir.ts'
import { parseFileArgument, runAsOwner } from './owner-database.ts'

const file = parseFileArgument('restore')
await runAsOwner(async ({ config, ownerUrl, owner }) => {
  if (!existsSync(file)) throw new DatabaseError(`There is no file ${file}.`)
  const backup = await openBackup(file)
  checkVersion(backup.header, runtime.migrations)
  await checkEmpty(owner)
  const files = Object.entries(backup.header.files).map(([name, content]) => ({
    name: path.join(config.dataDir, path.basename(name)),
    content: Buffer.from(content, 'base64'),
  }))
  for (const { name, content } of files) writeFileSync(name, content, { mode: 0o600, flush: true })
  if (!config.secretKeys.length) config.secretKeys.push(ensureSecret(config.dataDir))
  await runtime.prepare({ ownerUrl, config })
  const store = createFileStore(config)
  await loadBackup(owner, backup, (key, content) => store.write(key as FileKey, Readable.from(content)))
  store.close()
  const { [contentDigest]: _bytes, ...tables } = backup.summary.tables
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
  console.log(`Restored ${rows} rows, as of ${backup.header.createdAt}. Start the product with npm start.`)
})
