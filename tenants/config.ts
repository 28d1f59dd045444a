import path from 'node:path'
import { z } from 'zod'

const flagless = (value: unknown): unknown => (value === '' ? undefined : value)
const optional = <S extends z.ZodType>(schema: S) => z.preprocess(flagless, schema.optional())
const wholeNumber = (from: number, to: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${from} to ${to}`)
    .transform(Number)
    .pipe(
      z
        .number()
        .min(from, `must be a whole number from ${from} to ${to}`)
        .max(to, `must be a whole number from ${from} to ${to}`),
    )
const oneOf = <const V extends readonly [string, ...string[]]>(...values: V) =>
  z.enum(values, `must be one of ${values.join(', ')}`)
const url = (protocols: RegExp, hint: string) =>
  z.string().refine((value) => URL.canParse(value) && protocols.test(value), hint)

const Environment = z.object({
  NODE_ENV: optional(oneOf('production', 'development', 'test')),
  PLATFORM_NAME: optional(z.string().trim().min(1).max(60, 'must have at most 60 characters')),
  PORT: optional(wholeNumber(1, 65535)),
  HOST: optional(z.string()),
  APP_ORIGIN: optional(
    url(/^https?:\/\/[^/]+\/?$/, 'must be an origin such as https://example.com').transform(
      (value) => new URL(value).origin,
    ),
  ),
  DATABASE_URL: optional(
    url(/^postgres(ql)?:\/\//, 'must be an address such as postgresql://user:password@host:5432/name'),
  ),
  DATA_DIR: optional(z.string()),
  ADMIN_EMAIL: optional(z.email('must be an e-mail address').transform((value) => value.toLowerCase())),
  ADMIN_PASSWORD: optional(z.string().min(6, 'must have at least 6 characters')),
  SECRET_KEY: optional(z.string().min(16, 'must have at least 16 characters')),
  SMTP_URL: optional(url(/^smtps?:\/\//, 'must be an address such as smtps://user:password@host:465')),
  MAIL_FROM: optional(z.string().min(3)),
  ROLE: optional(oneOf('all', 'web', 'worker')),
  LOG_LEVEL: optional(oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')),
  TRUST_PROXY: optional(wholeNumber(0, 10)),
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
  /** The one origin that links in e-mails use. Its host is the platform host; its subdomains are the coaches'. */
  origin: string
  databaseUrl: string | undefined
  /** Embedded database, files, keys. Absolute. */
  dataDir: string
  admin: { email: string; password: string | undefined } | undefined
  /** Several, separated by commas, for rotation: the first one is used, the others are still accepted. */
  secretKeys: string[]
  smtpUrl: string | undefined
  mailFrom: string | undefined
  role: 'all' | 'web' | 'worker'
  logLevel: string
  trustProxy: number
  rateLimitFactor: number
}

/** A setting that can't be used, in one sentence with the variable's name. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/**
 * Reads the configuration by the names of product.md, once.
 * `secretKeys` is empty when SECRET_KEY is unset: the caller makes one in `dataDir`. Throws ConfigError.
 */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const parsed = Environment.safeParse(env)
  if (!parsed.success) {
    const { path: at, message } = parsed.error.issues[0]!
    throw new ConfigError(`${String(at[0])} can't be used: it ${message}.`)
  }
  const e = parsed.data
  const port = e.PORT ?? 3000
  return {
    platformName: e.PLATFORM_NAME ?? 'Attune',
    port,
    host: e.HOST ?? '127.0.0.1',
    origin: e.APP_ORIGIN ?? `http://localhost:${port}`,
    databaseUrl: e.DATABASE_URL,
    dataDir: path.resolve(e.DATA_DIR ?? '.data'),
    admin: e.ADMIN_EMAIL ? { email: e.ADMIN_EMAIL, password: e.ADMIN_PASSWORD } : undefined,
    secretKeys: e.SECRET_KEY?.split(',').map((key) => key.trim()) ?? [],
    smtpUrl: e.SMTP_URL,
    mailFrom: e.MAIL_FROM,
    role: e.ROLE ?? 'all',
    logLevel: e.LOG_LEVEL ?? 'info',
    trustProxy: e.TRUST_PROXY ?? 0,
    rateLimitFactor: e.RATE_LIMIT_FACTOR ?? 1,
  }
}
