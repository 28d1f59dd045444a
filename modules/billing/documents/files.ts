import { createHash } from 'node:crypto'
import { authorize, type Ctx } from '#tenants/context.ts'
import { printDocument } from '#tenants/documents/print.ts'
import type { PrintedDocument } from '#tenants/documents/printed-document.ts'
import { invoiceRecord } from '../invoices/records.ts'
import { getInvoice } from '../queries/invoices.ts'
import { getReceipt } from '../queries/receipts.ts'
import { toInvoiceDocument } from './invoice-document.ts'
import { toReceiptDocument } from './receipt-document.ts'

export type PdfFile = { name: string; content: Buffer }

/**
 * The PDF of an issued invoice or credit note: printed when it is first asked for, always the same bytes afterwards.
 * Throws not_found, also for a draft.
 */
export async function getInvoiceFile(ctx: Ctx, id: number): Promise<PdfFile> {
  authorize(ctx, 'billing:invoice:read')
  const invoice = await getInvoice(ctx, id)
  if (invoice.status === 'draft') throw invoiceRecord.notFound()
  const content = await getFile(ctx, { invoiceId: id, entryId: null }, async () =>
    toInvoiceDocument(ctx, await getInvoice(ctx, id)),
  )
  return { name: toFileName(invoice.number!), content }
}

/** The receipt of a payment, stored as `getInvoiceFile` does. Throws not_found. */
export async function getReceiptFile(ctx: Ctx, entryId: number): Promise<PdfFile> {
  const receipt = await getReceipt(ctx, entryId)
  const invoice = await getInvoice(ctx, receipt.invoiceId)
  const content = await getFile(ctx, { invoiceId: invoice.id, entryId }, async () =>
    toReceiptDocument(ctx, await getInvoice(ctx, invoice.id), receipt),
  )
  return { name: toFileName(`Receipt ${invoice.number} ${entryId}`), content }
}

type FileKey = { invoiceId: number; entryId: number | null }

/**
 * Returns the stored file, or prints and stores it. `entryId`: the payment of a receipt. Calls `createDocument` again
 * if the invoice was changed, or its client erased, while it was printed.
 */
export async function getFile(ctx: Ctx, key: FileKey, createDocument: () => Promise<PrintedDocument>): Promise<Buffer> {
  const stored = await findFile(ctx, key)
  if (stored) return stored
  const before = await findState(ctx, key)
  const content = await printDocument(ctx, await createDocument())
  const saved = await ctx.write(async (tx) => {
    const { version, clientId } = await findState(tx, key, 'for share')
    if (version !== before.version || clientId !== before.clientId) return null
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
  return saved ?? getFile(ctx, key, createDocument)
}

type PrintedState = { version: number; clientId: number | null }

async function findState(ctx: Ctx, { invoiceId }: FileKey, lock: 'for share' | '' = ''): Promise<PrintedState> {
  const [state] = await ctx.query<PrintedState>({
    name: lock ? 'billing.lock-printed-invoice' : 'billing.printed-invoice',
    text: `select version, client_id as "clientId" from invoice where coach_id = $1 and id = $2 ${lock}`,
    values: [ctx.coachId, invoiceId],
  })
  if (!state) throw invoiceRecord.notFound()
  return state
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
