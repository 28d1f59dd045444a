import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ensureChromium } from './ensure-chromium.mjs'
import { node, root } from './ensure-installed.mjs'

export const reports = path.join(root, '.cache/reports')

/** Runs a script on the Node of the lockfile. Returns its output, to be printed if it fails. */
export function runTool(program, ...args) {
  return runToolWith({}, program, ...args)
}

/**
 * Runs the tests of the given Vitest projects: all, or those in `files`. `modules` limits the generated tests.
 */
export async function runVitest(projects, { files = [], modules = [] } = {}) {
  const report = path.join(reports, `${projects[0]}.json`)
  const result = await runToolWith(
    { env: { NO_COLOR: '1', ...limitTo(modules) } },
    'node_modules/vitest/vitest.mjs',
    'run',
    ...projects.flatMap((name) => ['--project', name]),
    ...files,
    '--passWithNoTests',
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${report}`,
  )
  const { numPassedTests = 0, testResults = [] } = readReport(report)
  return { ...result, passed: numPassedTests, failures: testResults.flatMap(listVitestFailures) }
}

function listVitestFailures({ name, message, assertionResults }) {
  const file = path.relative(root, name)
  const failed = assertionResults.filter(({ status }) => status === 'failed')
  if (!failed.length && message) return [formatFailure([file], message)]
  return failed.map(({ fullName, failureMessages }) => formatFailure([file, fullName], failureMessages[0]))
}

/** Runs the browser tests: all, or those in `files`. `modules` limits the screens to look at. */
export async function runPlaywright(files = [], modules = []) {
  let chromium
  try {
    chromium = ensureChromium()
  } catch (error) {
    return { ok: false, output: error.message }
  }
  const report = path.join(reports, 'browser.json')
  const result = await runToolWith(
    { env: { FORCE_COLOR: '0', CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: report, ...limitTo(modules) } },
    'node_modules/@playwright/test/cli.js',
    'test',
    ...files,
    '--pass-with-no-tests',
    '--reporter=dot,json',
  )
  const { stats, suites = [] } = readReport(report)
  const failures = listSpecs(suites)
    .filter(({ ok }) => !ok)
    .map(({ file, title, tests }) =>
      formatFailure(
        [file, title],
        tests
          .flatMap(({ results }) => results)
          .flatMap(listErrors)
          .join('\n') || undefined,
      ),
    )
  return {
    ...result,
    output: `${getServerErrors(result.output)}${result.output}`,
    passed: stats?.expected ?? 0,
    failures,
  }
}

/** A test that times out has a second error, which names what it waited for. */
const listErrors = ({ errors = [] }) => errors.map(({ message }) => message)

/** The last lines that the server under test printed to stderr. If it ended, its exit status is among them. */
function getServerErrors(output) {
  const lines = output.split('\n').filter((line) => line.startsWith('[WebServer] '))
  return lines.length ? `${lines.slice(-30).join('\n')}\n\n` : ''
}

function limitTo(modules) {
  return modules.length ? { TEST_MODULES: modules.join(',') } : {}
}

function listSpecs(suites) {
  return suites.flatMap(({ specs = [], suites = [] }) => [...specs, ...listSpecs(suites)])
}

/** Formats a failure as one line. */
function formatFailure(titles, message = 'no result') {
  const lines = message
    .replaceAll(/\u001b\[\d*m/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  return `${titles.join(' › ')}: ${lines.slice(0, 20).join(' | ').slice(0, 1500)}`
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}

function runToolWith({ env = {} }, program, ...args) {
  return new Promise((resolve) => {
    const child = spawn(node, [program, ...args], {
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
