import { createHash } from 'node:crypto'
import { authorize, type Ctx } from '#tenants/context.ts'
import { invoiceRecord } from '../invoices/records.ts'
import { getInvoice } from '../queries/invoices.ts'
import { getReceipt } from '../queries/receipts.ts'
import { toInvoiceDocument } from './invoice-document.ts'
import { printDocument } from './print.ts'
import type { PrintedDocument } from './printed-document.ts'
import { toReceiptDocument } from './receipt-document.ts'

export type PdfFile = { name: string; content: Buffer }

/**
 * The PDF of an issued invoice or credit note: printed when it is first asked for, always the same bytes afterwards. Throws
 * not_found, also for a draft.
 */
export async function getInvoiceFile(ctx: Ctx, id: number): Promise<PdfFile> {
  authorize(ctx, 'billing:invoice:read')
  const invoice = await getInvoice(ctx, id)
  if (invoice.status === 'draft') throw invoiceRecord.notFound()
  const content = await getFile(ctx, { invoiceId: id, entryId: null }, () => toInvoiceDocument(ctx, invoice))
  return { name: toFileName(invoice.number!), content }
}

/** The receipt of a payment, stored as `getInvoiceFile` does. Throws not_found. */
export async function getReceiptFile(ctx: Ctx, entryId: number): Promise<PdfFile> {
  const receipt = await getReceipt(ctx, entryId)
  const invoice = await getInvoice(ctx, receipt.invoiceId)
  const content = await getFile(ctx, { invoiceId: invoice.id, entryId }, () => toReceiptDocument(ctx, invoice, receipt))
  return { name: toFileName(`Receipt ${invoice.number} ${entryId}`), content }
}

type FileKey = { invoiceId: number; entryId: number | null }

/** The stored file, or the one that is printed and stored now. `entryId`: the payment of a receipt. */
export async function getFile(ctx: Ctx, key: FileKey, toDocument: () => Promise<PrintedDocument>): Promise<Buffer> {
  const stored = await findFile(ctx, key)
  if (stored) return stored
  const content = await printDocument(ctx, await toDocument())
  return ctx.write(async (tx) => {
    await tx.query({
      name: 'billing.save-file',
      text: `insert into invoice_file (coach_id, invoice_id, ledger_entry_id, content, sha256, created_at)
        values ($1, $2, $3, $4, $5, $6) on conflict (coach_id, invoice_id, ledger_entry_id) do nothing`,
      values: [
        ctx.coachId,
        key.invoiceId,
        key.entryId,
        content,
        createHash('sha256').update(content).digest(),
        ctx.now(),
      ],
    })
    // Another request may have been first.
    return (await findFile(tx, key))!
  })
}

async function findFile(ctx: Ctx, { invoiceId, entryId }: FileKey): Promise<Buffer | null> {
  const [file] = await ctx.query<{ content: Buffer }>({
    name: 'billing.file',
    text: `select content from invoice_file
      where coach_id = $1 and invoice_id = $2 and ledger_entry_id is not distinct from $3`,
    values: [ctx.coachId, invoiceId, entryId],
  })
  return file?.content ?? null
}

/** 'INV/0001' becomes 'INV-0001.pdf'. */
export const toFileName = (name: string): string => `${name.replaceAll(/[^\w.-]+/g, '-')}.pdf`
