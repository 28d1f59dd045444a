import { rateLimited, type Attempt, type RateLimitRule } from './rate-limit.ts'
import { logSecurity } from './security-log.ts'
import type { Platform } from '../platform.ts'

/** Counts the pages that each client reads, in this process alone. */
export type ViewLimits = {
  /** Counts a view unless a rule refuses it. Returns null, or the rule and the seconds until its window ends. */
  count(rules: RateLimitRule[], now: Date, factor: number): { rule: RateLimitRule; retryAfter: number } | null
}

type Window = { views: number; endsAt: number }

/** More clients at once than these are counted anew. */
const maxKeys = 50_000

export function createViewLimits(): ViewLimits {
  // In the order in which the windows began.
  const windows = new Map<string, Window>()
  function getWindow({ key, minutes }: RateLimitRule, now: number): Window {
    const known = windows.get(key)
    if (known && known.endsAt > now) return known
    windows.delete(key)
    if (windows.size >= maxKeys) windows.delete(windows.keys().next().value!)
    const window = { views: 0, endsAt: now + minutes * 60_000 }
    windows.set(key, window)
    return window
  }
  return {
    count(rules, at, factor) {
      const now = at.getTime()
      const counted = rules.map((rule) => ({ rule, window: getWindow(rule, now) }))
      const refusing = counted.find(({ rule, window }) => window.views >= rule.attempts * factor)
      if (refusing)
        return { rule: refusing.rule, retryAfter: Math.max(1, Math.ceil((refusing.window.endsAt - now) / 1000)) }
      for (const { window } of counted) window.views++
      return null
    },
  }
}

/**
 * As `countAttempt`, for a page that changes nothing: it would write a row to the database for each view, which takes
 * as long as reading the page. Throws rate_limited.
 */
export function countView(platform: Platform, { rules, ...who }: Attempt): void {
  const refused = platform.viewLimits.count(rules, platform.now(), platform.config.rateLimitFactor)
  if (!refused) return
  // Only the first word: keys contain addresses.
  logSecurity(platform, { event: 'rate_limited', ...who, reason: refused.rule.key.split(':')[0]! })
  throw rateLimited(refused.retryAfter)
}
