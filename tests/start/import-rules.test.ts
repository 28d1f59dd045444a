import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { cruise, type IConfiguration, type ICruiseResult } from 'dependency-cruiser'
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config'
import { afterEach, beforeEach, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const rules: IConfiguration = createRequire(import.meta.url)(path.join(root, '.dependency-cruiser.cjs'))
const violations: Record<string, Record<string, string>> = {
  'no-cycles': { 'db/a.ts': "import './b.ts'", 'db/b.ts': "import './a.ts'" },
  'no-missing-files': { 'db/a.ts': "import './nowhere.ts'" },
  'lib-imports-nothing-of-ours': { 'app/lib/a.ts': "import '#app/ui/b.ts'", 'app/ui/b.ts': '' },
  'ui-imports-lib-only': { 'app/ui/a.ts': "import '#db/b.ts'", 'db/b.ts': '' },
  'db-is-the-floor': { 'db/a.ts': "import '#tenants/b.ts'", 'tenants/b.ts': '' },
  'tenants-below-modules': { 'tenants/a.ts': "import '#modules/x/index.ts'", 'modules/x/index.ts': '' },
  'modules-do-not-know-the-shell': { 'modules/x/a.ts': "import '#app/shell/b.ts'", 'app/shell/b.ts': '' },
  'other-modules-through-index': { 'modules/x/a.ts': "import '../y/services/b.ts'", 'modules/y/services/b.ts': '' },
  'core-knows-no-module': { 'modules/core/a.ts': "import '../x/index.ts'", 'modules/x/index.ts': '' },
  'registry-reads-manifests-only': {
    'modules/registry.ts': "import './x/services/b.ts'",
    'modules/x/services/b.ts': '',
  },
  'modules-do-not-import-the-registry': { 'modules/x/a.ts': "import '../registry.ts'", 'modules/registry.ts': '' },
  'shell-knows-the-registry-only': {
    'app/shell/a.ts': "import '#modules/x/services/b.ts'",
    'modules/x/services/b.ts': '',
  },
  'thin-routes': { 'modules/x/routes/a.ts': "import '../schema.ts'", 'modules/x/schema.ts': '' },
  'browser-code-stays-browser': {
    'modules/x/components/a.ts': "import '../services/b.ts'",
    'modules/x/services/b.ts': '',
  },
  'tests-stay-outside': { 'db/a.ts': "import '#tests/b.ts'", 'tests/b.ts': '' },
}
let folder: string
let before: string

beforeEach(() => {
  before = process.cwd()
  folder = mkdtempSync(path.join(tmpdir(), 'practice-rules-'))
  for (const name of ['package.json', 'tsconfig.json'])
    writeFileSync(path.join(folder, name), readFileSync(path.join(root, name)))
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  process.chdir(folder)
})

afterEach(() => {
  process.chdir(before)
  rmSync(folder, { recursive: true, force: true })
})

test('every rule has a violation here', () => {
  expect(Object.keys(violations).sort()).toEqual(rules.forbidden!.map((rule) => rule.name).sort())
})

test.each(Object.entries(violations))('%s fails when it is violated', async (rule, files) => {
  for (const [file, text] of Object.entries(files)) write(file, `${text}\nexport {}\n`)
  const violations = await findBrokenRules()
  expect(violations).toContain(rule)
})

test('types can be imported where values cannot', async () => {
  write('modules/x/components/a.ts', "import type { Row } from '../schema.ts'\nexport type Shown = Row\n")
  write('modules/x/schema.ts', 'export type Row = { id: number }\n')
  expect(await findBrokenRules()).toEqual([])
})

test('allowed imports violate no rule', async () => {
  write('app/lib/errors.ts', 'export const one = 1\n')
  write('db/a.ts', "export { one } from '#app/lib/errors.ts'\n")
  write('tenants/a.ts', "export { one } from '#db/a.ts'\n")
  write('modules/x/index.ts', "export { one } from '#tenants/a.ts'\n")
  write('modules/y/services/b.ts', "export { one } from '../../x/index.ts'\n")
  write('modules/y/module.ts', "export { one } from './services/b.ts'\n")
  write('modules/registry.ts', "export { one } from './y/module.ts'\n")
  write('app/routes.ts', "export { one } from '../modules/registry.ts'\n")
  expect(await findBrokenRules()).toEqual([])
})

async function findBrokenRules(): Promise<string[]> {
  const { options = {}, ...ruleSet } = rules
  const tsConfig = extractTsConfig(path.join(folder, 'tsconfig.json'))
  const { output } = await cruise(['.'], { ...options, ruleSet, validate: true, baseDir: folder }, undefined, {
    tsConfig,
  })
  return (output as ICruiseResult).summary.violations.map((violation) => violation.rule.name)
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
  writeFileSync(path.join(folder, file), text)
}
