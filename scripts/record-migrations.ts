// Adds the checksums of new migrations to db/migration-checksums.json: `npm run record-migrations`. A released
// migration never changes, so the script keeps the checksums that are there.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { runtime } from '#app/server/process/runtime.ts'

const file = path.join(import.meta.dirname, '../db/migration-checksums.json')
const recorded: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'))
const missing = runtime.migrations.filter(({ name }) => !(name in recorded))
for (const { name, checksum } of missing) recorded[name] = checksum
writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`)
console.log(missing.length ? `Recorded ${missing.map(({ name }) => name).join(', ')}.` : 'There is no new migration.')
