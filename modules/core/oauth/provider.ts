import type { Config } from '#tenants/config.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import type { FailureDetails, FailureKind, VendorError } from './vendor-error.ts'

/** `expiresAt`: of the access token. */
export type Tokens = { refreshToken: string; accessToken: string; expiresAt: Date }

/** A vendor at which coaches have accounts that they connect by OAuth, one for each coach. */
export type OAuthProvider = {
  /** Begins the names of its tables: `x_connection`, `x_token` and `x_connect_attempt`. */
  name: string
  /** Shown in logs and errors. */
  label: string
  /** Jobs with the coach's id: `email` asks to connect again, `revoke` ends the access later. */
  queues: { email: string; revoke: string }
  /** Whether jobs wait for the next try, which `is_away` of the connection says. */
  hasAwayColumn?: boolean
  Failure: new (kind: FailureKind, details: FailureDetails) => VendorError
  isConfigured(config: Config): boolean
  /** Throws VendorError. */
  refresh(ctx: Ctx, refreshToken: string): Promise<Tokens>
  /** False if the vendor is away; a token that it doesn't know has ended already. */
  revokeToken(config: Config, refreshToken: string): Promise<boolean>
  requestNextTry(ctx: Pick<WriteCtx, 'coachId' | 'enqueue'>, options: { afterSeconds: number }): Promise<void>
}
