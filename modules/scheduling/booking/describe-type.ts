import { formatMoney } from '#app/lib/money.ts'
import { formatMinutes } from '../format.ts'
import type { Cost } from '../paid-bookings/online-sales.ts'
import type { BookableType } from '../queries/bookable-types.ts'
import { describePlace } from './places.ts'

/** A type as visitors read about it. */
export function describeType(type: BookableType, currency: string) {
  const { slug, name, description, durations } = type
  return {
    slug,
    name,
    description,
    duration: durations.map((minutes) => formatMinutes(minutes)).join(' or '),
    price: describePrice(type, currency),
    place: describePlace(type),
    color: type.color,
  }
}

function describePrice({ price, sessionCount }: Cost, currency: string): string | null {
  if (price === null) return null
  if (price === 0) return 'Free'
  const amount = formatMoney(price, currency, { cents: 'needed' })
  return sessionCount === null || sessionCount === 1 ? amount : `${amount} for ${sessionCount} sessions`
}
export type DescribedType = ReturnType<typeof describeType>
