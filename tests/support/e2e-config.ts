import path from 'node:path'
import { parseConfig, type Config } from '#tenants/config.ts'

/** What the server under test leaves for the tests: the database of the role that serves, and the screens of the build. */
export type E2eNote = { appUrl: string; pages: string[] }

const root = path.resolve(import.meta.dirname, '../..')

/** The configuration that the server under test and the tests beside it share. Throttling is tested elsewhere. */
export function e2eConfig(env: Record<string, string> = {}): Config {
  const port = process.env.E2E_PORT ?? '4173'
  return parseConfig({
    PORT: port,
    DATA_DIR: path.join(root, '.cache/e2e', port),
    SECRET_KEY: 'a key for tests only, never for a practice',
    RATE_LIMIT_FACTOR: '1000',
    LOG_LEVEL: 'warn',
    ...env,
  })
}

export const noteOf = ({ dataDir }: Config): string => path.join(dataDir, 'note.json')
