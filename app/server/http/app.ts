import { randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { compress } from 'hono/compress'
import { getCookie } from 'hono/cookie'
import { AppError } from '#app/lib/errors.ts'
import { asAppError } from '#db/error-mapping.ts'
import { sessionCookie } from '#tenants/accounts/api.ts'
import type { Visit } from '#tenants/api/operation.ts'
import type { Platform } from '#tenants/platform.ts'
import { findVisitor, handOver, takeOver } from '#tenants/auth/sign-in.ts'
import { cookieFor } from '#tenants/accounts/api.ts'
import { uploadOf } from '#tenants/accounts/logos.ts'
import { outbox } from '#tenants/mail.ts'
import { failureBody } from './error-response.ts'
import { failurePage, outboxPage } from './static-pages.ts'
import { clientAddress, coachOrigin, doorOf, refuseCrossSite, unknownHost } from './host-routing.ts'
import type { Api } from '../api/api.ts'
import { openApi } from '../api/openapi.ts'
import { serializeCookie, type Pages } from '../pages/pages.ts'

const maxForm = 1024 * 1024

type Env = { Bindings: HttpBindings; Variables: { requestId: string; visit: Visit; route: string } }

/**
 * The HTTP server: what every request goes through before it is a call of the API or a page.
 * `pages` is left out where only the API is under test; `assets` is the folder of the built files.
 */
export function createApp(options: {
  platform: Platform
  api: Api
  pages?: Pages
  /** The addresses of pages that take files. */
  uploads?: Set<string>
  assets?: string
  ready: () => Promise<boolean>
}): Hono<Env> {
  const { platform, api, pages, uploads = new Set(), assets, ready } = options
  const { config, log } = platform
  const secure = config.origin.startsWith('https:')
  const app = new Hono<Env>({ strict: false })

  app.onError((error, c) => failed(c, error))
  app.use(async (c, next) => {
    const requestId = randomUUID()
    const started = performance.now()
    c.set('requestId', requestId)
    c.set('route', 'none')
    await next()
    c.res.headers.set('X-Request-Id', requestId)
    // What a page's scripts can read of an answer that failed: the number to tell support.
    c.res.headers.set('Server-Timing', `request;desc="${requestId}"`)
    c.res.headers.set('X-Content-Type-Options', 'nosniff')
    if (!c.res.headers.has('Cache-Control')) c.res.headers.set('Cache-Control', 'private, no-store')
    if (secure) c.res.headers.set('Strict-Transport-Security', 'max-age=31536000')
    const visit = c.get('visit')
    // The route's pattern, never the address: an address may hold what a client wrote.
    log.info({
      requestId,
      tenant: visit?.visitor.account?.id ?? visit?.tenant?.id ?? null,
      route: `${c.req.method} ${c.get('route')}`,
      status: c.res.status,
      ms: Math.round(performance.now() - started),
    })
  })

  app.get('/healthz', (c) => (c.set('route', '/healthz'), c.text('ok')))
  app.get('/readyz', async (c) => {
    c.set('route', '/readyz')
    return (await ready().catch(() => false)) ? c.text('ready') : c.text('not ready', 503)
  })

  if (assets) {
    app.use('/assets/*', async (c, next) => {
      c.set('route', '/assets')
      await next()
    })
    app.use(
      '/assets/*',
      serveStatic({
        root: assets,
        precompressed: true,
        onFound: (_path, c) => c.header('Cache-Control', 'public, max-age=31536000, immutable'),
      }),
    )
    app.all('/assets/*', () => {
      throw new AppError('not_found', 'Not found')
    })
  }

  app.get('/uploads/:key', async (c) => {
    c.set('route', '/uploads')
    const upload = await uploadOf(platform, c.req.param('key'))
    if (!upload) throw new AppError('not_found', 'Not found')
    // A picture that is opened by itself is a document: what an SVG holds must not run here.
    c.header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    c.header('Content-Type', upload.contentType)
    c.header('Cache-Control', 'public, max-age=31536000, immutable')
    return c.body(new Uint8Array(upload.content))
  })

  app.use(async (c, next) => {
    const door = doorOf(c.req.header('host'), config)
    refuseCrossSite(c.req.method, c.req.raw.headers, door)
    const found = await findVisitor(platform, getCookie(c, sessionCookie), door.label)
    if (door.label && !found.tenant) throw unknownHost()
    // On a coach's host there is no other coach.
    const foreign = found.tenant && found.account && found.tenant.id !== found.account.id
    c.set('visit', {
      platform,
      visitor: foreign ? { ...found, account: null } : found,
      tenant: found.tenant,
      address: clientAddress(c.req.raw.headers, socketAddress(c), config.trustProxy),
      requestId: c.get('requestId'),
    })
    await next()
  })

  app.get('/api/openapi.json', (c) => {
    c.set('route', '/api/openapi.json')
    return c.json(openApi(api.operations, { title: config.platformName, origin: config.origin }))
  })
  app.all('/api/*', async (c) => {
    c.set('route', '/api')
    const answer = await api.answer(c.req.raw, rawPath(c).slice('/api'.length), c.get('visit'), (path) =>
      c.set('route', `/api${path}`),
    )
    const headers = new Headers(answer.headers)
    if (answer.body !== null) headers.set('Content-Type', 'application/json; charset=utf-8')
    for (const cookie of answer.cookies) headers.append('Set-Cookie', serializeCookie(cookie, secure))
    return new Response(answer.body, { status: answer.status, headers })
  })

  app.post('/handover', async (c) => {
    c.set('route', '/handover')
    const { visitor, tenant } = c.get('visit')
    if (tenant || !visitor.account?.subdomain)
      return c.redirect(visitor.account && !tenant ? '/branding' : '/auth', 303)
    const token = await handOver(platform, visitor.account.id)
    return c.redirect(`${coachOrigin(config, visitor.account.subdomain)}/handover?token=${token}`, 303)
  })
  app.get('/handover', async (c) => {
    c.set('route', '/handover')
    const { tenant } = c.get('visit')
    const token = tenant ? await takeOver(platform, c.req.query('token') ?? '', tenant) : null
    if (token) c.header('Set-Cookie', serializeCookie(cookieFor(token), secure))
    return c.redirect(token ? '/dashboard' : '/auth', 302)
  })

  app.get('/dev/outbox', async (c) => {
    c.set('route', '/dev/outbox')
    if (config.smtpUrl || !isLoopback(socketAddress(c))) throw new AppError('not_found', 'Not found')
    c.header(
      'Content-Security-Policy',
      "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; sandbox allow-popups allow-top-navigation-by-user-activation",
    )
    return c.html(outboxPage(await outbox(config)))
  })

  if (pages) {
    const form = bodyLimit({
      maxSize: maxForm,
      onError: () => {
        throw new AppError('too_large', 'This form is larger than 1 MB.')
      },
    })
    // A page that takes files says what is too large for it, and reads no further.
    app.use((c, next) =>
      c.req.method === 'GET' || uploads.has(c.req.path.replace(/\.data$/, '')) ? next() : form(c, next),
    )
    const policy = policyOf(config.origin)
    const compressed = compress({ threshold: 1024 })
    // Who can't take it is spared the copy of the page that compression makes.
    app.use((c, next) =>
      /\b(gzip|deflate)\b/.test(c.req.header('accept-encoding') ?? '') ? compressed(c, next) : next(),
    )
    app.all('*', async (c) => {
      c.set('route', pages.nameOf(c.req.path))
      const nonce = randomUUID()
      const response = await pages.answer(c.req.raw, c.get('visit'), nonce)
      response.headers.set('Content-Security-Policy', policy(nonce))
      response.headers.set('Vary', 'Accept-Encoding')
      response.headers.set('Referrer-Policy', 'same-origin')
      response.headers.set('X-Frame-Options', 'DENY')
      response.headers.set('Cross-Origin-Opener-Policy', 'same-origin')
      return response
    })
  }
  return app

  function failed(c: Context<Env>, thrown: unknown): Response {
    const error = asAppError(thrown)
    const requestId = c.get('requestId')
    if (error.status >= 500) log.error({ err: thrown, requestId }, 'a request failed')
    const headers = new Headers(error.headers)
    if (c.req.path.startsWith('/api/') || c.req.path === '/api' || wantsJson(c)) {
      headers.set('Content-Type', 'application/json; charset=utf-8')
      return new Response(JSON.stringify(failureBody(error, requestId)), { status: error.status, headers })
    }
    headers.set('Content-Type', 'text/html; charset=utf-8')
    headers.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'")
    return new Response(failurePage(error, requestId), { status: error.status, headers })
  }
}

/** The path as it was sent: percent-encodings are data here, and a broken one must not throw. */
function rawPath(c: Context): string {
  const { url } = c.req
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const end = url.slice(start).search(/[?#]/)
  return end < 0 ? url.slice(start) : url.slice(start, start + end)
}

const socketAddress = (c: Context<Env>): string => c.env?.incoming?.socket.remoteAddress ?? '127.0.0.1'

function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/, '')
  return isIP(plain) === 4 ? plain.startsWith('127.') : plain === '::1'
}

const wantsJson = (c: Context): boolean =>
  c.req.path.endsWith('.data') || (c.req.header('accept') ?? '').startsWith('application/json')

function policyOf(origin: string): (nonce: string) => string {
  const { protocol, host } = new URL(origin)
  const fixed = [
    `default-src 'self'`,
    `base-uri 'self'`,
    `object-src 'none'`,
    `frame-ancestors 'none'`,
    // The way to one's own host is a form that is answered with a redirect there.
    `form-action 'self' ${protocol}//*.${host}`,
    `img-src 'self' data: blob: https:`,
    `font-src 'self'`,
    `style-src-attr 'unsafe-inline'`,
    `connect-src 'self'`,
  ].join('; ')
  return (nonce) => `${fixed}; script-src 'self' 'nonce-${nonce}'; style-src 'self' 'nonce-${nonce}'`
}
