import { defineEntity, p } from '@mikro-orm/core'
import { check, columns, sqlIndex, tenantReference } from '#db/columns.ts'
import { tenantPolicy } from '#db/policies.ts'
import { Invoice } from '../schema.ts'

/** A reminder of an invoice that was sent, or is being sent. */
export const InvoiceReminder = defineEntity({
  name: 'InvoiceReminder',
  tableName: 'invoice_reminder',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    invoice: () => tenantReference(Invoice, 'invoice_id', 'cascade'),
    /** After the due date; null for one that the coach sent, and of an earlier due date. */
    days: p.integer().nullable(),
    /** When it was asked for. */
    claimedAt: p.datetime(3),
    /** Set before the email is given to the mail server, so that no second worker sends it. */
    startedAt: p.datetime(3).nullable(),
    /** Null after a worker ended while it was sending: then nobody knows. */
    sentAt: p.datetime(3).nullable(),
  },
  indexes: [
    sqlIndex('invoice_reminder_key', '(coach_id, invoice_id, days) where days is not null', { unique: true }),
    sqlIndex('invoice_reminder_invoice', '(coach_id, invoice_id)'),
  ],
  checks: [check('invoice_reminder_days_range', 'days >= 1 and days <= 90')],
  ...tenantPolicy('invoice_reminder'),
})
