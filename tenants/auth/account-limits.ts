import { clientNetwork, clientSite } from './client-network.ts'
import type { RateLimitRule } from './rate-limit.ts'

// The limits of everything that works without a session. Nobody can lock out somebody else: a limit that other clients
// can use up is lifted for clients that have signed in to the account before. The overall limits need many clients.

/** Remembered when somebody signs in to the account of `email` from this client. */
export const knownClientKey = (email: string, address: string): string => `known:${clientNetwork(address)}:${email}`

/** A client's own limit, and five times as much for the site of an IPv6 client: the overall limits need many sites. */
export function clientRules(kind: string, address: string, limit: Omit<RateLimitRule, 'key'>): RateLimitRule[] {
  const site = clientSite(address)
  return [
    { ...limit, key: `${kind}:${clientNetwork(address)}` },
    ...(site ? [{ ...limit, key: `${kind}:${site}`, attempts: limit.attempts * 5 }] : []),
  ]
}

/** Counts failed sign-ins. Source: api.md "Throttling". */
export function signInRules(email: string, address: string): RateLimitRule[] {
  const unless = knownClientKey(email, address)
  return [
    { key: `sign-in:${clientNetwork(address)}:${email}`, attempts: 10, minutes: 15 },
    ...clientRules('sign-in', address, { attempts: 100, minutes: 15, unless }),
    { key: `sign-in-account:${email}`, attempts: 100, minutes: 60, unless },
    { key: 'sign-in', attempts: 5000, minutes: 15, unless },
  ]
}

/** Counts registrations, and refused ones too: they tell which addresses are taken. */
export const registrationRules = (address: string): RateLimitRule[] => [
  ...clientRules('register', address, { attempts: 100, minutes: 60 }),
  { key: 'register', attempts: 2000, minutes: 60 },
]

/**
 * Counts requests for an email to `email`, such as a link to reset the password. `address` null: not from a client.
 * Source: api.md "Throttling".
 */
export function emailRequestRules(kind: string, email: string, address: string | null): RateLimitRule[] {
  const client = address ?? 'none'
  const unless = knownClientKey(email, client)
  return [
    { key: `${kind}:${clientNetwork(client)}:${email}`, attempts: 5, minutes: 60 },
    ...clientRules(kind, client, { attempts: 60, minutes: 60, unless }),
    { key: kind, attempts: 5000, minutes: 60, unless },
  ]
}

/** The most emails of one kind to one address, of all clients together. */
export const emailRule = (kind: string, email: string): RateLimitRule => ({
  key: `${kind}-email:${email}`,
  attempts: 20,
  minutes: 60,
})

/**
 * Counts API keys that don't work. Apart from `tokenRules`: a forgotten program must not block the links of an office.
 */
export const keyRules = (address: string): RateLimitRule[] => [
  { key: `unknown-api-key:${clientNetwork(address)}`, attempts: 50, minutes: 15 },
]

/** Counts links and codes that don't work. */
export const tokenRules = (address: string): RateLimitRule[] => [
  { key: `token:${clientNetwork(address)}`, attempts: 50, minutes: 15 },
]
