export const invoiceKinds = ['invoice', 'credit_note'] as const
export type InvoiceKind = (typeof invoiceKinds)[number]

/** The stored state. The status that people see also depends on the payments and the due date. */
export const invoiceStates = ['draft', 'open', 'failed', 'void'] as const
export type InvoiceState = (typeof invoiceStates)[number]

export const invoiceStatuses = {
  draft: 'Draft',
  open: 'Open',
  sent: 'Sent',
  partly_paid: 'Partly paid',
  overdue: 'Overdue',
  paid: 'Paid',
  credited: 'Credited',
  refunded: 'Refunded',
  failed: 'Failed',
  void: 'Void',
} as const
export type InvoiceStatus = keyof typeof invoiceStatuses

/** The statuses of the API's payments; the first three as specified. */
export const paymentStatuses = ['pending', 'completed', 'failed', 'refunded', 'void'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

export const maxInvoiceLines = 500
