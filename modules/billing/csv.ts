import { formatInput } from '#app/lib/money.ts'
import { localDate } from '#app/lib/time.ts'
import { byteOrderMark, formatCsv } from '#modules/core/csv/write.ts'
import { purchaseFields } from './fields.ts'
import type { PurchaseRecord } from './records.ts'

/** `client`: null if it was erased. */
export type ExportedPurchase = PurchaseRecord & { client: { name: string } | null }

const toHeaders = (currency: string): string[] => [
  'Date',
  'Client',
  'Product',
  `Amount (${currency.toUpperCase()})`,
  'Status',
  'Payment method',
  'Notes',
  'Sessions included',
]

/** A CSV file of purchases, one piece per batch. */
export async function* exportPurchases(
  batches: AsyncIterable<ExportedPurchase[]>,
  { timezone, currency }: { timezone: string; currency: string },
): AsyncGenerator<string> {
  yield byteOrderMark + formatCsv([toHeaders(currency)])
  for await (const purchases of batches)
    if (purchases.length) yield formatCsv(purchases.map((purchase) => toCells(purchase, timezone, currency)))
}

function toCells(purchase: ExportedPurchase, timezone: string, currency: string): string[] {
  const { status, paymentMethod } = purchaseFields
  return [
    localDate(purchase.purchasedAt, timezone),
    purchase.client?.name ?? '',
    purchase.productName,
    formatInput(purchase.amount, currency),
    status.choices[purchase.status],
    paymentMethod.choices[purchase.paymentMethod],
    purchase.notes ?? '',
    String(purchase.sessionCount ?? ''),
  ]
}
