import { AppError } from '#app/lib/errors.ts'
import { getErrorCode } from '#db/error-mapping.ts'
import type { Platform } from './platform.ts'

export const readOnlyMessage = 'Support access is read-only: nothing was changed.'

export const supportEndedMessage = 'Support access has ended: nothing was changed.'

export const readOnlyError = (): AppError => new AppError('forbidden', readOnlyMessage)

/**
 * The same services, through which nothing can be changed: each transaction is a read-only one of Postgres, and no job is
 * added, no file written. All that a request does goes through its platform, so this holds for every part of the product.
 */
export function toReadOnly(platform: Platform): Platform {
  const { readPool, fileStore } = platform
  return {
    ...platform,
    isReadOnly: true,
    readPool: {
      ...readPool,
      queryGlobal: (query, options) =>
        readPool.queryGlobal<never>(query, { ...options, readOnly: true }).catch(explainReadOnly),
      queryAsTenant: (...call) => readPool.queryAsTenant(...call).catch(explainReadOnly),
    },
    boss: new Proxy(platform.boss, { get: () => refuse }),
    fileStore: {
      read: (...call) => fileStore.read(...call),
      list: (...call) => fileStore.list(...call),
      write: refuse,
      delete: refuse,
      startParts: refuse,
      writePart: refuse,
      joinParts: refuse,
      dropParts: refuse,
      close: () => {},
    },
  }
}

const refuse = (): never => {
  throw readOnlyError()
}

/** Says why Postgres refused a change. Throws any other error as it is. */
export function explainReadOnly(error: unknown): never {
  throw getErrorCode(error) === '25006' ? readOnlyError() : error
}
