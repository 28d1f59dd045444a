// Exports the practice 1 and prints how long it took, and by how much the process grew.
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { runtime } from '#app/server/process/runtime.ts'
import { writeExport } from '#modules/core/practice-export/write-export.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { parseConfig } from '#tenants/config.ts'
import type { ExportFigures } from './exports.ts'

const config = parseConfig(process.env)
const platform = await runtime.open({ appUrl: config.databaseUrl!, config: { ...config, role: 'web' } })
const ctx = (await loadCoachContext(platform, 1, 'bench'))!
const file = path.join(config.dataDir, 'export.zip')
const megabytes = () => Math.round(process.memoryUsage.rss() / 1024 ** 2)

const before = megabytes()
let most = before
const sampling = setInterval(() => (most = Math.max(most, megabytes())), 20)
const started = performance.now()
const { rows } = await writeExport(ctx, (archive) => pipeline(archive, createWriteStream(file)))
const seconds = (performance.now() - started) / 1000
clearInterval(sampling)
const figures: ExportFigures = { seconds, megabytes: Math.max(most, megabytes()) - before, rows }
process.stdout.write(JSON.stringify(figures))
await rm(file, { force: true })
await platform.close()
