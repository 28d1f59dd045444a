import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { trace } from '@opentelemetry/api'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { compress } from 'hono/compress'
import { AppError } from '#app/lib/errors.ts'
import { toAppError } from '#db/error-mapping.ts'
import type { RequestContext } from '#tenants/api/operation.ts'
import type { Platform } from '#tenants/platform.ts'
import { toReadOnly } from '#tenants/read-only.ts'
import { findKeyAccount, readBearer } from '#tenants/api-keys/api-keys.ts'
import { createHandoverToken, redeemHandoverToken } from '#tenants/auth/one-time-tokens.ts'
import { findViewer } from '#tenants/auth/sessions.ts'
import type { HostTenant } from '#tenants/auth/viewer.ts'
import { createSessionCookie, sessionCookieName } from '#tenants/accounts/api.ts'
import { coachOrigin, getCustomDomain, listFormTargets, usesHttps, type Config } from '#tenants/config.ts'
import { errorBody } from './error-response.ts'
import { errorPage, handoverPage } from './static-pages.ts'
import {
  clientAddress,
  findHost,
  isOfPlatform,
  isOwnDomain,
  rejectCrossSite,
  resolveHost,
  unknownHostError,
  type HostContext,
} from './host-routing.ts'
import { createKnownHosts } from './known-hosts.ts'
import { isDirect, socketAddress } from './direct-request.ts'
import { rawPath, wantsJson } from './request-path.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { traceRequests } from './trace-requests.ts'
import { applySupport, serveSupport } from './support-access.ts'
import { serveMetrics } from './serve-metrics.ts'
import { serveOutbox } from './serve-outbox.ts'
import { serveImages } from './serve-images.ts'
import type { ServerBindings } from './server.ts'
import type { Api, ApiResult } from '../api/api.ts'
import { openApi } from '../api/openapi.ts'
import type { Pages } from '../pages/pages.ts'
import {
  createNonce,
  createPagePolicy,
  handoverPolicy,
  listStrictHeaders,
  setSecurityHeaders,
  strictPolicy,
} from './security-headers.ts'
import { cookieName, readCookie, serializeCookie } from './cookies.ts'

const maxFormBytes = 1024 * 1024
const maxHandoverBytes = 1024
const assetsRoute = '/assets'
const noStore = 'private, no-store'
const jsonType = 'application/json; charset=utf-8'

type Variables = { requestId: string; requestContext: RequestContext; route: string; hasAllHeaders: boolean }
export type Env = { Bindings: ServerBindings; Variables: Variables }

/** Shared by the parts of the server. */
type Shared = {
  platform: Platform
  secure: boolean
  hosts: ReturnType<typeof createKnownHosts>
  metrics: Metrics
}

/**
 * The HTTP server: request ids, headers, static files, host and session, then the API or a page.
 * API tests leave out `pages`; `assets` is the folder of the built files.
 */
export function createApp(options: {
  platform: Platform
  api: Api
  pages?: Pages
  /** Paths of the pages that accept file uploads, such as `/sessions/:id`. */
  uploads?: string[]
  assets?: string
  ready: () => Promise<boolean>
}): Hono<Env> {
  const { platform, api, pages, uploads = [], assets, ready } = options
  const shared = {
    platform,
    secure: usesHttps(platform.config),
    hosts: createKnownHosts(platform),
    metrics: createMetrics(platform),
  }
  const app = new Hono<Env>({ strict: false })

  app.onError((error, c) => toErrorResponse(platform.log, c, error))
  traceRequests(app, platform.config)
  logRequests(app, shared)
  serveHealth(app, ready)
  serveMetrics(app, platform, shared.metrics)
  serveCertificateCheck(app, shared)
  if (assets) serveAssets(app, shared, assets)
  resolveContext(app, shared)
  serveSupport(app, shared)
  serveImages(app, platform)
  serveApi(app, shared, api)
  serveHandover(app, shared)
  serveOutbox(app, platform)
  if (pages) servePages(app, platform, pages, uploads)
  return app
}

