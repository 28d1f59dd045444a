import { formatMoney } from '#app/lib/money.ts'
import { formatMinutes } from '../format.ts'
import type { BookableType } from '../queries/bookable-types.ts'
import { describePlace } from './places.ts'

/** A type as visitors read about it. */
export function describeType(type: BookableType, currency: string) {
  const { slug, name, description, durations, priceCents } = type
  return {
    slug,
    name,
    description,
    duration: durations.map((minutes) => formatMinutes(minutes)).join(' or '),
    price:
      priceCents === null ? null : priceCents === 0 ? 'Free' : formatMoney(priceCents, currency, { cents: 'needed' }),
    place: describePlace(type),
    color: type.color,
  }
}
export type DescribedType = ReturnType<typeof describeType>
