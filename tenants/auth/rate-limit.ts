import { createHash } from 'node:crypto'
import { AppError } from '#app/lib/errors.ts'
import type { Platform } from '../platform.ts'

/** At most `attempts` in a window of `minutes`, for each `key`. */
export type RateLimitRule = { key: string; attempts: number; minutes: number }

/**
 * Runs `attempt` within all rules and counts it only if it throws an error that `counts`. It is counted before it runs, so
 * that concurrent attempts don't get past the limit. Throws rate_limited.
 */
export async function withRateLimit<T>(
  platform: Platform,
  rules: RateLimitRule[],
  attempt: () => Promise<T>,
  counts: (error: unknown) => boolean,
): Promise<T> {
  for (const [index, rule] of rules.entries()) {
    const retryAfter = await increment(platform, rule)
    if (retryAfter === null) continue
    for (const counted of rules.slice(0, index + 1)) await decrement(platform, counted)
    throw rateLimited(retryAfter)
  }
  try {
    const result = await attempt()
    for (const rule of rules) await decrement(platform, rule)
    return result
  } catch (error) {
    if (!counts(error)) for (const rule of rules) await decrement(platform, rule)
    throw error
  }
}

/** Counts an attempt, whether it succeeds or not. Throws rate_limited. */
export async function countAttempt(platform: Platform, rule: RateLimitRule): Promise<void> {
  const retryAfter = await increment(platform, rule)
  if (retryAfter === null) return
  await decrement(platform, rule)
  throw rateLimited(retryAfter)
}

const rateLimited = (retryAfter: number) =>
  new AppError('rate_limited', 'Too many attempts. Please try again later.', {
    headers: { 'Retry-After': String(retryAfter) },
  })

/** Returns null within the limit, otherwise the seconds until the window ends. */
async function increment(platform: Platform, { key, attempts, minutes }: RateLimitRule): Promise<number | null> {
  const now = platform.now()
  const [row] = await platform.readPool.queryGlobal<{ attempts: number; seconds: string }>({
    name: 'rate-limit.increment',
    text: `insert into rate_limit (key, attempts, window_ends_at) values ($1, 1, $3)
      on conflict (key) do update set
        attempts = case when rate_limit.window_ends_at <= $2 then 1 else rate_limit.attempts + 1 end,
        window_ends_at = case when rate_limit.window_ends_at <= $2 then $3 else rate_limit.window_ends_at end
      returning attempts, extract(epoch from window_ends_at - $2)::int as seconds`,
    values: [hashKey(key), now, new Date(now.getTime() + minutes * 60_000)],
  })
  return row!.attempts <= attempts * platform.config.rateLimitFactor ? null : Math.max(1, Number(row!.seconds))
}

async function decrement(platform: Platform, { key }: RateLimitRule): Promise<void> {
  await platform.readPool.queryGlobal({
    name: 'rate-limit.decrement',
    text: 'update rate_limit set attempts = greatest(attempts - 1, 0) where key = $1',
    values: [hashKey(key)],
  })
}

const hashKey = (key: string): string => createHash('sha256').update(key).digest('base64url')
