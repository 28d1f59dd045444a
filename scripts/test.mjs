// Runs the checks and tests, from a fresh clone on, on any Node from 20 on:
//   npm test                  everything
//   npm run check             the fast steps, with the unit tests that need no database
//   npm test -- types unit    these steps
//   npm test -- crm           everything of one module or several
//   npm test -- --changed     what the changes against the main branch can affect
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { withLock } from './with-lock.mjs'
import { ensureBuilt } from './ensure-built.mjs'
import { ensureInstalled, root } from './ensure-installed.mjs'
import { listChangedFiles, listTestsWithoutDatabase, selectChanged, selectModules } from './test-selection.mjs'
import { reports, runPlaywright, runTool, runVitest } from './test-runners.mjs'

const folders = ['app', 'db', 'tenants', 'modules', 'scripts', 'tests']
const build = () => withLock(root, ensureBuilt)

/** The steps of a stage run side by side, the stages one after the other. */
const stages = [
  [
    { name: 'format', fast: true, run: () => runTool('node_modules/@biomejs/biome/bin/biome', 'format') },
    { name: 'lint', fast: true, run: () => runTool('node_modules/oxlint/bin/oxlint', '--quiet', '--deny-warnings') },
    { name: 'terms', fast: true, run: () => runTool('scripts/check-terms.mjs') },
    { name: 'types', fast: true, run: () => runTool('node_modules/typescript-native/bin/tsc', '-p', '.') },
    { name: 'imports', fast: true, run: checkImports },
  ],
  [
    { name: 'build', run: build },
    { name: 'unit', fast: true, run: ({ unit }) => runVitest(['unit'], { files: unit }) },
  ],
  // It measures time, so nothing runs beside it, not even the build.
  [{ name: 'speed', run: ({ speed }) => runVitest(['speed'], { files: speed }) }],
  [{ name: 'contract', run: runContract }],
  [{ name: 'browser', run: runBrowser }],
  // Starting measures time, so nothing runs beside it.
  [{ name: 'start', run: ({ start }) => runVitest(['start'], { files: start }) }],
  [
    { name: 'processes', run: ({ processes }) => runVitest(['processes'], { files: processes }) },
    { name: 'copies', run: ({ copies }) => runVitest(['copies'], { files: copies }) },
  ],
]

process.chdir(root)
await withLock(root, () => ensureInstalled({ development: true }))
rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })

const total = { passed: 0, failed: 0 }
const selection = select(process.argv.slice(2))
for (const stage of stages) {
  const steps = stage.filter(({ name }) => selection.steps.includes(name))
  const results = await Promise.all(steps.map(runStep))
  for (const result of results) report(result)
  if (!results.every(({ ok }) => ok)) break
}
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed ? 1 : 0)

/**
 * Returns the steps to run, and for each step with tests the files or folders to run instead of all. Exits on an
 * unknown argument.
 */
function select(args) {
  const steps = stages.flat()
  const all = steps.map(({ name }) => name)
  const modules = readdirSync('modules').filter((name) => existsSync(path.join('modules', name, 'module.ts')))
  if (args.includes('--fast'))
    return { steps: steps.filter(({ fast }) => fast).map(({ name }) => name), unit: listTestsWithoutDatabase() }
  if (args.includes('--changed')) return { steps: all, ...selectChanged(listChangedFiles(), modules) }
  const unknown = args.find((arg) => !all.includes(arg) && !modules.includes(arg))
  if (unknown) {
    console.error(`"${unknown}" is neither a step (${all.join(', ')}) nor a module (${modules.join(', ')}).`)
    process.exit(1)
  }
  const named = all.filter((name) => args.includes(name))
  const selected = modules.filter((name) => args.includes(name))
  return { steps: all, ...(selected.length ? selectModules(selected) : {}), ...(named.length ? { steps: named } : {}) }
}

async function runStep({ name, run }) {
  const startedAt = Date.now()
  const { ok = true, output = '', passed = 0, failures = [] } = (await run(selection)) ?? {}
  return { name, ok, output, passed, failures, seconds: (Date.now() - startedAt) / 1000 }
}

function report({ name, ok, output, passed, failures, seconds }) {
  total.passed += passed
  // A step can fail without a failing test.
  total.failed += ok ? 0 : Math.max(failures.length, 1)
  const tests = passed + failures.length
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${name} (${seconds.toFixed(1)} s${tests ? `, ${tests} tests` : ''})`)
  if (ok) return
  // Print failures first, one line each.
  for (const failure of failures) console.log(`  ✘ ${failure}`)
  console.log(`\n${output.trim()}`)
}

function checkImports() {
  const depcruise = 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'
  return runTool(depcruise, '--config', '.dependency-cruiser.cjs', ...folders)
}

async function runContract({ contract, modules }) {
  await build()
  return runVitest(['contract', 'built'], { files: contract, modules })
}

async function runBrowser({ browser, modules }) {
  await build()
  return runPlaywright(browser, modules)
}
