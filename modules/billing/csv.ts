import { centsToDecimal } from '#app/lib/money.ts'
import { localDate } from '#app/lib/time.ts'
import { byteOrderMark, formatCsv } from '#modules/core/csv/write.ts'
import { purchaseFields } from './fields.ts'
import type { PurchaseRecord } from './records.ts'

/** `client`: null if it was erased. */
export type ExportedPurchase = PurchaseRecord & { client: { name: string } | null }

const headers = ['Date', 'Client', 'Product', 'Amount (USD)', 'Status', 'Payment method', 'Notes', 'Sessions included']

/** A CSV file of purchases, one piece per batch. Dates are in the time zone `timezone`. */
export async function* exportPurchases(
  batches: AsyncIterable<ExportedPurchase[]>,
  timezone: string,
): AsyncGenerator<string> {
  yield byteOrderMark + formatCsv([headers])
  for await (const purchases of batches)
    if (purchases.length) yield formatCsv(purchases.map((purchase) => toCells(purchase, timezone)))
}

function toCells(purchase: ExportedPurchase, timezone: string): string[] {
  const { status, paymentMethod } = purchaseFields
  return [
    localDate(purchase.purchasedAt, timezone),
    purchase.client?.name ?? '',
    purchase.productName,
    centsToDecimal(purchase.amount),
    status.choices[purchase.status],
    paymentMethod.choices[purchase.paymentMethod],
    purchase.notes ?? '',
    String(purchase.sessionCount ?? ''),
  ]
}
