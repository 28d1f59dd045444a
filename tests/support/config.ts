import { mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseConfig, type Config } from '#tenants/config.ts'

/** The configuration of a test: no logs, platform host `localhost`, its own data folder. */
export function testConfig(env: Record<string, string> = {}): Config {
  return parseConfig({
    SECRET_KEY: 'a key for tests only, never for a practice',
    LOG_LEVEL: 'silent',
    DATA_DIR: dataDir(),
    ROLE: 'web',
    // No server listens there.
    DNS_SERVERS: '127.0.0.1:9',
    ...env,
  })
}

const dataDir = (): string => mkdtempSync(path.join(os.tmpdir(), 'practice-test-'))
