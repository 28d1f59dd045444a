import type { Ctx } from '#tenants/context.ts'
import type { CoachAccount, SupportVisit } from '#tenants/auth/viewer.ts'
import type { Platform } from '#tenants/platform.ts'

/** Visits of administrators to a practice whose coach allows it. The server makes them read-only. */
export type SupportAccess = {
  /** The visit of this session, while it lasts: checked again with each request. */
  findVisit: (
    platform: Platform,
    visit: { id: number; administrator: CoachAccount; sessionHash: Buffer },
  ) => Promise<SupportVisit | null>
  /** Notes a page that is opened, in the logs of both. `ctx`: the administrator's own. */
  recordPage: (ctx: Ctx, visit: SupportVisit, path: string) => Promise<void>
  leave: (ctx: Ctx, visit: SupportVisit) => Promise<void>
}
