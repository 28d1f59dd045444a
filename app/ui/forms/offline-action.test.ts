import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../../..')
const pages = [
  ...globSync('{app,modules/*}/routes/**/*.{ts,tsx}', { cwd: root }),
  'scripts/new-module/templates/routes/_id_.tsx.txt',
]
const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8')

test('every page that takes forms keeps what was typed when the server is not reached', () => {
  const acting = pages.filter(
    (file) => /^export (async )?function action\(/m.test(textOf(file)) && file !== 'app/routes/not-found.tsx',
  )
  expect(acting.length).toBeGreaterThan(15)
  expect(acting.filter((file) => !/^export const clientAction = keepTyped\(/m.test(textOf(file)))).toEqual([])
})
