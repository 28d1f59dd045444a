import { describe, expect, test } from 'vitest'
import { createViewLimits } from './view-limits.ts'

const now = new Date('2026-03-10T09:00:00Z')
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
const rule = (key: string, attempts: number) => ({ key, attempts, minutes: 10 })

describe('the limit of views', () => {
  test('refuses what is beyond it until the window ends, without counting it', () => {
    const limits = createViewLimits()
    const view = (at: Date) => limits.count([rule('a', 2)], at, 1)
    expect([view(now), view(later(4))]).toEqual([null, null])
    expect(view(later(4))).toEqual({ rule: rule('a', 2), retryAfter: 360 })
    expect(view(later(9.999))?.retryAfter).toBe(1)
    expect([view(later(10)), view(later(19))]).toEqual([null, null])
    expect(view(later(19))?.retryAfter).toBe(60)
  })

  test('counts each client by itself, and what one rule refuses for none', () => {
    const limits = createViewLimits()
    const view = (...keys: string[]) =>
      limits.count(
        keys.map((key) => rule(key, 1)),
        now,
        1,
      )
    expect([view('a'), view('b')]).toEqual([null, null])
    expect(view('a', 'c')?.rule.key).toBe('a')
    expect(view('c')).toBeNull()
  })

  test('is multiplied by the factor', () => {
    const limits = createViewLimits()
    const views = Array.from({ length: 4 }, () => limits.count([rule('a', 1)], now, 3))
    expect(views.map((refused) => refused === null)).toEqual([true, true, true, false])
  })

  test('forgets the oldest of more clients than it remembers', () => {
    const limits = createViewLimits()
    for (let client = 0; client <= 50_000; client++) limits.count([rule(String(client), 1)], now, 1)
    expect(limits.count([rule('1', 1)], now, 1)).not.toBeNull()
    expect(limits.count([rule('0', 1)], now, 1)).toBeNull()
  })
})
