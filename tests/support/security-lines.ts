import { Writable } from 'node:stream'
import { beforeAll, beforeEach } from 'vitest'
import { createLogger } from '#app/server/process/runtime.ts'
import type { TestApp } from './test-app.ts'

/** Collects what the app logs in each test. `clear` forgets what it logged so far. */
export function captureSecurityLog(app: TestApp) {
  let text = ''
  beforeAll(() => {
    const destination = new Writable({
      write(chunk, _encoding, done) {
        text += chunk
        done()
      },
    })
    app.platform.log = createLogger({ ...app.platform.config, logLevel: 'info' }, destination)
  })
  const clear = (): void => void (text = '')
  beforeEach(clear)
  return {
    clear,
    getText: () => text,
    /** The security lines, without level and time. */
    readLines: (): object[] =>
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
        .filter(({ msg }) => msg === 'security')
        .map(({ event, account, target, address: client, reason }) => ({
          event,
          account,
          address: client,
          ...(target === undefined ? {} : { target }),
          ...(reason === undefined ? {} : { reason }),
        })),
  }
}
