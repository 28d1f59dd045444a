import type { Ctx, PortalClient } from '#tenants/context.ts'

/** The sessions of clients who are signed in to the portal. `ctx` is a visitor's of the coach's host. */
export type ClientSignIn = {
  /**
   * The client of the cookie's token; null if it is unknown, has expired, was made at another host, or the client isn't
   * there any more. `domain`: the visited host, if it is the coach's own domain.
   */
  findClient: (ctx: Ctx, token: string, domain: string | null) => Promise<PortalClient | null>
  /** The page that signs them in, and leads on to `next`, a path of the portal. */
  getSignInPath: (next?: string) => string
  /**
   * A new link that signs in the client of a demo practice with the most to see, once. Null without a client or a
   * host. For the owner of the machine alone: it is as good as a password.
   */
  createDemoLink: (ctx: Ctx) => Promise<{ name: string; url: string } | null>
}
