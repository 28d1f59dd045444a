import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const checks = ['format', 'lint', 'terms', 'types', 'imports', 'build']

/** The files with tests that are generated for each module. TEST_MODULES limits them to some. */
const generatedTests = [
  ...['modules', 'openapi', 'fuzz', 'trash', 'schema'].map((name) => `tests/contract/${name}.test.ts`),
  'tests/isolation',
]

/**
 * @typedef {object} Selection Steps to run (default: all), and the files or folders of each step with tests (default:
 * all).
 * @property {string[]} [steps]
 * @property {string[]} [modules] limits the generated tests
 * @property {string[]} [unit]
 * @property {string[]} [speed]
 * @property {string[]} [contract]
 * @property {string[]} [browser]
 * @property {string[]} [start]
 * @property {string[]} [processes]
 * @property {string[]} [copies]
 */

const unitFolders = ['app', 'db', 'tenants', 'modules', 'scripts']
const createsDatabase =
  /#tests\/support\/(test-app|factories|database|built-app|two-tenants)\b|\b(startEmbedded|asOwner)\b/

/** Lists the unit tests that create no database of their own, which takes longer than the test. */
export function listTestsWithoutDatabase() {
  return unitFolders
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => path.join(folder, file)))
    .filter(
      (file) =>
        /\.test\.tsx?$/.test(file) && !/\/e2e\//.test(file) && !createsDatabase.test(readFileSync(file, 'utf8')),
    )
}

/**
 * Selects all tests of the modules: their own, those generated for them, and their screens.
 * @param {string[]} modules
 * @returns {Selection}
 */
export function selectModules(modules) {
  return {
    steps: [...checks, 'unit', 'speed', 'contract', 'browser'],
    modules,
    unit: modules.map((name) => `modules/${name}/`),
    speed: modules.map((name) => `modules/${name}/`),
    contract: generatedTests,
    browser: [...modules.map((name) => `modules/${name}/e2e/`), 'tests/e2e/screens.test.ts'],
  }
}

/**
 * Selects what a change of `files` can affect: a test file itself; a module's own tests, those of the modules that
 * depend on it, and the browser tests of the whole product; documentation, its own checks. Any other change selects
 * everything.
 * @param {string[]} files
 * @param {string[]} allModules
 * @param {(module: string) => string[]} [getDependencies]
 * @returns {Selection}
 */
export function selectChanged(files, allModules, getDependencies = readDependencies) {
  const tests = files.filter((file) => /\.test\.tsx?$/.test(file))
  const docs = files.filter((file) => /\.md$/.test(file))
  const others = files.filter((file) => !tests.includes(file) && !docs.includes(file))
  const changed = allModules.filter((name) => others.some((file) => file.startsWith(`modules/${name}/`)))
  if (!others.every((file) => changed.some((name) => file.startsWith(`modules/${name}/`)))) return {}

  const modules = withDependents(changed, allModules, getDependencies)
  const selected = modules.length ? selectModules(modules) : {}
  const isFor = (pattern) => (file) => pattern.test(file)
  const inBrowser = tests.filter(isFor(/\/e2e\//))
  const contract = tests.filter(isFor(/^tests\/(contract|isolation|pages)\//))
  const start = tests.filter(isFor(/^tests\/start\/|^db\/embedded\//))
  const unit = tests.filter((file) => ![...inBrowser, ...contract, ...start].includes(file))
  const filters = {
    // The documentation quotes the generator's example, links to files and names tests.
    unit: [
      ...(selected.unit ?? []),
      ...unit,
      ...(docs.length ? ['scripts/new-module/', 'scripts/documentation.test.ts'] : []),
    ],
    speed: [...(selected.speed ?? []), ...unit],
    contract: [...(selected.contract ?? []), ...contract],
    browser: [...(modules.length ? [...selected.browser, 'tests/e2e/'] : []), ...inBrowser],
    start,
    processes: start,
    copies: start,
  }
  const withTests = Object.keys(filters).filter((name) => filters[name].length)
  const runsOtherGenerated = contract.some((file) => generatedTests.some((prefix) => file.startsWith(prefix)))
  return { steps: [...checks, ...withTests], ...filters, modules: runsOtherGenerated ? [] : modules }
}

function withDependents(changed, allModules, getDependencies) {
  const affected = new Set(changed)
  for (let size = 0; size !== affected.size; ) {
    size = affected.size
    for (const name of allModules) if (getDependencies(name).some((other) => affected.has(other))) affected.add(name)
  }
  return allModules.filter((name) => affected.has(name))
}

function readDependencies(name) {
  const [, list = ''] = /dependsOn: \[([^\]]*)\]/.exec(readFileSync(`modules/${name}/module.ts`, 'utf8')) ?? []
  return [...list.matchAll(/'([\w-]+)'/g)].map(([, module]) => module)
}

/** The files that differ from the main branch, committed or not. On the main branch itself: from the last commit. */
export function listChangedFiles() {
  const base = ['origin/main', 'main'].map((branch) => tryGit('merge-base', 'HEAD', branch)[0]).find(Boolean)
  return [
    ...new Set([
      ...tryGit('diff', '--name-only', '--no-renames', base ?? 'HEAD'),
      ...tryGit('ls-files', '--others', '--exclude-standard'),
    ]),
  ]
}

function tryGit(...args) {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .split('\n')
      .filter(Boolean)
  } catch {
    return []
  }
}
