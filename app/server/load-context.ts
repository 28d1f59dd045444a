import type { Logger } from 'pino'
import type { Config } from '#tenants/config.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import type { Account, HostTenant, Visitor } from '#tenants/visitor.ts'

/** What every loader and action gets from the server. */
export interface LoadContext {
  requestId: string
  nonce: string
  log: Logger
  config: Config
  visitor: Visitor
  /** The coach whose host this is, or null on the platform host. */
  tenant: HostTenant | null
  /** The signed-in account, or null. */
  account: Account | null
  /** The signed-in coach's context for reading. Throws a redirect to /auth?next=… when signed out. */
  coach(): Ctx
  /** Runs `work` in one transaction of the signed-in coach. Throws as `coach()` does. */
  write<T>(work: (ctx: WriteCtx) => Promise<T>): Promise<T>
  /** The calls that need no tenant: sign-in, registration, resets. */
  now(): Date
}
