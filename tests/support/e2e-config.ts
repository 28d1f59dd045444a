import path from 'node:path'
import { parseConfig, type Config } from '#tenants/config.ts'

/**
 * State that the server under test shares with the tests: its database, the pages of the build, and how many
 * milliseconds its clock is ahead of the machine's.
 */
export type E2eState = { appUrl: string; ownerUrl: string; pages: string[]; clockOffset: number }

const root = path.resolve(import.meta.dirname, '../..')

/** The configuration that the server under test and the tests share. Rate limits are tested elsewhere. */
export function e2eConfig(env: Record<string, string> = {}): Config {
  const port = process.env.E2E_PORT ?? '4173'
  return parseConfig({
    PORT: port,
    DATA_DIR: path.join(root, '.cache/e2e', port),
    SECRET_KEY: 'a key for tests only, never for a practice',
    RATE_LIMIT_FACTOR: '1000',
    FAST_RENDER: process.env.FAST_RENDER,
    LOG_LEVEL: 'warn',
    APP_ORIGIN: process.env.E2E_ORIGIN,
    ...env,
  })
}

export const stateFile = ({ dataDir }: Config): string => path.join(dataDir, 'state.json')
