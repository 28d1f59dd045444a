import { createHash } from 'node:crypto'
import { AppError } from '#app/lib/errors.ts'
import type { Platform } from '../platform.ts'

export type Limit = { key: string; failures: number; minutes: number }

/**
 * Runs `attempt` while every limit has room, and counts it only if it throws `countsWhen`.
 * The place is taken before the attempt, so fifty at once get no more tries than one after the other. Throws rate_limited.
 */
export async function throttled<T>(
  platform: Platform,
  limits: Limit[],
  attempt: () => Promise<T>,
  countsWhen: (error: unknown) => boolean,
): Promise<T> {
  for (const [taken, limit] of limits.entries()) {
    const retryAfter = await take(platform, limit)
    if (retryAfter === null) continue
    for (const earlier of limits.slice(0, taken + 1)) await giveBack(platform, earlier)
    throw new AppError('rate_limited', 'Too many attempts. Please try again later.', {
      headers: { 'Retry-After': String(retryAfter) },
    })
  }
  try {
    const result = await attempt()
    for (const limit of limits) await giveBack(platform, limit)
    return result
  } catch (error) {
    if (!countsWhen(error)) for (const limit of limits) await giveBack(platform, limit)
    throw error
  }
}

/** Counts one more, without giving it back. Throws rate_limited when the window is full. */
export async function countOnce(platform: Platform, limit: Limit): Promise<void> {
  const retryAfter = await take(platform, limit)
  if (retryAfter === null) return
  await giveBack(platform, limit)
  throw new AppError('rate_limited', 'Too many attempts. Please try again later.', {
    headers: { 'Retry-After': String(retryAfter) },
  })
}

/** Null when there was room, otherwise the seconds until the window ends. */
async function take(platform: Platform, { key, failures, minutes }: Limit): Promise<number | null> {
  const now = platform.now()
  const [row] = await platform.reads.look<{ failures: number; ends: string }>({
    name: 'throttle.take',
    text: `insert into throttle (key, failures, window_ends_at) values ($1, 1, $3)
      on conflict (key) do update set
        failures = case when throttle.window_ends_at <= $2 then 1 else throttle.failures + 1 end,
        window_ends_at = case when throttle.window_ends_at <= $2 then $3 else throttle.window_ends_at end
      returning failures, extract(epoch from window_ends_at - $2)::int as ends`,
    values: [hashed(key), now, new Date(now.getTime() + minutes * 60_000)],
  })
  return row!.failures <= failures * platform.config.rateLimitFactor ? null : Math.max(1, Number(row!.ends))
}

async function giveBack(platform: Platform, { key }: Limit): Promise<void> {
  await platform.reads.look({
    name: 'throttle.give-back',
    text: 'update throttle set failures = greatest(failures - 1, 0) where key = $1',
    values: [hashed(key)],
  })
}

const hashed = (key: string): string => createHash('sha256').update(key).digest('base64url')
