import { cpSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { expect, onTestFinished, test } from 'vitest'
import { ensureChromium } from '#scripts/ensure-chromium.mjs'
import {
  copyCheckout,
  createTempFolder,
  waitUntilReady,
  freePort,
  root,
  getDemoSignIn,
  launch,
  cleanEnvironment,
  getStatus,
  type RunningProcess,
} from './support/process.ts'

test('a generated module passes every check and works in the browser, and so does the product without it', {
  timeout: 600_000,
}, async () => {
  const copy = createCheckout()
  const registry = path.join(copy, 'modules/registry.ts')
  const before = readFileSync(registry, 'utf8')

  const untouched = readSources(copy)
  const refusal = await runNewModule(copy, 'crm')
  expect([refusal.code, refusal.output]).toEqual([1, expect.stringContaining('modules/crm/ already exists')])
  expect(readSources(copy)).toEqual(untouched)

  const written = await runNewModule(copy, 'notes')
  expect([written.code, written.output]).toEqual([0, expect.stringContaining('modules/notes/')])
  const changed = [...readSources(copy)].filter(([file, text]) => untouched.get(file) !== text).map(([file]) => file)
  expect(changed.filter((file) => !file.startsWith('modules/notes/'))).toEqual(['modules/registry.ts'])

  await expectSuccess(copy, checks, build, [
    ...vitest,
    '--project',
    'unit',
    'modules/notes',
    'modules/core/validate-manifests.test.ts',
  ])
  const data = path.join(createTempFolder(), 'data')
  await expectSuccess(copy, [...vitest, '--project', 'contract', 'tests/isolation', ...registryTests])
  await useNotes(await startProduct(copy, data), data)

  rmSync(path.join(copy, 'modules/notes'), { recursive: true })
  writeFileSync(registry, before)
  expect(readSources(copy)).toEqual(untouched)
  reuseBuild(copy)
  await expectSuccess(copy, build)
  // On the same database: the module's leftover tables disturb nothing.
  const without = await startProduct(copy, data)
  expect(await getStatus(without.port, '/notes')).toBe(404)
  expect(await getStatus(without.port, '/auth')).toBe(200)
})

const checks = ['scripts/test.mjs', 'types', 'lint', 'imports']
/** The tests that are generated from the registry. */
const registryTests = ['modules', 'schema', 'openapi'].map((name) => `tests/contract/${name}.test.ts`)
const build = ['scripts/build.mjs']
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot']

/** Copies the checkout, with uncommitted changes, and links its packages. */
function createCheckout(): string {
  const copy = path.join(createTempFolder(), 'checkout')
  copyCheckout(copy)
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
  return copy
}

/** Copies the checkout's build, which is used if it was made from the same sources. */
function reuseBuild(copy: string): void {
  const built = path.join(root, 'build')
  rmSync(path.join(copy, 'build'), { recursive: true })
  if (existsSync(built)) cpSync(built, path.join(copy, 'build'), { recursive: true })
}

/** Reads every source file. */
function readSources(copy: string): Map<string, string> {
  const entries = readdirSync(copy, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const files = entries
    .map((entry) => path.relative(copy, path.join(entry.parentPath, entry.name)))
    .filter((file) => !/^(node_modules|build|\.cache)\//.test(file))
  return new Map(files.map((file) => [file, readFileSync(path.join(copy, file), 'latin1')]))
}

async function runNewModule(copy: string, name: string): Promise<{ code: number | null; output: string }> {
  const running = launch('npm', ['run', '--silent', 'new-module', '--', name], { cwd: copy, env: cleanEnvironment() })
  return { code: await running.exit, output: running.output() }
}

/**
 * Runs programs side by side and expects each to succeed. Tests generated for other modules have run without the new
 * one.
 */
async function expectSuccess(copy: string, ...programs: string[][]): Promise<void> {
  const env: NodeJS.ProcessEnv = {
    ...cleanEnvironment(),
    NODE_ENV: 'test',
    TEST_MODULES: 'platform,notes',
    TEST_DATABASES: 'disk',
  }
  const running = programs.map((args) => ({ args, ...launch(process.execPath, args, { cwd: copy, env }) }))
  for (const { args, exit, output } of running) expect([args, await exit], output()).toEqual([args, 0])
}

/** Starts the copy's product with its data in `data`. */
async function startProduct(copy: string, data: string): Promise<RunningProcess> {
  const port = await freePort()
  const running = launch(process.execPath, ['scripts/serve.ts'], {
    cwd: copy,
    port,
    env: { ...cleanEnvironment(), PORT: String(port), DATA_DIR: data },
  })
  await waitUntilReady(running)
  return running
}

/** Adds a note as the demo coach, sees it after a reload, and deletes it. */
async function useNotes(running: RunningProcess, data: string): Promise<void> {
  const browser = await chromium.launch({
    executablePath: ensureChromium(),
    args: ['--no-sandbox', '--disable-background-networking'],
  })
  onTestFinished(() => browser.close())
  const origin = `http://localhost:${running.port}`
  const page = await browser.newPage({ baseURL: origin })
  const problems: string[] = []
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  await signIn(page, data)

  await page.getByRole('link', { name: 'Notes', exact: true }).click()
  await page.getByRole('list', { name: 'Notes' }).getByText('First note').waitFor()
  await page.getByRole('link', { name: 'Add Note' }).click()
  await addNote(page, 'Breathe')
  await page.getByText('Note created').waitFor()
  await page.reload()
  await page.getByRole('list', { name: 'Notes' }).getByText('Breathe').waitFor()
  await page.getByRole('link', { name: 'Delete Breathe' }).click()
  await page.getByRole('button', { name: 'Delete Note' }).click()
  await page.getByText('Note deleted').waitFor()
  await page.getByText('Breathe').waitFor({ state: 'detached' })
  expect(problems).toEqual([])

  await useNotesWithoutScripts(page)
  await browser.close()
  running.child.kill('SIGTERM')
  expect(await running.exit, running.output()).toBe(0)
}

/** Uses the same page without JavaScript. */
async function useNotesWithoutScripts(page: Page): Promise<void> {
  const { cookies } = await page.context().storageState()
  const context = await page
    .context()
    .browser()!
    .newContext({ baseURL: new URL(page.url()).origin, javaScriptEnabled: false })
  await context.addCookies(cookies)
  const plain = await context.newPage()
  await plain.goto('/notes')
  await plain.getByRole('link', { name: 'Add Note' }).click()
  await addNote(plain, '   ')
  await plain.getByText('Title is required').waitFor()
  await addNote(plain, 'Without a script')
  await plain.getByRole('list', { name: 'Notes' }).getByText('Without a script').waitFor()
}

async function signIn(page: Page, data: string): Promise<void> {
  const { email, password } = getDemoSignIn(data)!
  await page.goto('/auth')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.waitForURL('/dashboard')
}

async function addNote(page: Page, title: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill(title)
  await dialog.getByRole('button', { name: 'Add Note' }).click()
}
