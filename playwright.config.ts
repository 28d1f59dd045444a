import { defineConfig } from '@playwright/test'
import { ensureChromium } from './scripts/ensure-chromium.mjs'

const port = Number(process.env.E2E_PORT ?? 4173)
const origin = `http://localhost:${port}`
const executablePath = ensureChromium()
// Root and most containers can't use Chromium's sandbox. The tests open our own pages only.
const args = ['--no-sandbox', '--disable-background-networking']
// A page lives for seconds: optimizing its scripts, and a renderer process of its own, would cost more than they save.
// Without the limit each page starts one before it knows its site.
const shortLived = ['--js-flags=--no-turbofan,--no-maglev', '--process-per-site', '--renderer-process-limit=1']

export default defineConfig({
  // Flows of the whole product are in tests/e2e, those of one module in its folder.
  testMatch: ['tests/e2e/**/*.test.ts', 'modules/*/e2e/**/*.test.ts'],
  outputDir: 'test-results/browser',
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  // Only failures wait this long. Generous, because a busy machine is slow.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  use: {
    baseURL: origin,
    locale: 'en-US',
    timezoneId: 'America/New_York',
    viewport: { width: 1440, height: 900 },
    // Recording costs a fifth of the time. Run a failed test again with `--trace on`.
    trace: 'off',
    // Drawing what moves is a tenth of the time. Main flows on a slow network, and what is timed, move.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { executablePath, args: [...args, ...shortLived] },
  },
  projects: [
    { name: 'screens', testMatch: 'tests/e2e/screens.test.ts' },
    { name: 'work', testIgnore: 'tests/e2e/screens.test.ts', grepInvert: /@timing/ },
    // Measures scripts as browsers run them.
    {
      name: 'timing',
      grep: /@timing/,
      use: { launchOptions: { executablePath, args }, contextOptions: { reducedMotion: 'no-preference' } },
    },
  ],
  webServer: {
    command: `"${process.execPath}" tests/support/e2e-server.ts || echo "The server ended with status $?." >&2`,
    env: { E2E_PORT: String(port), NODE_ENV: 'production' },
    url: `${origin}/readyz`,
    timeout: 120_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    stdout: 'pipe',
    stderr: 'pipe',
  },
})
