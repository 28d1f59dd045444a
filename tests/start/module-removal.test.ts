import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ModuleManifest } from '#modules/core/manifest.ts'
import { modules } from '#modules/registry.ts'
import { cleanEnvironment, copyCheckout, launch, root } from './support/process.ts'

const checkedTypes = '.cache/types.tsbuildinfo'

// The modules are removed one after the other, from one copy: its test database is prepared once.
let copy: string
beforeAll(() => {
  copy = path.join(mkdtempSync(path.join(tmpdir(), 'practice-removal-')), 'checkout')
  copyCheckout(copy)
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
  // Only what a removal changes is checked again.
  if (existsSync(path.join(root, checkedTypes))) cpSync(path.join(root, checkedTypes), path.join(copy, checkedTypes))
})
afterAll(() => rmSync(path.dirname(copy), { recursive: true, force: true }))

const removable = modules.filter(({ id }) => !modules.some(({ dependsOn = [] }) => dependsOn.includes(id)))

test('there are modules that no other module depends on', () => {
  expect(removable.map(({ id }) => id)).toEqual(expect.arrayContaining(['google', 'pipeline']))
})

test('the modules that another one takes part in are found', () => {
  const extended = Object.fromEntries(removable.map((module) => [module.id, listExtended(module)]))
  expect(extended).toMatchObject({
    google: expect.arrayContaining(['scheduling']),
    pipeline: expect.arrayContaining(['crm', 'scheduling']),
    stripe: expect.arrayContaining(['billing', 'admin']),
    zoom: expect.arrayContaining(['summaries']),
  })
})

test('no file but those that are removed with them, and the registry, imports these modules', () => {
  restoreModules()
  const user = path.join(copy, 'modules/core/uses-resources.ts')
  writeFileSync(user, "export { default } from '#modules/resources/module.ts'\n")
  expect(findImports()).toEqual(['modules/core/uses-resources.ts: resources'])
  rmSync(user)
  expect(findImports()).toEqual([])
})

test.each(groupModules(removable))(
  'without the modules $ids the product passes its tests',
  {
    timeout: 600_000,
  },
  async ({ removed, checksTypes }) => {
    restoreModules()
    for (const { id } of removed) removeModule(id)
    // The tests of modules that others depend on run below, once for all that extend them.
    const remaining = removable.filter((module) => !removed.includes(module)).map(({ id }) => id)
    const extended = new Set(removed.flatMap(listExtended).filter((id) => remaining.includes(id)))
    const types = checksTypes ? [expectSuccess(['scripts/test.mjs', 'types'])] : []
    await Promise.all([...types, expectTests([...extended])])
  },
)

test('without all of these modules the product passes its checks and tests', { timeout: 600_000 }, async () => {
  restoreModules()
  for (const { id } of removable) removeModule(id)
  const remaining = modules.filter((module) => !removable.includes(module)).map(({ id }) => id)
  await Promise.all([
    expectSuccess(['scripts/test.mjs', 'format', 'lint', 'types', 'imports']),
    expectTests(['core', ...remaining], [...composedTests, 'tests/contract/openapi.test.ts', 'tests/isolation/']),
  ])
})

/**
 * Groups the modules to remove together, so that for each two of them one group has the first and not the second: what
 * one needs of another is missing in some group. Each module stays in half of the groups, in a combination of its own.
 */
function groupModules(modules: ModuleManifest[]): { ids: string; removed: ModuleManifest[]; checksTypes: boolean }[] {
  let combinations: number[][] = []
  let count = 1
  while ((combinations = combine(count, Math.floor(count / 2))).length < modules.length) count++
  const unchecked = new Set(
    modules.filter(extendsTypes).flatMap((one) => listExtended(one).map((id) => `${one.id} ${id}`)),
  )
  return Array.from({ length: count }, (_, group) => {
    const removed = modules.filter((_, index) => !combinations[index]!.includes(group))
    const separated = [...unchecked].filter((pair) => {
      const [extender, extended] = pair.split(' ')
      return removed.some(({ id }) => id === extender) && !removed.some(({ id }) => id === extended)
    })
    for (const pair of separated) unchecked.delete(pair)
    return { ids: removed.map(({ id }) => id).join(', '), removed, checksTypes: separated.length > 0 }
  })
}

/** Whether a module adds to the types of others, which then differ without it. */
function extendsTypes({ id }: ModuleManifest): boolean {
  return readSources(id).some((text) => /^declare (module|global)/m.test(text))
}

/** All ways to choose `size` of the numbers below `count`. */
function combine(count: number, size: number): number[][] {
  if (size === 0) return [[]]
  return Array.from({ length: count }, (_, last) => combine(last, size - 1).map((rest) => [...rest, last])).flat()
}

/** Runs the tests of the modules `extended`, and those that any removal can affect. */
function expectTests(extended: string[], composed = composedTests): Promise<void> {
  return expectSuccess([...vitest, ...listAffectedTests(extended), ...composed], {
    TEST_MODULES: ['platform', ...extended].join(','),
  })
}

/**
 * Lists the imports of removable modules in files that stay without them. There are none: so what passes the checks with
 * all of these modules and without any of them passes them without some, too, unless a module adds to others' types.
 */
