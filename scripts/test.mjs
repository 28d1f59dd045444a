// All checks from a fresh clone on, on any Node from 20 on: `npm test`, or with --fast those that take less than a minute.
// `npm test -- types unit` runs the named steps only.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { alone } from './with-lock.mjs'
import { ensureBuilt } from './ensure-built.mjs'
import { ensureChromium } from './ensure-chromium.mjs'
import { ensureInstalled, node, root } from './ensure-installed.mjs'

const reports = path.join(root, '.cache/reports')
const folders = ['app', 'db', 'tenants', 'modules', 'scripts', 'tests']

/** One line after the other; what stands in one line runs side by side. */
const steps = [
  [
    { name: 'types', fast: true, run: () => tool('typescript/bin/tsc', '-p', '.') },
    { name: 'lint', fast: true, run: () => tool('oxlint/bin/oxlint', '--quiet', '--deny-warnings') },
    {
      name: 'imports',
      fast: true,
      run: () =>
        tool('dependency-cruiser/bin/dependency-cruise.mjs', '--config', '.dependency-cruiser.cjs', ...folders),
    },
    { name: 'build', run: () => alone(root, ensureBuilt) },
  ],
  [{ name: 'unit', fast: true, run: () => vitest('unit') }],
  [{ name: 'contract', run: contract }],
  [{ name: 'browser', run: browser }],
  [{ name: 'start', run: () => vitest('start') }],
  [{ name: 'copies', run: () => vitest('copies') }],
]

process.chdir(root)
await alone(root, () => ensureInstalled({ development: true }))
rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })

const total = { passed: 0, failed: 0 }
for (const line of chosen(process.argv.slice(2))) {
  const done = await Promise.all(line.map(timed))
  for (const step of done) tell(step)
  if (!done.every(({ ok }) => ok)) break
}
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed ? 1 : 0)

async function timed({ name, run }) {
  const began = Date.now()
  const { ok = true, output = '', passed = 0, failures = [] } = (await run()) ?? {}
  return { name, ok, output, passed, failures, seconds: (Date.now() - began) / 1000 }
}

function tell({ name, ok, output, passed, failures, seconds }) {
  const failed = failures.length
  total.passed += passed
  // A step that breaks without a failing test is a failure too.
  total.failed += ok ? 0 : Math.max(failed, 1)
  const counted = passed + failed ? `, ${passed + failed} tests` : ''
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${name} (${seconds.toFixed(1)} s${counted})`)
  if (ok) return
  // What failed comes first, a line each: whoever reads the beginning only knows it.
  for (const failure of failures) console.log(`  ✘ ${failure}`)
  console.log(`\n${output.trim()}`)
}

function chosen(args) {
  const names = args.filter((arg) => arg !== '--fast')
  const known = steps.flat().map(({ name }) => name)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown) {
    console.error(`There is no step "${unknown}". The steps are: ${known.join(', ')}.`)
    process.exit(1)
  }
  const wanted = ({ name, fast }) => (names.length ? names.includes(name) : fast || !args.includes('--fast'))
  return steps.map((line) => line.filter(wanted)).filter((line) => line.length)
}

async function contract() {
  await alone(root, ensureBuilt)
  return vitest('contract', 'built')
}

async function vitest(...projects) {
  const report = path.join(reports, `${projects[0]}.json`)
  const done = await toolWith(
    { NO_COLOR: '1' },
    'vitest/vitest.mjs',
    'run',
    ...projects.flatMap((name) => ['--project', name]),
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${report}`,
  )
  const { numPassedTests = 0, testResults = [] } = read(report)
  const failures = testResults.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed')
    if (!failed.length && message) return [said([path.relative(root, name)], message)]
    return failed.map(({ fullName, failureMessages }) =>
      said([path.relative(root, name), fullName], failureMessages[0]),
    )
  })
  return { ...done, passed: numPassedTests, failures }
}

async function browser() {
  let chromium
  try {
    chromium = ensureChromium()
  } catch (error) {
    return { ok: false, output: error.message }
  }
  const report = path.join(reports, 'browser.json')
  const env = { FORCE_COLOR: '0', CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: report }
  const done = await toolWith(env, '@playwright/test/cli.js', 'test', '--reporter=dot,json')
  const { stats, suites = [] } = read(report)
  const failures = specsOf(suites)
    .filter(({ ok }) => !ok)
    .map(({ file, title, tests }) =>
      said([file, title], tests.flatMap(({ results }) => results).find(({ error }) => error)?.error.message),
    )
  return { ...done, passed: stats?.expected ?? 0, failures }
}

function specsOf(suites) {
  return suites.flatMap(({ specs = [], suites = [] }) => [...specs, ...specsOf(suites)])
}

/** A failure in one line. */
function said(where, message = 'no result') {
  const words = message
    .replaceAll(/\u001b\[\d*m/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  return `${where.join(' › ')}: ${words.slice(0, 6).join(' | ').slice(0, 400)}`
}

function read(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8'))
  } catch {
    return {}
  }
}

function tool(program, ...args) {
  return toolWith({}, program, ...args)
}

/** Runs a package's program on the Node of the lockfile; what it says is kept for the case that it fails. */
function toolWith(env, program, ...args) {
  return new Promise((resolve) => {
    const child = spawn(node, [path.join('node_modules', program), ...args], {
      cwd: root,
      env: { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}`, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.once('error', (error) => resolve({ ok: false, output: error.message }))
    child.once('close', (code) => resolve({ ok: code === 0, output }))
  })
}