/** Gives each request an id, and each response the headers that it lacks. */
function logRequests(app: Hono<Env>, { platform, secure, metrics }: Shared): void {
  const { config, log } = platform
  app.use(async (c, next) => {
    const requestId = randomUUID()
    const started = performance.now()
    c.set('requestId', requestId)
    c.set('route', 'none')
    await next()
    if (!c.get('hasAllHeaders')) {
      const { headers, status } = c.res
      for (const [name, value] of Object.entries(requestHeaders(requestId))) headers.set(name, value)
      if (status === 503 && !headers.has('Retry-After')) headers.set('Retry-After', '5')
      if (!headers.has('Cache-Control')) headers.set('Cache-Control', noStore)
      setSecurityHeaders(headers, secure, isOfPlatform(c.req.header('host'), config))
    }
    const ms = performance.now() - started
    metrics.observe({ method: c.req.method, route: c.get('route'), status: c.res.status, seconds: ms / 1000 })
    const context = c.get('requestContext')
    const span = trace.getActiveSpan()
    const level = c.get('route') === assetsRoute ? 'debug' : 'info'
    // Log the route's pattern, never the URL: a URL may contain personal data.
    log[level]({
      requestId,
      ...(span?.isRecording() ? { trace: span.spanContext().traceId } : {}),
      tenant: context?.viewer.account?.id ?? context?.tenant?.id ?? null,
      // Which API key: leaked ones are found by what they did.
      ...(context?.viewer.keyId ? { key: context.viewer.keyId } : {}),
      ...(context?.viewer.support ? { support: context.viewer.support.administrator.id } : {}),
      route: `${c.req.method} ${c.get('route')}`,
      status: c.res.status,
      ms: Math.round(ms),
    })
  })
}

function serveHealth(app: Hono<Env>, ready: () => Promise<boolean>): void {
  app.get('/healthz', (c) => (c.set('route', '/healthz'), c.text('ok')))
  app.get('/readyz', async (c) => {
    c.set('route', '/readyz')
    return (await ready().catch(() => false)) ? c.text('ready') : c.text('not ready', 503)
  })
}

/** A proxy asks here before it gets a certificate for a name: from this machine, and not for somebody else. */
function serveCertificateCheck(app: Hono<Env>, shared: Shared): void {
  app.get('/internal/tls', async (c) => {
    c.set('route', '/internal/tls')
    if (!isDirect(c) || !(await isServed(shared, c.req.query('domain') ?? '')))
      throw new AppError('not_found', 'Not found')
    return c.text('ok')
  })
}

/** Whether the product serves `hostname`, so that it needs a certificate: the platform's host, or one of a coach. */
async function isServed({ platform }: Shared, hostname: string): Promise<boolean> {
  const { config } = platform
  if (hostname === new URL(config.origin).hostname) return true
  const host = findHost(hostname, config)
  return host?.label ? (await findViewer(platform, undefined, host.label)).tenant !== null : false
}

function serveAssets(app: Hono<Env>, { platform, hosts }: Shared, root: string): void {
  const { config } = platform
  app.use('/assets/*', async (c, next) => {
    c.set('route', assetsRoute)
    const { label } = resolveHost(c.req.header('host'), config)
    if (label && !(await hosts.isKnown(label))) throw unknownHostError()
    await next()
  })
  app.use(
    '/assets/*',
    serveStatic({
      root,
      precompressed: true,
      onFound: (_path, c) => c.header('Cache-Control', 'public, max-age=31536000, immutable'),
    }),
  )
  app.all('/assets/*', () => {
    throw new AppError('not_found', 'Not found')
  })
}

/** Finds the coach of the host, and the account of the session or API key. */
function resolveContext(app: Hono<Env>, { platform, secure, hosts }: Shared): void {
  const { config } = platform
  const readOnly = toReadOnly(platform)
  app.use(async (c, next) => {
    const host = resolveHost(c.req.header('host'), config)
    // The form comes from the platform's host: its one-time token shows that.
    if (!host.label || c.req.path !== '/handover') rejectCrossSite(c.req.method, c.req.raw.headers, host, config)
    // Only the API takes keys. One that is sent wins over the session of a browser.
    const key = c.req.path.startsWith('/api/') ? readBearer(c.req.raw.headers) : null
    const session = key === null ? readCookie(c.req.raw.headers, sessionCookieName, secure) : undefined
    const visitor = await findViewer(platform, session, host.label)
    const { tenant } = visitor
    if (host.label && !tenant) throw unknownHostError()
    if (host.label) hosts.remember(host.label)
    const moved = tenant && movesToDomain(config, c, host, tenant)
    // Not for ever in a browser: the coach may remove the domain.
    if (moved) return c.redirect(moved, 301)
    const address = clientAddress(c.req.raw.headers, socketAddress(c), config.trustProxy)
    const viewer =
      key === null
        ? await applySupport(platform, visitor, c.req.raw.headers, secure)
        : { ...visitor, ...(await findKeyAccount(platform, key, address)) }
    const { account } = viewer
    // A coach's own host serves only that coach.
    const isOtherCoach = tenant && account && tenant.id !== account.id
    c.set('requestContext', {
      platform: viewer.support ? readOnly : platform,
      viewer: isOtherCoach ? { ...viewer, account: null } : viewer,
      tenant,
      address,
      userAgent: c.req.header('user-agent') ?? null,
      requestId: c.get('requestId'),
    })
    await next()
  })
}

