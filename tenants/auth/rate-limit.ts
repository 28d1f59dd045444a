import { createHash } from 'node:crypto'
import { dayMs } from '#app/lib/time.ts'
import { AppError } from '#app/lib/errors.ts'
import type { Platform } from '../platform.ts'
import { logSecurity } from './security-log.ts'

/** At most `attempts` in a window of `minutes`, for each `key`. Lifted while the key `unless` is remembered. */
export type RateLimitRule = { key: string; attempts: number; minutes: number; unless?: string }

/** The rules of an attempt, the client's address (null: a job) and the account, if it is known. */
export type Attempt = { rules: RateLimitRule[]; address: string | null; account?: number }

const rememberedDays = 30

/**
 * Runs `work` within all rules and counts it only if it throws an error that `counts`. It is counted before it runs, so
 * that concurrent attempts don't get past the limit. Throws rate_limited.
 */
export async function withRateLimit<T>(
  platform: Platform,
  attempt: Attempt,
  work: () => Promise<T>,
  counts: (error: unknown) => boolean,
): Promise<T> {
  await countAttempt(platform, attempt)
  try {
    const result = await work()
    await decrement(platform, attempt.rules)
    return result
  } catch (error) {
    if (!counts(error)) await decrement(platform, attempt.rules)
    throw error
  }
}

/** Counts an attempt, whether it succeeds or not. Throws rate_limited. */
export async function countAttempt(platform: Platform, { rules, ...who }: Attempt): Promise<void> {
  const retryAfter = await increment(platform, rules)
  const exceeded = rules.filter((_, index) => retryAfter[index] !== null)
  if (!exceeded.length) return
  const remembered = await listRemembered(platform, exceeded)
  const refusing = exceeded.filter(({ unless }) => unless === undefined || !remembered.has(unless))
  if (!refusing.length) return
  await decrement(platform, rules)
  // Only the first word: keys contain email addresses.
  logSecurity(platform, { event: 'rate_limited', ...who, reason: refusing[0]!.key.split(':')[0]! })
  throw rateLimited(Math.max(...refusing.map((rule) => retryAfter[rules.indexOf(rule)]!)))
}

/** As `countAttempt`, for a limit that the caller must not notice. Returns whether the attempt is within it. */
export async function isWithinLimit(platform: Platform, rule: RateLimitRule): Promise<boolean> {
  const [retryAfter] = await increment(platform, [rule])
  return retryAfter === null
}

/** Lifts the rules with `unless: key` for 30 days. */
export async function remember(platform: Platform, key: string): Promise<void> {
  await platform.readPool.queryGlobal({
    name: 'rate-limit.remember',
    text: `insert into rate_limit (key, attempts, window_ends_at) values ($1, 0, $2)
      on conflict (key) do update set window_ends_at = excluded.window_ends_at`,
    values: [hashKey(key), new Date(platform.now().getTime() + rememberedDays * dayMs)],
  })
}

async function listRemembered(platform: Platform, rules: RateLimitRule[]): Promise<Set<string>> {
  const keys = rules.flatMap(({ unless }) => unless ?? [])
  if (!keys.length) return new Set()
  const rows = await platform.readPool.queryGlobal<{ key: string }>({
    name: 'rate-limit.remembered',
    text: 'select key from rate_limit where key = any($1) and window_ends_at > $2',
    values: [keys.map(hashKey), platform.now()],
  })
  const found = new Set(rows.map(({ key }) => key))
  return new Set(keys.filter((key) => found.has(hashKey(key))))
}

export const rateLimited = (retryAfter: number) =>
  new AppError('rate_limited', 'Too many attempts. Please try again later.', {
    headers: { 'Retry-After': String(retryAfter) },
  })

/** A crash of the database forgets the attempts of the last second: not worth a write to the disk for each. */
const counting = { alone: true, durable: false }

/**
 * Counts one attempt for each rule. Returns null for a rule within its limit, otherwise the seconds until its window
 * ends.
 */
async function increment(platform: Platform, rules: RateLimitRule[]): Promise<(number | null)[]> {
  // Nothing can be written while an administrator, who is signed in, reads a practice.
  if (platform.isReadOnly) return rules.map(() => null)
  const now = platform.now()
  const rows = await platform.readPool.queryGlobal<{ key: string; attempts: number; seconds: string }>(
    {
      name: 'rate-limit.increment',
      // All transactions lock the rows in the same order: they can't deadlock.
      text: `insert into rate_limit (key, attempts, window_ends_at)
        select key, 1, window_ends_at from unnest($1::text[], $2::timestamptz[]) as rules (key, window_ends_at) order by key
        on conflict (key) do update set
          attempts = case when rate_limit.window_ends_at <= $3 then 1 else rate_limit.attempts + 1 end,
          window_ends_at = case when rate_limit.window_ends_at <= $3 then excluded.window_ends_at
            else rate_limit.window_ends_at end
        returning key, attempts, extract(epoch from window_ends_at - $3)::int as seconds`,
      values: [
        rules.map(({ key }) => hashKey(key)),
        rules.map(({ minutes }) => new Date(now.getTime() + minutes * 60_000)),
        now,
      ],
    },
    counting,
  )
  const byKey = new Map(rows.map((row) => [row.key, row]))
  return rules.map(({ key, attempts }) => {
    const row = byKey.get(hashKey(key))!
    return row.attempts <= attempts * platform.config.rateLimitFactor ? null : Math.max(1, Number(row.seconds))
  })
}

async function decrement(platform: Platform, rules: RateLimitRule[]): Promise<void> {
  await platform.readPool.queryGlobal(
    {
      name: 'rate-limit.decrement',
      text: `update rate_limit set attempts = greatest(attempts - 1, 0) from
        (select key from rate_limit where key = any($1) order by key for update) as rules
        where rate_limit.key = rules.key`,
      values: [rules.map(({ key }) => hashKey(key))],
    },
    counting,
  )
}

const hashKey = (key: string): string => createHash('sha256').update(key).digest('base64url')
