import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll } from 'vitest'
import { statementChannel } from '#db/pg-pipeline.ts'
import { platformTables } from './row-security.ts'
import { checkStatement } from './statement-rules.ts'

// A setup file: checks every statement that the app sends in a test file. Tests name their own ones `test.…`. With
// `RECORD_STATEMENTS`, it writes them to that folder (`npm run record-statements`).

const texts = new Set<string>()
statementChannel.subscribe((message) => {
  const { name, text } = message as { name?: string; text: string }
  if (!name?.startsWith('test.')) texts.add(text)
})

afterAll(async () => {
  if (!texts.size) return
  const { RECORD_STATEMENTS: folder } = process.env
  if (folder) writeFileSync(path.join(folder, `${randomUUID()}.json`), JSON.stringify([...texts]))
  const { runtime } = await import('#app/server/process/runtime.ts')
  const tables = new Set(
    runtime.entities.map(({ meta }) => meta.tableName).filter((name) => !platformTables.includes(name)),
  )
  const findings = [...texts].flatMap((text) =>
    checkStatement(text, tables).map((finding) => `A statement ${finding}:\n${text}`),
  )
  if (findings.length) throw new Error(findings.join('\n\n'))
})
