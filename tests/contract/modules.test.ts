import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { navIcon } from '#app/shell/nav-icons.ts'
import { modules } from '#modules/registry.ts'
import { testedModules } from '#tests/support/tested-modules.ts'

// Everything in a manifest exists. modules/core/validate-manifests.ts checks its names when it is loaded.

const folder = path.resolve(import.meta.dirname, '../../modules')
const platformPages = ['/dashboard', '/search', '/settings', '/branding', '/upgrade', '/trash']
const pages = [...platformPages, ...modules.flatMap(({ routes = [] }) => routes.map((route) => `/${route.path}`))]

describe.each(testedModules)(
  'the module $id',
  ({
    id,
    entities,
    permissions,
    routes = [],
    nav = [],
    contributions = [],
    recordKinds: records = [],
    jobs = [],
    migrations,
  }) => {
    const sources = readSources(id)

    test('has the files of its pages and widgets', () => {
      const named = [
        ...routes.map(({ file }) => file),
        ...contributions.flatMap(({ widget }) => (widget ? [`widgets/${widget}.tsx`] : [])),
      ]
      expect(named.filter((file) => !existsSync(path.join(folder, id, file)))).toEqual([])
    })

    test('sends its emails also after hours without a mail server', () => {
      // A test message is asked for by somebody who waits for it.
      const emails = jobs.filter(({ kind, name }) => kind === 'email' && name !== 'scheduling.send-test-message')
      expect(emails.filter(({ retryLimit = 5 }) => retryLimit < 40).map(({ name }) => name)).toEqual([])
    })

    test('links to existing pages with existing icons', () => {
      expect(nav.map(({ to }) => to).filter((to) => !pages.includes(to))).toEqual([])
      expect(nav.map(({ icon }) => icon).filter((icon) => navIcon(icon) === navIcon('no such icon'))).toEqual([])
    })

    test('has a screen for each of its pages', () => {
      const file = path.join(folder, id, 'e2e/screens.ts')
      const screens = existsSync(file) ? readFileSync(file, 'utf8') : ''
      const shown = [
        ...routes.filter(({ layout }) => layout !== 'resource').map((route) => `/${route.path}`),
        ...records.map(({ kind }) => `/history/${kind}/:id`),
      ]
      expect(shown.filter((page) => !screens.includes(`route: '${page}'`))).toEqual([])
    })

    test('describes every permission that its code checks, and no other', () => {
      const checked = sources.flatMap(({ name, text }) =>
        name === 'permissions.ts'
          ? []
          : [...text.matchAll(/'([a-z0-9-]+:[a-z0-9-]+:(?:read|write))'/g)].map(([, permission]) => permission!),
      )
      // Other modules describe their own permissions.
      const others = new Set(
        modules.filter((other) => other.id !== id).flatMap((other) => Object.keys(other.permissions)),
      )
      expect(new Set(checked.filter((name) => !others.has(name)))).toEqual(new Set(Object.keys(permissions)))
      for (const sentence of Object.values(permissions)) expect(sentence).toMatch(/^[A-Z].*[^.]$/)
    })

    test('registers every entity that it defines', () => {
      const defined = sources.flatMap(({ text }) =>
        [...text.matchAll(/defineEntity\(\{\s*name: '(\w+)'/g)].map(([, name]) => name!),
      )
      expect(entities.map(({ meta }) => meta.className).toSorted()).toEqual(defined.toSorted())
    })

    test('records the history of existing columns, with an existing permission', () => {
      for (const { kind, fields, permission, restore } of records) {
        const entity = entities.find(({ meta }) => meta.tableName === kind)
        const columns = Object.entries(entity?.meta.properties ?? {}).map(
          ([name, { kind: as }]) => `${snakeCase(name)}${as === 'm:1' ? '_id' : ''}`,
        )
        expect(Object.keys(fields).filter((column) => !columns.includes(column))).toEqual([])
        expect(columns).toEqual(
          expect.arrayContaining(['created_at', 'updated_at', ...(restore ? ['deleted_at'] : [])]),
        )
        expect(Object.keys(permissions)).toEqual(expect.arrayContaining([permission.read, permission.write]))
      }
    })

    test('numbers its migrations in the order in which they run', () => {
      const numbers = migrations.map(({ name }) => name.slice(`${id}/`.length).replace(/-.*/, ''))
      // 0000 prepares a new database for the first one.
      const first = numbers[0] === '0000' ? 0 : 1
      expect(numbers).toEqual(migrations.map((_, index) => String(index + first).padStart(4, '0')))
    })
  },
)

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function readSources(id: string): { name: string; text: string }[] {
  return readdirSync(path.join(folder, id), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.test.ts'))
    .map((name) => ({ name, text: readFileSync(path.join(folder, id, name), 'utf8') }))
}
