import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { expect, onTestFinished, test } from 'vitest'
import {
  aClone,
  aFolder,
  answering,
  freePort,
  house,
  launch,
  plainEnvironment,
  statusOf,
  type Running,
} from './support/process.ts'

test('a new module passes every check untouched and works in the browser; without it, so does the house', {
  timeout: 600_000,
}, async () => {
  const copy = aCheckout()
  const registry = path.join(copy, 'modules/registry.ts')
  const before = readFileSync(registry, 'utf8')

  const untouched = contentsOf(copy)
  const refusal = await newModule(copy, 'crm')
  expect([refusal.code, refusal.said]).toEqual([1, expect.stringContaining('modules/crm/ is there already')])
  expect(contentsOf(copy)).toEqual(untouched)

  const written = await newModule(copy, 'notes')
  expect([written.code, written.said]).toEqual([0, expect.stringContaining('modules/notes/')])
  const changed = [...contentsOf(copy)].filter(([file, text]) => untouched.get(file) !== text).map(([file]) => file)
  expect(changed.filter((file) => !file.startsWith('modules/notes/'))).toEqual(['modules/registry.ts'])

  await passing(copy, checks, build, [
    ...vitest,
    '--project',
    'unit',
    'modules/notes',
    'modules/core/validate-manifests.test.ts',
  ])
  const data = path.join(aFolder(), 'data')
  await Promise.all([
    passing(copy, [...vitest, '--project', 'contract', 'tests/isolation', ...fromRegistry]),
    started(copy, data).then(used),
  ])

  rmSync(path.join(copy, 'modules/notes'), { recursive: true })
  writeFileSync(registry, before)
  expect(contentsOf(copy)).toEqual(untouched)
  await passing(copy, checks, build)
  // On the same database: what the module kept there stays, and disturbs nobody.
  const without = await started(copy, data)
  expect(await statusOf(without.port, '/notes')).toBe(404)
  expect(await statusOf(without.port, '/auth')).toBe(200)
})

const checks = ['scripts/test.mjs', 'types', 'lint', 'imports']
/** The tests of the house that read the registry. */
const fromRegistry = ['modules', 'schema', 'openapi'].map((name) => `tests/contract/${name}.test.ts`)
const build = ['scripts/build.mjs']
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot']

/** The checkout as it lies here, edits included, with the packages that are installed here. */
function aCheckout(): string {
  const copy = path.join(aFolder(), 'checkout')
  aClone(copy)
  symlinkSync(path.join(house, 'node_modules'), path.join(copy, 'node_modules'))
  return copy
}

/** Every file that no tool has made, with what it says. */
function contentsOf(copy: string): Map<string, string> {
  const entries = readdirSync(copy, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const files = entries
    .map((entry) => path.relative(copy, path.join(entry.parentPath, entry.name)))
    .filter((file) => !/^(node_modules|build|\.cache)\//.test(file))
  return new Map(files.map((file) => [file, readFileSync(path.join(copy, file), 'latin1')]))
}

async function newModule(copy: string, name: string): Promise<{ code: number | null; said: string }> {
  const running = launch('npm', ['run', '--silent', 'new-module', '--', name], { cwd: copy, env: plainEnvironment() })
  return { code: await running.exit, said: running.said() }
}

/** Runs programs side by side and sees that each of them ends well. */
async function passing(copy: string, ...programs: string[][]): Promise<void> {
  const env: NodeJS.ProcessEnv = { ...plainEnvironment(), NODE_ENV: 'test' }
  const running = programs.map((args) => ({ args, ...launch(process.execPath, args, { cwd: copy, env }) }))
  for (const { args, exit, said } of running) expect([args, await exit], said()).toEqual([args, 0])
}

/** The copy's own product, on an empty folder the first time. */
async function started(copy: string, data: string): Promise<Running> {
  const port = await freePort()
  const running = launch(process.execPath, ['scripts/serve.ts'], {
    cwd: copy,
    port,
    env: { ...plainEnvironment(), PORT: String(port), DATA_DIR: data },
  })
  await answering(running, '/readyz', 60_000)
  return running
}

/** As the coach of the demo practice: the page, a note, the note after reloading, on the dashboard, deleted. */
async function used(running: Running): Promise<void> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking'],
  })
  onTestFinished(() => browser.close())
  const origin = `http://localhost:${running.port}`
  const page = await browser.newPage({ baseURL: origin })
  const problems: string[] = []
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  await signIn(page)

  await page.getByRole('link', { name: 'Notes', exact: true }).click()
  await page.getByRole('list', { name: 'Notes' }).getByText('The first note').waitFor()
  await page.getByRole('link', { name: 'Add Note' }).click()
  await add(page, 'Breathe')
  await page.getByText('Note added.').waitFor()
  await page.reload()
  await page.getByRole('list', { name: 'Notes' }).getByText('Breathe').waitFor()
  await page.goto('/dashboard')
  await page.getByRole('region', { name: 'Notes' }).getByText('Breathe').waitFor()
  await page.goto('/notes')
  await page.getByRole('link', { name: 'Delete Breathe' }).click()
  await page.getByRole('button', { name: 'Delete Note' }).click()
  await page.getByText('Note deleted.').waitFor()
  await page.getByText('Breathe').waitFor({ state: 'detached' })
  expect(problems).toEqual([])

  await beforeScripts(page)
  await browser.close()
  running.child.kill('SIGTERM')
  expect(await running.exit, running.said()).toBe(0)
}

/** The same page for a browser whose scripts have not come. */
async function beforeScripts(page: Page): Promise<void> {
  const { cookies } = await page.context().storageState()
  const context = await page
    .context()
    .browser()!
    .newContext({ baseURL: new URL(page.url()).origin, javaScriptEnabled: false })
  await context.addCookies(cookies)
  const plain = await context.newPage()
  await plain.goto('/notes')
  await plain.getByRole('link', { name: 'Add Note' }).click()
  await add(plain, '   ')
  await plain.getByText('Title is required').waitFor()
  await add(plain, 'Without a script')
  await plain.getByRole('list', { name: 'Notes' }).getByText('Without a script').waitFor()
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/auth')
  await page.getByLabel('Email').fill('demo@example.com')
  await page.getByLabel('Password', { exact: true }).fill('demo-practice')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.waitForURL('/dashboard')
}

async function add(page: Page, title: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill(title)
  await dialog.getByRole('button', { name: 'Add Note' }).click()
}
