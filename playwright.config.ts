import { defineConfig } from '@playwright/test'

const port = Number(process.env.E2E_PORT ?? 4173)
const origin = `http://localhost:${port}`

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: '.cache/browser',
  workers: 2,
  forbidOnly: true,
  timeout: 60_000,
  use: {
    baseURL: origin,
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      // Root, and most containers, can't use Chromium's sandbox. The tests open our own pages only.
      args: ['--no-sandbox', '--disable-background-networking'],
    },
  },
  webServer: {
    command: `node tests/support/e2e-server.ts`,
    env: { PORT: String(port) },
    url: `${origin}/readyz`,
    timeout: 60_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    stdout: 'ignore',
    stderr: 'pipe',
  },
})
