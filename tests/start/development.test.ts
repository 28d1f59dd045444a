import path from 'node:path'
import { expect, test } from 'vitest'
import {
  cleanEnvironment,
  createTempFolder,
  freePort,
  getPostmaster,
  isRunning,
  launch,
  waitUntilReady,
} from './support/process.ts'

test('in development SIGTERM stops the database too', { timeout: 300_000 }, async () => {
  const dir = createTempFolder()
  const port = await freePort()
  const running = launch(process.execPath, ['scripts/dev.ts', '--empty'], {
    port,
    env: { ...cleanEnvironment(), NODE_ENV: 'development', PORT: String(port), DATA_DIR: dir },
  })
  // Vite compiles each file when it is asked for: that takes long beside other tests.
  await waitUntilReady(running, '/readyz', 240_000)
  const page = await fetch(`http://localhost:${port}/auth`)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<svg')])
  expect(isRunning(getPostmaster(path.join(dir, 'postgres')))).toBe(true)

  running.child.kill('SIGTERM')
  expect(await running.exit, running.output()).toBe(0)
  expect(isRunning(getPostmaster(path.join(dir, 'postgres')))).toBe(false)
})