/**
 * The URL of a link to the subdomain of a coach with a domain of their own. Null for calls and open pages, which
 * stay.
 */
function movesToDomain(config: Config, c: Context<Env>, host: HostContext, tenant: HostTenant): string | null {
  const isLink = c.req.method === 'GET' || c.req.method === 'HEAD'
  if (!isLink || isOwnDomain(host) || !getCustomDomain(tenant)) return null
  if (/^\/(api|uploads)\//.test(c.req.path) || c.req.path.endsWith('.data')) return null
  return coachOrigin(config, tenant) + c.req.url.slice(new URL(c.req.url).origin.length)
}

function serveApi(app: Hono<Env>, { platform, secure }: Shared, api: Api): void {
  const { config } = platform
  const toStrictHeaders = (ofPlatform: boolean) => ({
    ...listStrictHeaders(secure, ofPlatform),
    'Cache-Control': noStore,
    'Content-Type': jsonType,
  })
  const [strictHeaders, ownDomainHeaders] = [toStrictHeaders(true), toStrictHeaders(false)]

  app.get('/api/openapi.json', (c) => {
    c.set('route', '/api/openapi.json')
    const { tenant } = c.get('requestContext')
    return c.json(
      openApi(api.operations, {
        title: tenant?.name ?? config.platformName,
        origin: tenant ? coachOrigin(config, tenant) : config.origin,
        sessionCookie: cookieName(sessionCookieName, secure),
      }),
    )
  })
  app.all('/api/*', async (c) => {
    c.set('route', '/api')
    const result = await api.handle(c.req.raw, rawPath(c).slice('/api'.length), c.get('requestContext'), {
      onMatch: (path) => c.set('route', `/api${path}`),
      incoming: c.env?.incoming,
    })
    if (result.body instanceof Readable) {
      const headers = toHeaders(result, secure)
      // A document of its own: whatever it is, it runs nothing.
      if (!headers.has('Content-Security-Policy')) headers.set('Content-Security-Policy', strictPolicy('sandbox'))
      // API tests have no connection.
      if (c.env?.outgoing) c.env.content = result.body
      const body = c.env?.outgoing ? null : (Readable.toWeb(result.body) as ReadableStream)
      return new Response(body, { status: result.status, headers })
    }
    // Node writes bytes much faster than a long string.
    const body = result.body === null ? null : Buffer.from(result.body)
    if (body === null || result.cookies.length) {
      const headers = toHeaders(result, secure)
      if (body !== null) headers.set('Content-Type', jsonType)
      return new Response(body, { status: result.status, headers })
    }
    // All of them at once: a `Headers`, which the others would be added to, takes a tenth of the time of a read.
    c.set('hasAllHeaders', true)
    const fixed = isOfPlatform(c.req.header('host'), config) ? strictHeaders : ownDomainHeaders
    const headers = { ...fixed, ...requestHeaders(c.get('requestId')), ...result.headers }
    return new Response(body, { status: result.status, headers })
  })
}

function toHeaders({ headers, cookies }: ApiResult, secure: boolean): Headers {
  const all = new Headers(headers)
  for (const cookie of cookies) all.append('Set-Cookie', serializeCookie(cookie, secure))
  return all
}

/** Hands a session over to the coach's own host. */
function serveHandover(app: Hono<Env>, shared: Shared): void {
  const { platform } = shared
  const { config } = platform
  app.post('/handover', limitBody(maxHandoverBytes, 'This form is too large.'), async (c) => {
    c.set('route', '/handover')
    const requestContext = c.get('requestContext')
    const { account } = requestContext.viewer
    if (requestContext.tenant) return arriveFromPlatform(shared, c, requestContext.tenant)
    if (!account?.subdomain) return c.redirect(account ? '/branding' : '/auth', 303)
    const origin = coachOrigin(config, { ...account, subdomain: account.subdomain })
    const token = await createHandoverToken(platform, account.id, getCustomDomain(account) ?? account.subdomain)
    const nonce = createNonce()
    c.header('Content-Security-Policy', handoverPolicy(origin, nonce))
    return c.html(handoverPage({ origin, token, nonce }))
  })
  app.all('/handover', (c) => {
    c.set('route', '/handover')
    throw new AppError('method_not_allowed', 'Use the button in the menu of your account.', {
      headers: { Allow: 'POST' },
    })
  })
}

/** Signs in on the coach's own host. The token comes in the body, because URLs are stored in logs and histories. */
async function arriveFromPlatform(
  { platform, secure }: Shared,
  c: Context<Env>,
  tenant: HostTenant,
): Promise<Response> {
  const form = await c.req.raw.formData().catch(() => null)
  const handover = form?.get('token')
  const session =
    typeof handover === 'string' ? await redeemHandoverToken(platform, handover, tenant, c.get('requestContext')) : null
  if (session) c.header('Set-Cookie', serializeCookie(createSessionCookie(session), secure))
  return c.redirect(session ? '/dashboard' : '/auth', 303)
}

function servePages(app: Hono<Env>, { config }: Platform, pages: Pages, uploads: string[]): void {
  const limitFormSize = limitBody(maxFormBytes, 'This form is larger than 1 MB.')
  // A page with file uploads enforces its own limit.
  const acceptsFiles = uploads.map((path) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}(\\.data)?$`))
  app.use((c, next) =>
    c.req.method === 'GET' || acceptsFiles.some((pattern) => pattern.test(c.req.path))
      ? next()
      : limitFormSize(c, next),
  )
  const formTargets = listFormTargets(config)
  const toPolicy = createPagePolicy(config.origin, formTargets)
  const toOwnDomainPolicy = createPagePolicy(null, formTargets)
  const compressResponse = compress({ threshold: 1024 })
  // Skip the compressor for clients without gzip: it would copy the page.
  app.use((c, next) =>
    /\b(gzip|deflate)\b/.test(c.req.header('accept-encoding') ?? '') ? compressResponse(c, next) : next(),
  )
  app.all('*', async (c) => {
    c.set('route', pages.routeName(c.req.path))
    const nonce = createNonce()
    const { response, framedBy } = await pages.handle(c.req.raw, c.get('requestContext'), nonce)
    // The policy of visitors names no host of the platform where its address doesn't.
    const isVisitorOfDomain = !isOfPlatform(c.req.header('host'), config) && !c.get('requestContext').viewer.account
    const policy = isVisitorOfDomain ? toOwnDomainPolicy : toPolicy
    response.headers.set('Content-Security-Policy', policy(nonce, framedBy))
    response.headers.set('Vary', 'Accept-Encoding')
    return response
  })
}

function toErrorResponse(log: Platform['log'], c: Context<Env>, thrown: unknown): Response {
  const error = toAppError(thrown)
  const requestId = c.get('requestId')
  if (error.status >= 500) log.error({ err: thrown, requestId }, 'request failed')
  const headers = new Headers(error.headers)
  if (c.req.path.startsWith('/api/') || c.req.path === '/api' || wantsJson(c)) {
    headers.set('Content-Type', jsonType)
    return new Response(JSON.stringify(errorBody(error, requestId)), { status: error.status, headers })
  }
  headers.set('Content-Type', 'text/html; charset=utf-8')
  headers.set('Content-Security-Policy', strictPolicy("style-src 'unsafe-inline'; img-src data:"))
  const tenant = c.get('requestContext')?.tenant ?? null
  return new Response(errorPage(error, requestId, tenant), { status: error.status, headers })
}

/**
 * Scripts can't read the headers of a failed navigation, but they can read Server-Timing: the id to quote to support.
 */
const requestHeaders = (requestId: string): Record<string, string> => ({
  'X-Request-Id': requestId,
  'Server-Timing': `request;desc="${requestId}"`,
})

const limitBody = (maxSize: number, message: string) =>
  bodyLimit({
    maxSize,
    onError: () => {
      throw new AppError('too_large', message)
    },
  })
