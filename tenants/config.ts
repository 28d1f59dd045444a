import { isIP } from 'node:net'
import path from 'node:path'
import { unescape } from 'node:querystring'
import { z } from 'zod'
import { choice, databaseUrl, optional, splitKeys, url, vendorUrl, wholeNumber } from './config-fields.ts'
import { withoutCredentials } from './database-url.ts'
import { planIncludes, type PlanName } from './accounts/plans.ts'
import { isLoopback } from './local-addresses.ts'

const stripeWebhookSecret = z.string().regex(/^whsec_\S+$/, 'must begin with whsec_')
const stripePrice = z.string().regex(/^price_\w+$/, 'must begin with price_')

const Environment = z.object({
  NODE_ENV: optional(choice('production', 'development', 'test')),
  PLATFORM_NAME: optional(z.string().trim().min(1).max(60, 'must have at most 60 characters')),
  PORT: optional(wholeNumber(1, 65535)),
  HOST: optional(z.string()),
  APP_ORIGIN: optional(
    url(/^https?:\/\/[^/]+\/?$/, 'must be an origin such as https://example.com').transform(
      (value) => new URL(value).origin,
    ),
  ),
  DATABASE_URL: optional(databaseUrl),
  APP_DATABASE_URL: optional(databaseUrl),
  DATABASE_REPLICA_URL: optional(databaseUrl),
  DATA_DIR: optional(z.string()),
  ADMIN_EMAIL: optional(z.email('must be an e-mail address').transform((value) => value.toLowerCase())),
  ADMIN_PASSWORD: optional(z.string().min(12, 'must have at least 12 characters')),
  SECRET_KEY: optional(
    z
      .string()
      .transform(splitKeys)
      .refine((keys) => keys.every((key) => key.length >= 16), 'must have at least 16 characters in each key')
      .refine(
        (keys) => keys.every((key) => new Set(key).size >= 5),
        'must have at least 5 different characters in each key',
      ),
  ),
  SMTP_URL: optional(url(/^smtps?:\/\//, 'must be an address such as smtps://user:password@host:465')),
  MAIL_FROM: optional(z.string().min(3)),
  GOOGLE_CLIENT_ID: optional(z.string()),
  GOOGLE_CLIENT_SECRET: optional(z.string()),
  GOOGLE_BASE_URL: optional(vendorUrl),
  ZOOM_CLIENT_ID: optional(z.string()),
  ZOOM_CLIENT_SECRET: optional(z.string()),
  ZOOM_WEBHOOK_SECRET: optional(z.string()),
  ZOOM_BASE_URL: optional(vendorUrl),
  S3_BUCKET: optional(z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')),
  S3_ENDPOINT: optional(vendorUrl),
  S3_REGION: optional(z.string().regex(/^[a-z0-9-]{1,40}$/, 'must be a region such as eu-central-1')),
  S3_ACCESS_KEY_ID: optional(z.string()),
  S3_SECRET_ACCESS_KEY: optional(z.string()),
  STRIPE_SECRET_KEY: optional(z.string().regex(/^(sk|rk)_\w+$/, 'must begin with sk_ or rk_')),
  STRIPE_WEBHOOK_SECRET: optional(stripeWebhookSecret),
  STRIPE_CONNECT_WEBHOOK_SECRET: optional(stripeWebhookSecret),
  STRIPE_THIN_WEBHOOK_SECRET: optional(stripeWebhookSecret),
  STRIPE_PRICE_PRO: optional(stripePrice),
  STRIPE_PRICE_PREMIUM: optional(stripePrice),
  STRIPE_BASE_URL: optional(vendorUrl),
  REVAI_ACCESS_TOKEN: optional(z.string()),
  REVAI_BASE_URL: optional(vendorUrl),
  TRANSCRIPTION_MINUTES_PRO: optional(wholeNumber(0, 1_000_000)),
  TRANSCRIPTION_MINUTES_PREMIUM: optional(wholeNumber(0, 1_000_000)),
  SUMMARIZER_BASE_URL: optional(vendorUrl),
  SUMMARIZER_API_KEY: optional(z.string()),
  SUMMARIZER_MODEL: optional(z.string()),
  ROLE: optional(choice('all', 'web', 'worker')),
  WEB_PROCESSES: optional(wholeNumber(1, 64)),
  METRICS_TOKEN: optional(z.string().regex(/^\S{16,200}$/, 'must have at least 16 characters and no spaces')),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(url(/^https?:\/\//, 'must be an address such as http://localhost:4318')),
  OTEL_EXPORTER_OTLP_HEADERS: optional(
    z
      .string()
      .transform(splitKeys)
      .refine(
        (pairs) => pairs.every((pair) => /^[\w-]+=\S.*$/.test(pair)),
        'must be a list such as name=value,name=value',
      ),
  ),
  OTEL_SERVICE_NAME: optional(z.string().min(1).max(100)),
  OTEL_TRACES_SAMPLER_ARG: optional(
    z
      .string()
      .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a share from 0 to 1')
      .transform(Number),
  ),
  LOG_LEVEL: optional(choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')),
  TRUST_PROXY: optional(wholeNumber(0, 10)),
  DNS_SERVERS: optional(
    z
      .string()
      .transform(splitKeys)
      .refine(
        (servers) =>
          servers.every((server) => isIP(server.replace(/^\[(.+)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1'))),
        'must be addresses such as 192.0.2.53 or 192.0.2.53:5353',
      ),
  ),
  FAST_RENDER: optional(choice('on', 'off')),
  RATE_LIMIT_FACTOR: optional(
    z
      .string()
      .regex(/^\d+(\.\d+)?$/, 'must be a number above 0')
      .transform(Number)
      .pipe(z.number().positive('must be a number above 0')),
  ),
})

export type Config = {
  platformName: string
  port: number
  host: string
  /** For links in emails. Its host is the platform host; its subdomains are the coaches'. */
  origin: string
  /** For the role that owns and migrates the database. */
  databaseUrl: string | undefined
  /** For the role that serves. */
  appDatabaseUrl: string | undefined
  /** A standby for reports, read as the role that serves. */
  replicaUrl: string | undefined
  /** Embedded database, files, keys. Absolute. */
  dataDir: string
  admin: { email: string; password: string | undefined } | undefined
  /** For rotation: the first one signs, the others still verify. */
  secretKeys: string[]
  smtpUrl: string | undefined
  mailFrom: string | undefined
  /** Undefined: files are in `dataDir`. */
  s3: S3Config | undefined
  /** Undefined: the product is not connected to Google. */
  google: GoogleConfig | undefined
  /** Undefined: the product is not connected to Zoom. */
  zoom: ZoomConfig | undefined
  /** Undefined: the product is not connected to Stripe. */
  stripe: StripeConfig | undefined
  /** Undefined: recordings are not transcribed. */
  revai: RevAiConfig | undefined
  /** Included each month. */
  transcriptionMinutes: { pro: number; premium: number }
  /** Undefined: summaries are made without a model. */
  summarizer: SummarizerConfig | undefined
  role: 'all' | 'web' | 'worker'
  /** With more than one a supervisor runs them, beside a worker. */
  webProcesses: number
  logLevel: string
  /** With it `/metrics` can be read from other machines. */
  metricsToken: string | undefined
  /** Undefined: no traces are sent. */
  tracing: TracingConfig | undefined
  trustProxy: number
  /** Asked about the coaches' own domains. Empty: the machine's own. */
  dnsServers: string[]
  rateLimitFactor: number
  /** See app/server/fast-render/README.md. */
  fastRender: boolean
}

/** A collector that speaks OTLP over HTTP. `ratio`: the share of traces to send, from 0 to 1. */
export type TracingConfig = { endpoint: string; headers: Record<string, string>; serviceName: string; ratio: number }

/** `endpoint`: of a compatible store, instead of Amazon's. */
export type S3Config = {
  bucket: string
  endpoint: string | undefined
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** `baseUrl`: instead of Google's own addresses. */
export type GoogleConfig = { clientId: string; clientSecret: string; baseUrl: string | undefined }

/** `webhookSecret`: of Zoom's events; without it there are none. `baseUrl`: instead of Zoom's own addresses. */
export type ZoomConfig = {
  clientId: string
  clientSecret: string
  webhookSecret: string | undefined
  baseUrl: string | undefined
}

/**
 * `webhookSecret`: of the events of the platform's own account, `connectWebhookSecret`: of those of the coaches'
 * accounts, `thinWebhookSecret`: of the states of these accounts. `prices`: of the plans. `baseUrl`: instead of
 * Stripe's own address.
 */
export type StripeConfig = {
  secretKey: string
  webhookSecret: string | undefined
  connectWebhookSecret: string | undefined
  thinWebhookSecret: string | undefined
  prices: { pro: string | undefined; premium: string | undefined }
  baseUrl: string | undefined
}

/** `baseUrl`: Rev.ai's own, or another one for tests. */
export type RevAiConfig = { accessToken: string; baseUrl: string }

/** An endpoint that speaks OpenAI's protocol. `baseUrl` ends before `/v1`. One on this machine may need no key. */
export type SummarizerConfig = { baseUrl: string; apiKey: string | undefined; model: string }

/** An invalid setting. The message is one sentence with the variable's name. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/**
 * `secretKeys` is empty without SECRET_KEY: the caller creates one in `dataDir`. Throws ConfigError. Source:
 * product.md.
 */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const parsed = Environment.safeParse(env)
  if (!parsed.success) {
    const { path: name, message } = parsed.error.issues[0]!
    throw new ConfigError(`${String(name[0])} can't be used: it ${message}.`)
  }
  const values = parsed.data
  if (values.ADMIN_PASSWORD && !values.ADMIN_EMAIL)
    throw new ConfigError("ADMIN_PASSWORD can't be used: it needs ADMIN_EMAIL.")
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret } = values
  if (clientId && !clientSecret) throw new ConfigError("GOOGLE_CLIENT_ID can't be used: it needs GOOGLE_CLIENT_SECRET.")
  if (clientSecret && !clientId) throw new ConfigError("GOOGLE_CLIENT_SECRET can't be used: it needs GOOGLE_CLIENT_ID.")
  const port = values.PORT ?? 3000
  return {
    platformName: values.PLATFORM_NAME ?? 'Attune',
    port,
    host: values.HOST ?? '127.0.0.1',
    origin: values.APP_ORIGIN ?? `http://localhost:${port}`,
    ...toDatabases(values),
    dataDir: path.resolve(values.DATA_DIR ?? '.data'),
    admin: values.ADMIN_EMAIL ? { email: values.ADMIN_EMAIL, password: values.ADMIN_PASSWORD } : undefined,
    secretKeys: values.SECRET_KEY ?? [],
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    s3: toS3Config(values),
    google:
      clientId && clientSecret
        ? { clientId, clientSecret, baseUrl: values.GOOGLE_BASE_URL?.replace(/\/$/, '') }
        : undefined,
    zoom: toZoomConfig(values),
    stripe: toStripeConfig(values),
    revai: values.REVAI_ACCESS_TOKEN
      ? {
          accessToken: values.REVAI_ACCESS_TOKEN,
          baseUrl: (values.REVAI_BASE_URL ?? 'https://api.rev.ai').replace(/\/$/, ''),
        }
      : undefined,
    transcriptionMinutes: toTranscriptionMinutes(values),
    summarizer: toSummarizerConfig(values),
    ...toProcesses(values),
    logLevel: values.LOG_LEVEL ?? 'info',
    metricsToken: values.METRICS_TOKEN,
    tracing: toTracingConfig(values),
    trustProxy: values.TRUST_PROXY ?? 0,
    dnsServers: values.DNS_SERVERS ?? [],
    rateLimitFactor: values.RATE_LIMIT_FACTOR ?? 1,
    fastRender: values.FAST_RENDER !== 'off',
  }
}

/** The replica's without credentials: the serving role's are used. Throws ConfigError for one of the embedded database. */
function toDatabases(
  values: z.output<typeof Environment>,
): Pick<Config, 'databaseUrl' | 'appDatabaseUrl' | 'replicaUrl'> {
  const { DATABASE_URL: databaseUrl, APP_DATABASE_URL: appDatabaseUrl, DATABASE_REPLICA_URL: replicaUrl } = values
  if (replicaUrl && !databaseUrl && !appDatabaseUrl)
    throw new ConfigError("DATABASE_REPLICA_URL can't be used: it needs DATABASE_URL.")
  return { databaseUrl, appDatabaseUrl, replicaUrl: replicaUrl && withoutCredentials(replicaUrl) }
}

const toProcesses = ({ ROLE, WEB_PROCESSES }: z.output<typeof Environment>): Pick<Config, 'role' | 'webProcesses'> => ({
  role: ROLE ?? 'all',
  webProcesses: WEB_PROCESSES ?? 1,
})

/** Throws ConfigError for headers without an endpoint. */
function toTracingConfig(values: z.output<typeof Environment>): TracingConfig | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: pairs = [] } = values
  const { OTEL_SERVICE_NAME: serviceName = 'practice', OTEL_TRACES_SAMPLER_ARG: ratio = 1 } = values
  if (!endpoint && pairs.length)
    throw new ConfigError("OTEL_EXPORTER_OTLP_HEADERS can't be used: it needs OTEL_EXPORTER_OTLP_ENDPOINT.")
  if (!endpoint) return undefined
  const headers = Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), unescape(pair.slice(pair.indexOf('=') + 1))]),
  )
  return { endpoint: endpoint.replace(/\/$/, ''), headers, serviceName, ratio }
}

/** Throws ConfigError for a setting without the others. */
function toS3Config(values: z.output<typeof Environment>): S3Config | undefined {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values
  const { S3_ENDPOINT: endpoint, S3_REGION: region } = values
  const used = Object.entries({ S3_BUCKET: bucket, S3_ENDPOINT: endpoint, S3_REGION: region })
    .concat(Object.entries({ S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey }))
    .find(([, value]) => value !== undefined)
  if (!used) return undefined
  const needed = (name: string) => new ConfigError(`${used[0]} can't be used: it needs ${name}.`)
  if (!bucket) throw needed('S3_BUCKET')
  if (!accessKeyId) throw needed('S3_ACCESS_KEY_ID')
  if (!secretAccessKey) throw needed('S3_SECRET_ACCESS_KEY')
  return { bucket, endpoint, region: region ?? 'us-east-1', accessKeyId, secretAccessKey }
}

/** Throws ConfigError for a setting without the others. */
function toZoomConfig(values: z.output<typeof Environment>): ZoomConfig | undefined {
  const { ZOOM_CLIENT_ID: clientId, ZOOM_CLIENT_SECRET: clientSecret, ZOOM_WEBHOOK_SECRET: webhookSecret } = values
  if (clientId && !clientSecret) throw new ConfigError("ZOOM_CLIENT_ID can't be used: it needs ZOOM_CLIENT_SECRET.")
  if (clientSecret && !clientId) throw new ConfigError("ZOOM_CLIENT_SECRET can't be used: it needs ZOOM_CLIENT_ID.")
  if (webhookSecret && !clientId) throw new ConfigError("ZOOM_WEBHOOK_SECRET can't be used: it needs ZOOM_CLIENT_ID.")
  if (!clientId || !clientSecret) return undefined
  return { clientId, clientSecret, webhookSecret, baseUrl: values.ZOOM_BASE_URL?.replace(/\/$/, '') }
}

const stripeNames = [
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_CONNECT_WEBHOOK_SECRET',
  'STRIPE_THIN_WEBHOOK_SECRET',
  'STRIPE_PRICE_PRO',
  'STRIPE_PRICE_PREMIUM',
] as const

/** Throws ConfigError for a setting that needs the missing key. */
function toStripeConfig(values: z.output<typeof Environment>): StripeConfig | undefined {
  const dependent = stripeNames.find((name) => values[name] !== undefined)
  const { STRIPE_SECRET_KEY: secretKey } = values
  if (!secretKey && dependent) throw new ConfigError(`${dependent} can't be used: it needs STRIPE_SECRET_KEY.`)
  if (!secretKey) return undefined
  return {
    secretKey,
    webhookSecret: values.STRIPE_WEBHOOK_SECRET,
    connectWebhookSecret: values.STRIPE_CONNECT_WEBHOOK_SECRET,
    thinWebhookSecret: values.STRIPE_THIN_WEBHOOK_SECRET,
    prices: { pro: values.STRIPE_PRICE_PRO, premium: values.STRIPE_PRICE_PREMIUM },
    baseUrl: values.STRIPE_BASE_URL?.replace(/\/$/, ''),
  }
}

function toTranscriptionMinutes(values: z.output<typeof Environment>): Config['transcriptionMinutes'] {
  const { TRANSCRIPTION_MINUTES_PRO: pro = 600, TRANSCRIPTION_MINUTES_PREMIUM: premium = 3000 } = values
  return { pro, premium }
}

/** Throws ConfigError for an address without a model, or the reverse. */
function toSummarizerConfig(values: z.output<typeof Environment>): SummarizerConfig | undefined {
  const { SUMMARIZER_BASE_URL: baseUrl, SUMMARIZER_API_KEY: apiKey, SUMMARIZER_MODEL: model } = values
  if (baseUrl && model) return { baseUrl: baseUrl.replace(/(?:\/v1)?\/?$/, ''), apiKey, model }
  if (baseUrl) throw new ConfigError("SUMMARIZER_BASE_URL can't be used: it needs SUMMARIZER_MODEL.")
  if (model) throw new ConfigError("SUMMARIZER_MODEL can't be used: it needs SUMMARIZER_BASE_URL.")
  if (apiKey) throw new ConfigError("SUMMARIZER_API_KEY can't be used: it needs SUMMARIZER_BASE_URL.")
  return undefined
}

/** The origins to which forms of our pages lead by a redirect. */
export function listFormTargets({ stripe }: Config): string[] {
  if (!stripe) return []
  if (stripe.baseUrl) return [new URL(stripe.baseUrl).origin]
  return ['checkout', 'billing', 'connect'].map((name) => `https://${name}.stripe.com`)
}

/** Whether the product starts its own Postgres. */
export const hasEmbeddedDatabase = ({ databaseUrl, appDatabaseUrl }: Config): boolean => !databaseUrl && !appDatabaseUrl

/** Links in emails point to this machine. */
export const hasLocalOrigin = ({ origin }: Config): boolean => isLoopback(new URL(origin).hostname)

export const usesHttps = ({ origin }: Config): boolean => origin.startsWith('https:')

/** `customDomain`: their own domain, which DNS has proved. */
type CoachHost = { subdomain: string | null; customDomain: string | null; plan: PlanName }

/** The coach's own domain, if the plan includes it. */
export const getCustomDomain = ({ customDomain, plan }: Omit<CoachHost, 'subdomain'>): string | null =>
  planIncludes(plan, 'custom-domain') ? customDomain : null

/**
 * The origin of a coach's host, from APP_ORIGIN and the account: links never use the request's Host header. Null for a
 * coach without a host.
 */
export function coachOrigin(config: Config, coach: CoachHost & { subdomain: string }): string
export function coachOrigin(config: Config, coach: CoachHost): string | null
export function coachOrigin(config: Config, coach: CoachHost): string | null {
  if (!coach.subdomain) return null
  const domain = getCustomDomain(coach)
  return domain ? withHostname(config, domain) : subdomainOrigin(config, coach.subdomain)
}

/** The origin of a coach's host on the platform. */
export const subdomainOrigin = (config: Config, subdomain: string): string =>
  withHostname(config, `${subdomain}.${new URL(config.origin).hostname}`)

function withHostname(config: Config, hostname: string): string {
  const origin = new URL(config.origin)
  origin.hostname = hostname
  return origin.origin
}

/** Only this machine reaches the product. */
export const isLocalOnly = (config: Config): boolean => isLoopback(config.host) && hasLocalOrigin(config)

/** Throws ConfigError for a public installation that couldn't send emails. */
export function requireMailServer(config: Config): void {
  if (usesHttps(config) && !config.smtpUrl)
    throw new ConfigError(`SMTP_URL is missing: with an https APP_ORIGIN emails need a mail server.`)
}
