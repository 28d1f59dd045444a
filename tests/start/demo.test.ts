import { expect, test } from 'vitest'
import {
  cleanEnvironment,
  createTempFolder,
  freePort,
  getDemoSignIn,
  launch,
  serve,
  waitUntilReady,
  type RunningProcess,
} from './support/process.ts'

const isPublic = { HOST: '0.0.0.0' }
const isNamed = { APP_ORIGIN: 'http://coach.test' }

test('the demo practice opens only on this machine or with --demo, and its passwords are printed once', async () => {
  const dir = createTempFolder()
  for (const env of [isPublic, isNamed]) {
    expect(await start({ DATA_DIR: dir, ...env })).not.toContain('@example.com')
    expect(getDemoSignIn(dir)).toBeNull()
    expect(await printPasswords(dir)).toEqual([1, 'This installation has no demo practice.'])
  }

  const first = await start({ DATA_DIR: dir, ...isPublic }, '--demo')
  const { email, password } = getDemoSignIn(dir)!
  expect([first.includes(email), first.includes(password)]).toEqual([true, true])
  const again = await start({ DATA_DIR: dir })
  expect([again.includes(email), again.includes(password)]).toEqual([true, false])
  expect(again).toContain('npm run demo:passwords')
  const [code, printed] = await printPasswords(dir)
  expect([code, printed.includes(`${email}   ${password}`), printed.split('\n').length]).toEqual([0, true, 3])

  expect(await start({ DATA_DIR: dir, ...isPublic })).not.toContain('@example.com')
  expect(await printPasswords(dir)).toEqual([1, 'This installation has no demo practice.'])
})

test('a database started with --empty never gets the demo data', async () => {
  const dir = createTempFolder()
  for (const args of [['--empty'], []]) {
    const running = await serve({ DATA_DIR: dir }, ...args)
    await waitUntilReady(running)
    expect(getDemoSignIn(dir)).toBeNull()
    expect(running.output()).not.toContain('demo@example.com')
    running.child.kill('SIGTERM')
    expect(await running.exit).toBe(0)
  }
})

/** Starts the product, stops it when it is ready, and returns what it printed. */
async function start(env: Record<string, string>, ...args: string[]): Promise<string> {
  const running: RunningProcess = await serve({ PORT: String(await freePort()), ...env }, ...args)
  await waitUntilReady(running)
  await expect.poll(running.output).toContain('Ctrl+C stops it')
  running.child.kill('SIGTERM')
  expect(await running.exit, running.output()).toBe(0)
  return running.output()
}

/** [exit code, output] of `npm run demo:passwords`. */
async function printPasswords(dir: string): Promise<[number | null, string]> {
  const env = { ...cleanEnvironment(), DATA_DIR: dir }
  const running = launch(process.execPath, ['scripts/demo-passwords.ts'], { env })
  return [await running.exit, running.output().trim()]
}
