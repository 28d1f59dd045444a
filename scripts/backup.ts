// Writes everything the product keeps to one file, also while it serves: `npm run backup FILE`.
import { readFileSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { AppError } from '#app/lib/errors.ts'
import { contentDigest, writeBackup } from '#db/backup.ts'
import { createFileStore } from '#tenants/files/open-store.ts'
import type { FileKey } from '#tenants/files/store.ts'
import { ensureSecret } from './ensure-data-dir.ts'
import { parseFileArgument, runAsOwner } from './owner-database.ts'

const file = parseFileArgument('backup')
await runAsOwner(async ({ config, owner }) => {
  if (!config.secretKeys.length) config.secretKeys.push(ensureSecret(config.dataDir))
  const store = createFileStore(config)
  const read = (key: string) =>
    store.read(key as FileKey).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'not_found') return null
      throw error
    })
  const summary = await writeBackup(owner, { file, files: readDataFiles(config.dataDir), read })
  store.close()
  const { [contentDigest]: _bytes, ...tables } = summary.tables
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
  console.log(`Wrote ${rows} rows to ${file}. The file contains secrets: keep it where nobody else can read it.`)
  if (process.env.SECRET_KEY) console.log('SECRET_KEY is not in it: keep that too.')
})

/** The files of DATA_DIR itself, such as the secret key; not its folders (the database, mails). */
function readDataFiles(dataDir: string): Record<string, string> {
  const files = readdirSync(dataDir).filter(
    (name) => !name.startsWith('.') && statSync(path.join(dataDir, name)).isFile(),
  )
  return Object.fromEntries(files.map((name) => [name, readFileSync(path.join(dataDir, name)).toString('base64')]))
}
