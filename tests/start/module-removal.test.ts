import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { cleanEnvironment, copyCheckout, createTempFolder, launch, root } from './support/process.ts'

const names = readdirSync(path.join(root, 'modules'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'core')
  .map(({ name }) => name)
const dependencies = names.flatMap((name) => {
  const manifest = readFileSync(path.join(root, 'modules', name, 'module.ts'), 'utf8')
  const [, list = ''] = /dependsOn: \[([^\]]*)\]/.exec(manifest) ?? []
  return [...list.matchAll(/'([\w-]+)'/g)].map(([, dependency]) => dependency!)
})
const removable = names.filter((name) => !dependencies.includes(name))

test('there are modules that no other module depends on', () => {
  expect(removable).toEqual(expect.arrayContaining(['google', 'pipeline']))
})

test.each(removable)(
  'without the module %s the product passes its checks and tests',
  { timeout: 600_000 },
  async (name) => {
    const copy = path.join(createTempFolder(), 'checkout')
    copyCheckout(copy)
    symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
    removeModule(copy, name)

    await expectSuccess(copy, 'scripts/test.mjs', 'types', 'lint', 'imports')
    await expectSuccess(copy, ...vitest, ...listAffectedTests(copy), ...generatedTests)
  },
)

/** Deletes the module's folder, its lines in the registry, and the tests that use it beside others. */
function removeModule(copy: string, name: string): void {
  rmSync(path.join(copy, 'modules', name), { recursive: true })
  for (const file of readdirSync(path.join(copy, 'tests'), { recursive: true, encoding: 'utf8' })) {
    const test = path.join(copy, 'tests', file)
    if (file.endsWith('.test.ts') && readFileSync(test, 'utf8').includes(`'#modules/${name}/`)) rmSync(test)
  }
  const registry = path.join(copy, 'modules/registry.ts')
  const [listStart, listEnd] = ['= [', ']']
  const text = readFileSync(registry, 'utf8').replace(`import ${name} from './${name}/module.ts'\n`, '')
  const start = text.indexOf(listStart, text.indexOf('export const modules')) + listStart.length
  const end = text.indexOf(listEnd, start)
  const list = text
    .slice(start, end)
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry && entry !== name)
  writeFileSync(registry, `${text.slice(0, start)}${list.join(', ')}${text.slice(end)}`)
}

/**
 * Lists the modules' tests that a removed module can affect: those whose imports lead to the registry, and those that list
 * folders. The others load what they loaded before, and pass as before.
 */
function listAffectedTests(copy: string): string[] {
  const depcruise = 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'
  const args = ['--config', '.dependency-cruiser.cjs', '--reaches', '^modules/registry', '--output-type', 'json']
  const { stdout } = spawnSync(process.execPath, [depcruise, ...args, 'modules'], {
    cwd: copy,
    encoding: 'utf8',
    maxBuffer: 64_000_000,
  })
  const { modules } = JSON.parse(stdout) as { modules: { source: string }[] }
  const reaching = new Set(modules.map(({ source }) => source))
  const tests = globSync('modules/**/*.test.{ts,tsx}', { cwd: copy, exclude: ['modules/*/e2e/**'] })
  const listsFolders = (file: string) => /\b(readdir|glob)/.test(readFileSync(path.join(copy, file), 'utf8'))
  const affected = tests.filter((file) => reaching.has(file) || listsFolders(file))
  expect(affected).toContain('modules/core/demo.test.ts')
  expect(affected.length).toBeLessThan(tests.length)
  return affected
}

const projects = ['--project', 'unit', '--project', 'contract']
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot', ...projects]
const generatedTests = [
  'tests/isolation',
  ...['modules', 'schema', 'openapi', 'trash'].map((name) => `tests/contract/${name}.test.ts`),
]

async function expectSuccess(copy: string, ...args: string[]): Promise<void> {
  const running = launch(process.execPath, args, { cwd: copy, env: { ...cleanEnvironment(), NODE_ENV: 'test' } })
  expect([args, await running.exit], running.output()).toEqual([args, 0])
}
