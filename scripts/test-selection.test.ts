import { describe, expect, test } from 'vitest'
import { listTestsWithoutDatabase, selectChanged, selectModules } from './test-selection.mjs'

const modules = ['crm', 'billing', 'scheduling']
const dependencies: Record<string, string[]> = { billing: ['crm'] }
const select = (...files: string[]) => selectChanged(files, modules, (name: string) => dependencies[name] ?? [])

describe('the tests of a change', () => {
  test('in a module are its own, those of its dependents, and those of the whole product in the browser', () => {
    const selection = select('modules/crm/forms.ts')
    expect(selection.modules).toEqual(['crm', 'billing'])
    expect(selection.unit).toEqual(['modules/crm/', 'modules/billing/'])
    expect(selection.contract).toEqual(selectModules(['crm']).contract)
    expect(selection.browser).toContain('tests/e2e/')
    expect(selection.steps).not.toContain('start')
  })

  test('in a test file are that file', () => {
    expect(select('modules/crm/api.test.ts')).toMatchObject({ unit: ['modules/crm/api.test.ts'], contract: [] })
    expect(select('tests/e2e/paste.test.ts')).toMatchObject({ browser: ['tests/e2e/paste.test.ts'], unit: [] })
    expect(select('tests/contract/fuzz.test.ts')).toMatchObject({ contract: ['tests/contract/fuzz.test.ts'] })
    expect(select('tests/start/shutdown.test.ts')).toMatchObject({ start: ['tests/start/shutdown.test.ts'] })
  })

  test('in the documentation are those that read it', () => {
    const unit = ['scripts/new-module/', 'scripts/documentation.test.ts']
    expect(select('docs/modules.md')).toMatchObject({ unit, browser: [] })
  })

  test('in anything else are all', () => {
    for (const file of ['app/root.tsx', 'tests/support/factories.ts', 'modules/registry.ts', 'package.json'])
      expect([file, select('modules/crm/forms.ts', file)]).toEqual([file, {}])
  })

  test('generated for all modules are not limited to the changed ones if their file changed', () => {
    expect(select('modules/billing/forms.ts', 'tests/contract/fuzz.test.ts').modules).toEqual([])
  })
})

test('the fast tests are those that create no database', () => {
  const files = listTestsWithoutDatabase()
  expect(files).toEqual(expect.arrayContaining(['app/lib/money.test.ts', 'scripts/test-selection.test.ts']))
  expect(files).not.toContain('modules/crm/duplicates.test.ts')
})
