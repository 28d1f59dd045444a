import { defineConfig } from 'vitest/config'

// Not vite.config.ts: the Remix plugin must not be loaded under Vitest.
// Long timeouts: on a busy machine, creating two tenants can take a minute.
const withDatabase = {
  environment: 'node',
  globalSetup: 'tests/support/global-setup.ts',
  setupFiles: 'tests/support/check-statements.ts',
  testTimeout: 60_000,
  hookTimeout: 180_000,
  maxWorkers: 2,
  // Loading the product's modules anew for each file would double the time. Test files leave no state in them.
  isolate: false,
} as const

const withProcesses = { environment: 'node', testTimeout: 120_000, hookTimeout: 120_000 } as const

const inStart = (...names: string[]) => names.map((name) => `tests/start/${name}.test.ts`)
/** Tests that work in a copy of the checkout. */
const copies = inStart('new-module', 'module-removal', 'dockerfile')
/** Tests of whole processes that measure time, or need all of a machine. */
const timed = inStart('backup', 'disk-full', 'fresh-clone', 'pgbouncer', 'recovery', 'shutdown')

/** Tests of isolation that need the built product. */
const built = ['pages', 'portal'].map((name) => `tests/isolation/${name}.test.ts`)

/** Tests of the time that queries take. */
const speed = 'modules/**/*-speed.test.ts'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...withDatabase,
          name: 'unit',
          include: ['{app,db,tenants,modules,scripts}/**/*.test.{ts,tsx}'],
          exclude: ['db/embedded/embedded.test.ts', 'modules/*/e2e/**', speed],
        },
      },
      { test: { ...withDatabase, name: 'speed', include: [speed], fileParallelism: false } },
      {
        test: {
          ...withDatabase,
          name: 'contract',
          include: ['tests/{contract,isolation}/**/*.test.ts'],
          exclude: built,
        },
      },
      // Tests of the built product. They are a project of their own, so that the longest file starts first.
      {
        test: {
          ...withDatabase,
          name: 'built',
          env: { NODE_ENV: 'production' },
          include: [...built, 'tests/pages/*.test.ts'],
        },
      },
      // Whole processes, databases and installations. One after the other, because they measure time.
      {
        test: {
          ...withProcesses,
          name: 'start',
          include: [...timed, 'db/embedded/embedded.test.ts'],
          fileParallelism: false,
        },
      },
      // The others run beside the copies, and mostly wait.
      {
        test: {
          ...withProcesses,
          name: 'processes',
          include: ['tests/start/**/*.test.ts'],
          exclude: [...timed, ...copies],
          fileParallelism: false,
        },
      },
      {
        test: {
          ...withProcesses,
          name: 'copies',
          include: copies,
          // One at a time, because each keeps both cores busy while the processes run.
          fileParallelism: false,
        },
      },
    ],
  },
})
