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

/** Tests that work in a copy of the checkout. */
const copies = ['new-module', 'module-removal', 'dockerfile'].map((name) => `tests/start/${name}.test.ts`)

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...withDatabase,
          name: 'unit',
          include: ['{app,db,tenants,modules,scripts}/**/*.test.{ts,tsx}'],
          exclude: ['db/embedded/embedded.test.ts', 'modules/*/e2e/**'],
        },
      },
      {
        test: {
          ...withDatabase,
          name: 'contract',
          include: ['tests/{contract,isolation}/**/*.test.ts'],
          exclude: ['tests/isolation/pages.test.ts'],
        },
      },
      // Tests of the built product. They are a project of their own, so that the longest file starts first.
      {
        test: {
          ...withDatabase,
          name: 'built',
          env: { NODE_ENV: 'production' },
          include: ['tests/isolation/pages.test.ts', 'tests/pages/*.test.ts'],
        },
      },
      // Whole processes, databases and installations. One after the other, because they measure time.
      {
        test: {
          name: 'start',
          environment: 'node',
          include: ['tests/start/**/*.test.ts', 'db/embedded/embedded.test.ts'],
          exclude: copies,
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      // These measure no time.
      {
        test: {
          name: 'copies',
          environment: 'node',
          include: copies,
          maxWorkers: 3,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
