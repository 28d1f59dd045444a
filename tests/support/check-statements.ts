import { afterAll } from 'vitest'
import { statementChannel } from '#db/pg-pipeline.ts'
import { platformTables } from './row-security.ts'
import { checkStatement } from './statement-rules.ts'

// A setup file: checks every statement that the app sends in a test file. Tests name their own ones `test.…`.

const texts = new Set<string>()
statementChannel.subscribe((message) => {
  const { name, text } = message as { name?: string; text: string }
  if (!name?.startsWith('test.')) texts.add(text)
})

afterAll(async () => {
  if (!texts.size) return
  const { runtime } = await import('#app/server/process/runtime.ts')
  const tables = new Set(
    runtime.entities.map(({ meta }) => meta.tableName).filter((name) => !platformTables.includes(name)),
  )
  const findings = [...texts].flatMap((text) =>
    checkStatement(text, tables).map((finding) => `A statement ${finding}:\n${text}`),
  )
  if (findings.length) throw new Error(findings.join('\n\n'))
})
