// Records the statements that the tests of this version send to the database, for the next version: a test runs them on
// its tables, because both versions serve during an upgrade. `npm run record-statements`, with each release. It takes as
// long as the tests.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runtime } from '#app/server/process/runtime.ts'
import { startEmbedded } from '#db/embedded/embedded.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { testConfig } from '#tests/support/config.ts'
import { listRefused, writeFormerStatements } from '#tests/support/former-statements.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'practice-statements-'))
const recorded = path.join(folder, 'recorded')
try {
  mkdirSync(recorded)
  runTests()
  const texts = new Set(readdirSync(recorded).flatMap(readTexts))
  // The ORM writes values into the text: of those that differ in nothing else, one is enough.
  const shapes = Map.groupBy([...texts].filter(isPreparable).toSorted(), toShape)
  const statements = await withoutTestTables([...shapes.values()].map(([first]) => first!))
  writeFormerStatements(statements)
  console.log(`Recorded ${statements.length} statements.`)
} finally {
  rmSync(folder, { recursive: true })
}

function runTests(): void {
  const projects = ['unit', 'contract', 'built'].flatMap((name) => ['--project', name])
  const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...projects], {
    cwd: path.join(import.meta.dirname, '..'),
    env: { ...process.env, RECORD_STATEMENTS: recorded },
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('Nothing is recorded: a test has failed.')
}

function readTexts(name: string): string[] {
  return JSON.parse(readFileSync(path.join(recorded, name), 'utf8'))
}

/** Postgres prepares nothing but these. */
function isPreparable(text: string): boolean {
  return /^[\s(]*(select|insert|update|delete|with|values)\b/i.test(text)
}

/** The text without its values, and with one row of several. */
function toShape(text: string): string {
  const withoutValues = text.replaceAll(/E?'(?:[^']|'')*'|\$?\b\d+\b/g, '?')
  return withoutValues.replaceAll(/(\?|\([^()]*\))(?:, \1)+/g, '$1')
}

/** Leaves out what a test asked on purpose or of a table of its own. */
async function withoutTestTables(statements: string[]): Promise<string[]> {
  const { ownerUrl, stop } = await startEmbedded({ dir: path.join(folder, 'postgres') })
  try {
    await runtime.prepare({ ownerUrl, config: testConfig() })
    const refused = await asOwner(ownerUrl, (db) => listRefused(db, statements))
    return statements.filter((text) => !refused.some((one) => one.text === text))
  } finally {
    await stop()
  }
}
