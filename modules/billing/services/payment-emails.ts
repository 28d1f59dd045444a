import { ignoreNotFound } from '#app/lib/errors.ts'
import { formatMoney } from '#app/lib/money.ts'
import { toCoach, wantsEmail } from '#modules/core/notifications.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import type { Ctx } from '#tenants/context.ts'
import { sendEmail } from '#tenants/mail.ts'
import type { Platform } from '#tenants/platform.ts'
import { paymentsUrl } from '../list-state.ts'
import type { InvoiceRecord } from '../invoices/records.ts'
import { getInvoice } from '../queries/invoices.ts'
import { getReceipt, type Receipt } from '../queries/receipts.ts'
import { sendOnce } from './email-claims.ts'

export const paymentQueue = 'billing.notify-payment'
/** `entryId`: the payment in the ledger. */
export type PaymentJob = { coachId: number; entryId: number }

/** Emails the coach about an online payment, at most once. */
export async function notifyPayment(platform: Platform, { coachId, entryId }: PaymentJob): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `payment-${entryId}`)
  if (!ctx?.account.emailVerified || !(await wantsEmail(ctx, 'billing.payment'))) return
  const receipt = await getReceipt(ctx, entryId).catch(ignoreNotFound)
  const invoice = receipt && (await getInvoice(ctx, receipt.invoiceId).catch(ignoreNotFound))
  if (!receipt || !invoice) return
  const email = { ...formatPaymentEmail(ctx, invoice, receipt), ...toCoach(ctx) }
  await sendOnce(ctx, 'payment_email', entryId, () => sendEmail(platform.config, email, platform.now()))
}

function formatPaymentEmail(
  { account, platform }: Ctx,
  { id, number, clientName, description, currency }: InvoiceRecord,
  receipt: Receipt,
) {
  const amount = formatMoney(receipt.amount, currency)
  return {
    subject: clientName ? `${clientName} has paid ${amount}` : `You got a payment of ${amount}`,
    paragraphs: [
      `Hello ${account.firstName},`,
      `${clientName ?? 'A client'} has paid ${amount} online.`,
      `Invoice ${number}: ${description}`,
      receipt.balance ? `Left to pay: ${formatMoney(receipt.balance, currency)}` : 'Nothing is left to pay.',
    ],
    button: {
      label: 'View Invoice',
      url: `${platform.config.origin}${paymentsUrl.href({}, { dialog: 'invoice', invoice: id })}`,
    },
  }
}
