import type { Hono } from 'hono'
import { AppError } from '#app/lib/errors.ts'
import { listOutbox, showsOutbox } from '#tenants/mail.ts'
import type { Platform } from '#tenants/platform.ts'
import type { Env } from './app.ts'
import { isDirect } from './direct-request.ts'
import { strictPolicy } from './security-headers.ts'
import { outboxPage } from './static-pages.ts'

/** The emails of an installation without a mail server: on this machine only. */
export function serveOutbox(app: Hono<Env>, { config }: Platform): void {
  app.get('/dev/outbox', async (c) => {
    c.set('route', '/dev/outbox')
    if (!showsOutbox(config) || !isDirect(c)) throw new AppError('not_found', 'Not found')
    c.header(
      'Content-Security-Policy',
      strictPolicy(
        "style-src 'unsafe-inline'; frame-src 'self'; sandbox allow-popups allow-top-navigation-by-user-activation",
      ),
    )
    return c.html(outboxPage(await listOutbox(config)))
  })
}
