import { expect, test } from 'vitest'
import { dayMs } from '#app/lib/time.ts'
import { chooseSubscription, toPaidPlan, type Subscription } from './state.ts'

const now = new Date('2026-03-10T14:00:00Z')
const subscription = (more: Partial<Subscription>): Subscription => ({
  id: 'sub_1',
  itemId: 'si_1',
  status: 'active',
  plan: 'pro',
  createdAt: now,
  periodEndsAt: now,
  cancelsAt: null,
  isUnpaid: false,
  ...more,
})
const later = (days: number) => new Date(now.getTime() + days * dayMs)

test.each([
  ['active', 'pro', null],
  ['trialing', 'pro', null],
  ['past_due', 'pro', now],
  ['unpaid', 'pro', now],
  ['canceled', 'free', null],
  ['incomplete', 'free', null],
  ['incomplete_expired', 'free', null],
  ['paused', 'free', null],
] as const)('%s gives %s', (status, plan, failedAt) => {
  expect(toPaidPlan(subscription({ status }), null, now)).toEqual({ plan, failedAt })
})

test('a plan whose payment fails is kept for 14 days from the first failure, also when Stripe ends it', () => {
  for (const unpaid of [subscription({ status: 'past_due' }), subscription({ status: 'canceled', isUnpaid: true })]) {
    expect(toPaidPlan(unpaid, now, later(13.99))).toEqual({ plan: 'pro', failedAt: now })
    expect(toPaidPlan(unpaid, now, later(14))).toEqual({ plan: 'free', failedAt: now })
  }
  expect(toPaidPlan(subscription({}), now, later(20))).toEqual({ plan: 'pro', failedAt: null })
})

test('of several, one that is paid is better than one that fails, then the higher plan, then the older one', () => {
  const failing = subscription({ id: 'failing', status: 'past_due', plan: 'premium' })
  const pro = subscription({ id: 'pro' })
  const young = subscription({ id: 'young', plan: 'premium', createdAt: later(1) })
  const old = subscription({ id: 'old', plan: 'premium' })
  const ended = subscription({ id: 'ended', status: 'canceled', createdAt: later(2) })
  const choose = (...some: Subscription[]) => {
    const { best, others } = chooseSubscription(some)
    return [best?.id ?? null, ...others.map(({ id }) => id)]
  }
  expect(choose(failing, ended, pro, young, old)).toEqual(['old', 'young', 'pro', 'failing'])
  expect(choose(ended, subscription({ id: 'begun', status: 'incomplete', createdAt: later(3) }))).toEqual(['ended'])
  expect(choose()).toEqual([null])
  const unknown = subscription({ id: 'unknown', plan: null })
  expect(choose(unknown, subscription({ id: 'failing pro', status: 'past_due' }))).toEqual(['failing pro', 'unknown'])
})