function findImports(): string[] {
  const files = globSync('{app,db,modules,scripts,tenants,tests}/**/*.{ts,tsx,js,mjs,cjs}', { cwd: copy })
  return files.flatMap((file) =>
    file === 'modules/registry.ts' || isRemovedWithModules(file)
      ? []
      : removable
          .filter(({ id }) => !file.startsWith(`modules/${id}/`) && importsModule(file, id))
          .map(({ id }) => `${file}: ${id}`),
  )
}

/** The tests of several modules. */
const isRemovedWithModules = (file: string): boolean => file.startsWith('tests/') && file.endsWith('.test.ts')

const importsModule = (file: string, id: string): boolean =>
  listImports(path.join(copy, file)).some((imported) => imported.startsWith(path.join(copy, 'modules', id, path.sep)))

/** Deletes the module's folder, its lines in the registry, and the tests that use it beside others. */
function removeModule(name: string): void {
  for (const file of globSync('tests/**/*.test.ts', { cwd: copy }))
    if (importsModule(file, name)) rmSync(path.join(copy, file))
  rmSync(path.join(copy, 'modules', name), { recursive: true })
  const registry = path.join(copy, 'modules/registry.ts')
  const imported = name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  const [listStart, listEnd] = ['= [', ']']
  const text = readFileSync(registry, 'utf8').replace(`import ${imported} from './${name}/module.ts'\n`, '')
  const start = text.indexOf(listStart, text.indexOf('export const modules')) + listStart.length
  const end = text.indexOf(listEnd, start)
  const list = text
    .slice(start, end)
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry && entry !== imported)
  writeFileSync(registry, `${text.slice(0, start)}${list.join(', ')}${text.slice(end)}`)
}

/** Brings back what a test before has deleted. */
function restoreModules(): void {
  for (const folder of ['modules', 'tests'])
    cpSync(path.join(root, folder), path.join(copy, folder), { recursive: true })
}

/**
 * Lists the modules that behave otherwise without the removed one. Modules meet at run time only where one asks the
 * registry for what others contribute: a slot or a hook by its name, the directory of prospects, the sources of
 * recordings, the tasks of sessions, the parts of programs, or the metrics. A module that publishes events doesn't notice who subscribes.
 */
function listExtended({
  id,
  contributions = [],
  hooks = [],
  prospects,
  recordingSource,
  sessionTasks,
  programPart,
  metrics,
}: ModuleManifest): string[] {
  const points = [...contributions.map(({ slot }) => slot), ...hooks.map(({ hook }) => hook)]
  const asks = (text: string) =>
    (prospects && text.includes('extensions.prospects')) ||
    (sessionTasks && text.includes('extensions.sessionTasks')) ||
    (programPart && text.includes('extensions.programParts')) ||
    (metrics && text.includes('extensions.metrics')) ||
    (recordingSource && text.includes('extensions.recordingSources')) ||
    points.some((point) => text.replaceAll(`slot: '${point}'`, '').includes(`'${point}'`))
  const others = modules.map((other) => other.id).filter((other) => other !== id)
  return others.filter((other) => readSources(other).some(asks))
}

function readSources(module: string): string[] {
  const files = globSync(`modules/${module}/**/*.{ts,tsx}`, {
    cwd: root,
    exclude: ['modules/*/e2e/**', '**/*.test.ts*'],
  })
  return files.map((file) => readFileSync(path.join(root, file), 'utf8'))
}

/**
 * The tests of what is composed of all modules, and of the database, in which the tables and triggers of a removed one are
 * missing. The calls and tables of all others are the same as with the module: those and their isolation are tried once,
 * without all of them.
 */
const composedTests = ['modules', 'schema', 'trash'].map((name) => `tests/contract/${name}.test.ts`)

/**
 * The tests of the modules that a removed one extends, but those that don't import the registry: no module takes part in
 * another without it.
 */
function listAffectedTests(extended: string[]): string[] {
  // Copies run in the background, where speed can't be measured.
  const exclude = ['modules/*/e2e/**', '**/*-speed.test.ts']
  const tests = extended.flatMap((id) => globSync(`modules/${id}/**/*.test.{ts,tsx}`, { cwd: copy, exclude }))
  return tests.filter((file) => importsRegistry(path.join(copy, file)))
}

/** Whether a file imports the registry, directly or not. */
function importsRegistry(test: string): boolean {
  const files = new Set([test])
  for (const file of files) for (const imported of listImports(file)) files.add(imported)
  return files.has(path.join(copy, 'modules/registry.ts'))
}

/** The files of ours that a file of the copy imports. */
function listImports(file: string): string[] {
  const names = readFileSync(file, 'utf8').matchAll(/\b(?:from|import\(?|mock\()\s*['"`]([#.][^'"`]+\.\w+)['"`]/g)
  const paths = [...names].map(([, name]) =>
    name!.startsWith('#') ? path.join(copy, name!.slice(1)) : path.join(path.dirname(file), name!),
  )
  return paths.filter((imported) => existsSync(imported))
}

const projects = ['--project', 'unit', '--project', 'contract']
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot', ...projects]

async function expectSuccess(args: string[], env: Record<string, string> = {}): Promise<void> {
  const { code, output } = await run(args, env)
  expect([args, code], output).toEqual([args, 0])
}

async function run(args: string[], env: Record<string, string> = {}): Promise<{ code: number | null; output: string }> {
  const running = launch(process.execPath, args, {
    cwd: copy,
    env: { ...cleanEnvironment(), NODE_ENV: 'test', TEST_DATABASES: 'disk', ...env },
  })
  return { code: await running.exit, output: running.output() }
}
