import { purchaseFields } from '../fields.ts'
import { lowercaseMethod } from '../format.ts'
import type { StatementKind, StatementRow } from './query.ts'

const labels: Record<StatementKind, string> = {
  invoice: 'Invoice',
  credit_note: 'Credit note',
  settlement: 'Refunded, not charged again',
  payment: 'Payment',
  refund: 'Refund',
  correction: 'Correction',
  dispute: 'Dispute',
}

/** 'Payment, bank transfer' */
export const describeEntry = ({ kind, method }: Pick<StatementRow, 'kind' | 'method'>): string =>
  method ? `${labels[kind]}, ${lowercaseMethod(purchaseFields.paymentMethod.choices[method])}` : labels[kind]
