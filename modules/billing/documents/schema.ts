import { defineEntity, p } from '@mikro-orm/core'
import { check, columns, sqlIndex, tenantReference } from '#db/columns.ts'
import { tenantPolicy } from '#db/policies.ts'
import { Invoice, LedgerEntry } from '../schema.ts'

/** The PDF of an invoice, a credit note or a receipt as it was first printed. Never changes: a trigger rejects it. */
export const InvoiceFile = defineEntity({
  name: 'InvoiceFile',
  tableName: 'invoice_file',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    invoice: () => tenantReference(Invoice, 'invoice_id', 'cascade'),
    /** The payment of a receipt; null for the invoice itself. */
    ledgerEntry: () => tenantReference(LedgerEntry, 'ledger_entry_id', 'cascade').nullable(),
    content: p.blob(),
    sha256: p.blob(),
    createdAt: p.datetime(3),
  },
  indexes: [
    sqlIndex('invoice_file_key', '(coach_id, invoice_id, ledger_entry_id) nulls not distinct', { unique: true }),
  ],
  checks: [check('invoice_file_sha256_matches', 'sha256 = sha256(content)')],
  ...tenantPolicy('invoice_file'),
})
