import type { Logger } from 'pino'
import type { Config } from '#tenants/config.ts'
import type { Ctx, PermissionName, WriteCtx } from '#tenants/context.ts'
import type { RequestContext } from '#tenants/api/operation.ts'
import type { CoachAccount, HostTenant } from '#tenants/auth/viewer.ts'
import type { PageCookies } from './page-cookies.ts'

/** The context of every loader and action. */
export type LoadContext = {
  requestId: string
  nonce: string
  /** The request of scripts, which stay on the page whatever the answer is. */
  isByScript: boolean
  log: Logger
  config: Config
  /** For services that need no tenant: sign-in, registration, password resets. */
  requestContext: RequestContext
  /** The coach whose host this is, or null on the platform host. */
  tenant: HostTenant | null
  /** The signed-in account, or null. */
  account: CoachAccount | null
  /** The signed-in coach's context for reading. Throws a redirect: to /auth?next=… when signed out, to /closed. */
  coach(): Ctx
  /** The signed-in coach's context, if they have closed their account and can only reopen it or take the data along. */
  closedCoach(): Ctx | null
  /** Runs `work` in one transaction of the signed-in coach. Throws as `coach()` does. */
  write<T>(work: (ctx: WriteCtx) => Promise<T>): Promise<T>
  /**
   * The context of a visitor of the coach's host, who may do only what `permissions` names. Throws not_found on the
   * platform's host.
   */
  visitor(permissions: readonly PermissionName[]): Promise<Ctx>
  /** The context of the client who is signed in to the portal of this host. Throws a redirect to the sign-in page. */
  client(): Promise<Ctx>
  /** As `client`, or null if nobody is signed in to the portal. */
  findClient(): Promise<Ctx | null>
  /** Lets pages of these origins show this one in a frame. */
  allowFraming(origins: string[]): void
  now(): Date
  cookies: PageCookies
}
