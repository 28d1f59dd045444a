import { SpanStatusCode } from '@opentelemetry/api'
import type { Hono } from 'hono'
import { traceSpan } from '#db/tracing.ts'
import type { Config } from '#tenants/config.ts'
import type { Env } from './app.ts'

/** These requests are too many, and tell too little, to be traced. */
const untraced = /^\/(assets\/|healthz$|readyz$|metrics$)/

/** Makes each request a span. A proxy in front may have begun the trace; its `tracestate` may be any text. */
export function traceRequests(app: Hono<Env>, config: Config): void {
  app.use((c, next) => {
    if (untraced.test(c.req.path)) return next()
    const { method } = c.req
    const attributes = { 'http.request.method': method }
    const traceparent = config.trustProxy ? c.req.header('traceparent') : undefined
    return traceSpan(
      method,
      { kind: 'server', attributes, parent: traceparent ? { traceparent } : {} },
      async (span) => {
        await next()
        if (!span?.isRecording()) return
        // The route's pattern, never the URL, as in the log.
        const [route, { account }] = [c.get('route'), c.get('requestContext')?.viewer ?? { account: null }]
        span.updateName(`${method} ${route}`)
        span.setAttributes({ 'http.route': route, 'http.response.status_code': c.res.status })
        if (account) span.setAttribute('practice.coach', account.id)
        if (c.res.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      },
    )
  })
}
