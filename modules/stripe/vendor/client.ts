import { createHash } from 'node:crypto'
import type { Stripe } from 'stripe'
import { AppError } from '#app/lib/errors.ts'
import type { Config, StripeConfig } from '#tenants/config.ts'
import { fromStripe, StripeError } from './errors.ts'

/** The version that all requests name and all webhook endpoints are created with. */
export const apiVersion = '2026-10-28.endive'

const timeoutMs = 20_000

/** Throws unavailable without STRIPE_SECRET_KEY. */
export function requireStripe({ stripe }: Config): StripeConfig {
  if (!stripe) throw new AppError('unavailable', 'Stripe is not connected on this platform.')
  return stripe
}

/**
 * Calls Stripe, outside of a transaction. Throws StripeError alone: the SDK's errors contain requests. Every POST about
 * money names what it does in its idempotency key, such as `invoice:42:checkout:3`, prefixed by `coach:7:`.
 */
export async function callStripe<T>(config: Config, work: (stripe: Stripe) => Promise<T>): Promise<T> {
  const stripe = await createClient(requireStripe(config))
  try {
    const result = await work(stripe)
    // The SDK takes a 404 without an error for a success.
    if (!isStripeObject(result)) throw new StripeError('down', { code: 'garbage' })
    return result
  } catch (error) {
    throw error instanceof AppError ? error : fromStripe(error)
  }
}

/** For an idempotency key: it changes with the body, and has nothing personal. */
export const hashBody = (body: object): string =>
  createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 16)

const isStripeObject = (result: unknown): boolean =>
  typeof result !== 'object' || result === null || Array.isArray(result) || 'object' in result

const clients = new WeakMap<StripeConfig, Promise<Stripe>>()

/** The SDK, loaded with the first call: most processes never need it. */
function createClient(config: StripeConfig): Promise<Stripe> {
  const known = clients.get(config)
  if (known) return known
  const created = import('stripe').then(({ default: StripeClient }) => {
    const at = config.baseUrl ? new URL(config.baseUrl) : null
    return new StripeClient(config.secretKey, {
      apiVersion,
      maxNetworkRetries: 2,
      timeout: timeoutMs,
      telemetry: false,
      ...(at ? { host: at.hostname, port: at.port, protocol: at.protocol === 'http:' ? 'http' : 'https' } : {}),
    })
  })
  clients.set(config, created)
  return created
}

/** The SDK itself, for signatures. */
export const loadStripe = (config: Config): Promise<Stripe> => createClient(requireStripe(config))
