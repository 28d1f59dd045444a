import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type pg from 'pg'

/** Statements that the tests of the previous version sent to the database, one of each shape. */
const file = path.join(import.meta.dirname, '../start/support/former-version.statements.gz')

export const readFormerStatements = (): string[] => JSON.parse(gunzipSync(readFileSync(file)).toString('utf8'))

export const writeFormerStatements = (statements: string[]): void =>
  writeFileSync(file, gzipSync(JSON.stringify(statements, null, 1)))

/** The statements that the database can't prepare, because a table, column or function is missing, with its reasons. */
export async function listRefused(db: pg.Client, statements: string[]): Promise<{ text: string; reason: string }[]> {
  const refused: { text: string; reason: string }[] = []
  for (const text of statements) {
    await db.query(`prepare former as ${text}`).then(
      () => db.query('deallocate former'),
      ({ message }: Error) => refused.push({ text, reason: message }),
    )
  }
  return refused
}
