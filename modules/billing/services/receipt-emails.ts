import { formatMoney } from '#app/lib/money.ts'
import { formatCalendarDate, localDate } from '#app/lib/time.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { getSender } from '#tenants/accounts/jobs.ts'
import type { WriteCtx } from '#tenants/context.ts'
import { sendEmail, type Email } from '#tenants/mail.ts'
import type { Platform } from '#tenants/platform.ts'
import { getReceiptFile } from '../documents/files.ts'
import { purchaseFields } from '../fields.ts'
import { lowercaseMethod } from '../format.ts'
import { getInvoiceUrl } from '../invoices/public-link.ts'
import type { InvoiceRecord } from '../invoices/records.ts'
import { getInvoice } from '../queries/invoices.ts'
import { findClientEmail } from '../queries/recipients.ts'
import { getReceipt, type Receipt } from '../queries/receipts.ts'
import { sendOnce } from './email-claims.ts'

export const receiptQueue = 'billing.email-receipt'

/**
 * Emails the client a receipt of a payment. Does nothing before the coach has confirmed their address, or without a
 * client.
 */
export async function sendReceipt(
  ctx: WriteCtx,
  { entryId, clientId }: { entryId: number; clientId: number | null },
): Promise<void> {
  if (clientId !== null && ctx.account.emailVerified) await ctx.enqueue(receiptQueue, { coachId: ctx.coachId, entryId })
}

/** Sends the receipt, at most once, if there is still a client, with an address. */
export async function emailReceipt(
  platform: Platform,
  { coachId, entryId }: { coachId: number; entryId: number },
): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `receipt-${entryId}`)
  const from = ctx && (await getSender(platform, coachId))
  if (!from) return
  const receipt = await getReceipt(ctx, entryId)
  const invoice = await getInvoice(ctx, receipt.invoiceId)
  const to = await findClientEmail(ctx, invoice.clientId)
  if (!to) return
  const url = getInvoiceUrl(ctx, invoice.id)
  const { name, content } = await getReceiptFile(ctx, entryId)
  const email = {
    to,
    ...formatReceiptEmail(invoice, receipt, { sender: from.name, timezone: ctx.account.timezone }),
    button: url ? { label: 'View Invoice', url } : null,
    from,
    replyTo: ctx.account.email,
    attachments: [{ fileName: name, contentType: 'application/pdf', content }],
  }
  await sendOnce(ctx, 'receipt_email', entryId, () => sendEmail(platform.config, email, platform.now()))
}

function formatReceiptEmail(
  { clientName, number, description, currency }: InvoiceRecord,
  { amount, method, occurredAt, balance }: Receipt,
  { sender, timezone }: { sender: string; timezone: string },
): Pick<Email, 'subject' | 'paragraphs'> {
  const date = formatCalendarDate(localDate(occurredAt, timezone), { month: 'long', day: 'numeric', year: 'numeric' })
  const how = lowercaseMethod(purchaseFields.paymentMethod.choices[method])
  return {
    subject: `Receipt for invoice ${number} from ${sender}`,
    paragraphs: [
      `Hello ${clientName},`,
      `thank you for your payment of ${formatMoney(amount, currency)} on ${date} (${how}).`,
      `Invoice ${number}: ${description}`,
      balance ? `Left to pay: ${formatMoney(balance, currency)}` : 'Nothing is left to pay.',
    ],
  }
}
