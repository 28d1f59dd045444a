import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const files = globSync('{app,db,modules,tenants}/**/*.{ts,tsx}').filter((file) => !file.includes('.test.'))

test('no two statements have the same name', () => {
  const places = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bname: '([\w.-]+)',\s*(?:text|select):/g)].map(([, name]) => [
      name!,
      file,
    ]),
  )
  expect(places.length).toBeGreaterThan(500)
  const names = places.map(([name]) => name)
  // Postgres prepares a statement under its name: the second one fails, on the connections that have run the first.
  expect(places.filter(([name], index) => names.indexOf(name) !== index)).toEqual([])
})
