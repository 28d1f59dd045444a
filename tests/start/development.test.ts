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

test('in development SIGTERM stops the database too', async () => {
  const dir = createTempFolder()
  const port = await freePort()
  const running = launch(process.execPath, ['scripts/dev.ts', '--empty'], {
    port,
    env: { ...cleanEnvironment(), NODE_ENV: 'development', PORT: String(port), DATA_DIR: dir },
  })
  await waitUntilReady(running)
  expect(isRunning(getPostmaster(path.join(dir, 'postgres')))).toBe(true)

  running.child.kill('SIGTERM')
  expect(await running.exit, running.output()).toBe(0)
  expect(isRunning(getPostmaster(path.join(dir, 'postgres')))).toBe(false)
})
