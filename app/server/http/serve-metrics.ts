import { timingSafeEqual } from 'node:crypto'
import type { Hono } from 'hono'
import { AppError } from '#app/lib/errors.ts'
import { hashToken } from '#tenants/auth/signing-keys.ts'
import type { Platform } from '#tenants/platform.ts'
import { shareMetrics } from '../process/share-metrics.ts'
import type { Env } from './app.ts'
import { isDirect } from './direct-request.ts'
import type { Metrics } from './metrics.ts'

/** For Prometheus: on this machine, not through a proxy, or with the token of METRICS_TOKEN. */
export function serveMetrics(app: Hono<Env>, { config }: Platform, metrics: Metrics): void {
  shareMetrics(metrics.read)
  app.get('/metrics', async (c) => {
    c.set('route', '/metrics')
    const { headers } = c.req.raw
    const isAllowed = headers.has('authorization') ? hasToken(headers, config.metricsToken) : isDirect(c)
    if (!isAllowed) throw new AppError('not_found', 'Not found')
    return c.text(await metrics.format(), 200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' })
  })
}

/** Never without a token that is configured. */
function hasToken(headers: Headers, token: string | undefined): boolean {
  const [, sent] = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? []
  return token !== undefined && sent !== undefined && timingSafeEqual(hashToken(sent), hashToken(token))
}
