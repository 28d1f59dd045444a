import { isWholeCurrency } from '#app/lib/currencies.ts'
import { formatMoney } from '#app/lib/money.ts'
import { addDays, addMonths, formatCalendarDate } from '#app/lib/time.ts'
import { splitEvenly, type PaymentPlan } from '#modules/billing/index.ts'
import type { Frequency, SubscriptionKind } from './states.ts'

/** A client agrees to pay this. `amount`: cents, of all installments together or of one period. */
export type Terms = {
  kind: SubscriptionKind
  frequency: Frequency
  parts: number | null
  amount: number
  currency: string
}

export const intervals = { weekly: 'week', monthly: 'month' } as const

/** Returns the first charge and each one after it, in cents. Installments add up to the amount exactly. */
export function getAmounts({ amount, parts, currency }: Omit<Terms, 'kind' | 'frequency'>): {
  first: number
  each: number
} {
  if (parts === null) return { first: amount, each: amount }
  const unit = isWholeCurrency(currency) ? 100 : 1
  const [first = 0, each = first] = splitEvenly(amount / unit, parts)
  return { first: first * unit, each: each * unit }
}

/** '4 monthly installments of $250.00', '$80.00 weekly'. */
export function describeTerms(terms: Terms): string {
  const { frequency, parts, currency } = terms
  const { first, each } = getAmounts(terms)
  if (parts === null) return `${formatMoney(each, currency)} ${frequency}`
  if (parts === 1) return `1 installment of ${formatMoney(first, currency)}`
  const all = `${parts} ${frequency} installments of ${formatMoney(each, currency)}`
  return first === each ? all : `${all}, the first one ${formatMoney(first, currency)}`
}

/** The line of the invoice for one part. */
export const describePart = ({
  productName,
  parts,
  part,
}: {
  productName: string
  parts: number | null
  part: number
}): string => (parts === null ? productName : `${productName}, installment ${part} of ${parts}`)

/** '2 of 4 installments paid, $500.03', '3 payments, $240.00'. */
export function describeProgress({
  parts,
  paidParts,
  paidAmount,
  currency,
}: Pick<Terms, 'parts' | 'currency'> & { paidParts: number; paidAmount: number }): string {
  const money = formatMoney(paidAmount, currency)
  if (parts !== null) return `${paidParts} of ${parts} ${parts === 1 ? 'installment' : 'installments'} paid, ${money}`
  return `${paidParts} ${paidParts === 1 ? 'payment' : 'payments'}, ${money}`
}

const listedParts = 12

/**
 * The dates on which the parts are charged, if the first one is paid today: on the same day of the month, or its last
 * day.
 */
export function listPartDates({ frequency, parts }: Pick<Terms, 'frequency' | 'parts'>, today: string): string[] {
  return Array.from({ length: parts ?? 1 }, (_, index) => {
    if (frequency === 'weekly') return addDays(today, 7 * index)
    const month = addMonths(today.slice(0, 7), index)
    const lastDay = addDays(`${addMonths(month, 1)}-01`, -1)
    const day = `${month}-${today.slice(8)}`
    return day < lastDay ? day : lastDay
  })
}

/** As a visitor reads it before paying: the parts, which add up, and what follows. */
export function describePlan(terms: Terms, today: string): PaymentPlan {
  const { parts, amount, currency, frequency } = terms
  const { first, each } = getAmounts(terms)
  const money = (value: number) => formatMoney(value, currency)
  const listed = listPartDates(terms, today).map((date, index) => ({
    when: index === 0 ? 'Today' : formatCalendarDate(date, { month: 'short', day: 'numeric', year: 'numeric' }),
    amount: money(index === 0 ? first : each),
  }))
  const left = listed.slice(listedParts)
  return {
    parts: listed.slice(0, listedParts),
    more: left.length ? `and ${left.length} more of ${money(each)}, the last one on ${left.at(-1)!.when}` : null,
    total: parts === null ? null : money(amount),
    first: money(first),
    note:
      parts === null
        ? `Then ${money(each)} each ${intervals[frequency]} from the same card, until it is cancelled.`
        : parts === 1
          ? null
          : 'The first part is charged today, the others to the same card. It ends after the last one.',
  }
}
