import { createWriteStream, mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { expect, test } from 'vitest'
import { writeExport } from '#modules/core/practice-export/write-export.ts'
import { readArchive } from '#tests/support/archive.ts'
import { contextFor, createCoach, inTenant } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { NewFile, type NewShare } from './forms.ts'
import { createFile } from './services/files.ts'
import { createShare, revokeShare } from './services/shares.ts'

createTestApp()

test('in an export a resource is shared only if a link without a password leads to it', async () => {
  const coach = await createCoach({ plan: 'pro' })
  const add = (name: string, ...shares: NewShare[]) =>
    inTenant(coach, async (tx) => {
      const { id } = await createFile(tx, NewFile.parse({ name, fileUrl: 'https://example.com' }))
      const ids: number[] = []
      for (const share of shares) ids.push((await createShare(tx, id, share)).id)
      return ids
    })
  const [open, locked] = [{ audience: 'link' }, { audience: 'link', password: 'open sesame' }] as const
  await add('Open', open)
  await add('Locked', locked)
  await add('Both', locked, open)
  await add('Unshared')
  const [revoked] = await add('Revoked', open)
  await inTenant(coach, (tx) => revokeShare(tx, revoked!))

  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'resources-export-')), 'practice.zip')
  await writeExport(await contextFor(coach), (archive) => pipeline(archive, createWriteStream(file)))
  const lines = (await readArchive(file)).get('data/resource.jsonl')!.toString().trim().split('\n')
  const rows = lines.map((line): { name: string; is_shared: boolean } => JSON.parse(line))
  expect(rows.map((row) => [row.name, row.is_shared])).toEqual([
    ['Open', true],
    ['Locked', false],
    ['Both', true],
    ['Unshared', false],
    ['Revoked', false],
  ])
})
