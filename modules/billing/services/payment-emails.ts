import { ignoreNotFound } from '#app/lib/errors.ts'
import { formatMoney } from '#app/lib/money.ts'
import { toCoach, wantsEmail } from '#modules/core/notifications.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { isRefused, wasNotTaken } from '#tenants/mail-errors.ts'
import { sendEmail } from '#tenants/mail.ts'
import type { Platform } from '#tenants/platform.ts'
import { paymentsUrl } from '../list-state.ts'
import type { InvoiceRecord } from '../invoices/records.ts'
import { getInvoice } from '../queries/invoices.ts'
import { getReceipt, type Receipt } from '../queries/receipts.ts'

export const paymentQueue = 'billing.notify-payment'
/** `entryId`: the payment in the ledger. */
export type PaymentJob = { coachId: number; entryId: number }

/**
 * Emails the coach about an online payment, at most once: the email is noted before the mail server gets it, and the
 * note deleted only if the server certainly did not take it (decision 0053).
 */
export async function notifyPayment(platform: Platform, { coachId, entryId }: PaymentJob): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `payment-${entryId}`)
  if (!ctx?.account.emailVerified || !(await wantsEmail(ctx, 'billing.payment'))) return
  const receipt = await getReceipt(ctx, entryId).catch(ignoreNotFound)
  const invoice = receipt && (await getInvoice(ctx, receipt.invoiceId).catch(ignoreNotFound))
  if (!receipt || !invoice) return
  const email = { ...formatPaymentEmail(ctx, invoice, receipt), ...toCoach(ctx) }
  if (!(await ctx.write((tx) => claim(tx, entryId)))) return
  try {
    await sendEmail(platform.config, email, platform.now())
  } catch (error) {
    if (isRefused(error)) return
    if (wasNotTaken(error)) await ctx.write((tx) => release(tx, entryId))
    throw error
  }
}

/** Whether no other job has sent the email, or is sending it. */
async function claim(ctx: WriteCtx, entryId: number): Promise<boolean> {
  const claimed = await ctx.query({
    name: 'billing.claim-payment-email',
    text: `insert into payment_email (coach_id, ledger_entry_id, claimed_at) values ($1, $2, $3)
      on conflict (coach_id, ledger_entry_id) do nothing returning id`,
    values: [ctx.coachId, entryId, ctx.now()],
  })
  return claimed.length > 0
}

async function release(ctx: WriteCtx, entryId: number): Promise<void> {
  await ctx.query({
    name: 'billing.release-payment-email',
    text: 'delete from payment_email where coach_id = $1 and ledger_entry_id = $2',
    values: [ctx.coachId, entryId],
  })
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
