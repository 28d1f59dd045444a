import { defineConfig } from 'vitest/config'

// Not vite.config.ts: the Remix plugin must not be loaded under Vitest.
export default defineConfig({
  test: {
    environment: 'node',
    include: ['{app,db,tenants,modules}/**/*.test.ts', 'tests/{contract,isolation}/**/*.test.ts'],
    globalSetup: 'tests/support/global-setup.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
