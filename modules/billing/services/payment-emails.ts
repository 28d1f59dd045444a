import { ignoreNotFound } from '#app/lib/errors.ts'
import { formatMoney } from '#app/lib/money.ts'
import { emailCoach } from '#modules/core/notifications.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { isRefused, wasNotTaken } from '#tenants/mail-errors.ts'
import type { Platform } from '#tenants/platform.ts'
import { paymentsUrl } from '../list-state.ts'
import type { InvoiceRecord } from '../invoices/records.ts'
import { getInvoice } from '../queries/invoices.ts'

export const paymentQueue = 'billing.notify-payment'
export type PaymentJob = { coachId: number; invoiceId: number }

/** Cents. `lastId`: of the latest payment; `earlierId`: of the last one that an email was about before. */
type Claimed = { amount: number; lastId: number; earlierId: number | null }

/**
 * Emails the coach about the card payments of an invoice that no email was about, each at most once: they are marked
 * before the mail server gets it, and again later only if the server certainly did not take it (decision 0053).
 */
export async function notifyPayment(platform: Platform, { coachId, invoiceId }: PaymentJob): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `payment-${invoiceId}`)
  if (!ctx?.account.emailVerified) return
  const claimed = await ctx.write((tx) => claim(tx, invoiceId))
  const invoice = claimed && (await getInvoice(ctx, invoiceId).catch(ignoreNotFound))
  if (!invoice) return
  try {
    await emailCoach(ctx, 'billing.payment', toEmail(ctx, invoice, claimed.amount))
  } catch (error) {
    if (isRefused(error)) return
    if (wasNotTaken(error)) await ctx.write((tx) => release(tx, invoiceId, claimed))
    throw error
  }
}

async function claim(ctx: WriteCtx, invoiceId: number): Promise<Claimed | undefined> {
  await lock(ctx, invoiceId)
  const [row] = await ctx.query<Claimed>({
    name: 'billing.claim-payments',
    text: `update invoice i set notified_entry_id = n.last_id
      from (
        select max(e.id) as last_id, sum(e.amount)::bigint as amount, min(o.notified_entry_id) as earlier_id
        from invoice o join ledger_entry e on e.coach_id = $1 and e.invoice_id = o.id
        where o.coach_id = $1 and o.id = $2 and e.kind = 'payment' and e.external_id is not null
          and e.id > coalesce(o.notified_entry_id, 0)) n
      where i.coach_id = $1 and i.id = $2 and n.last_id is not null
      returning n.amount, n.last_id as "lastId", n.earlier_id as "earlierId"`,
    values: [ctx.coachId, invoiceId],
  })
  return row
}

async function lock(ctx: WriteCtx, invoiceId: number): Promise<void> {
  await ctx.query({
    name: 'billing.lock-notified-invoice',
    text: 'select 1 from invoice where coach_id = $1 and id = $2 for update',
    values: [ctx.coachId, invoiceId],
  })
}

async function release(ctx: WriteCtx, invoiceId: number, { lastId, earlierId }: Claimed): Promise<void> {
  await ctx.query({
    name: 'billing.release-payments',
    text: 'update invoice set notified_entry_id = $4 where coach_id = $1 and id = $2 and notified_entry_id = $3',
    values: [ctx.coachId, invoiceId, lastId, earlierId],
  })
}

function toEmail(ctx: Ctx, { id, number, clientName, description, currency, balance }: InvoiceRecord, paid: number) {
  const { account, platform } = ctx
  const amount = formatMoney(paid, currency)
  return {
    subject: clientName ? `${clientName} has paid ${amount}` : `You got a payment of ${amount}`,
    paragraphs: [
      `Hello ${account.firstName},`,
      `${clientName ?? 'A client'} has paid ${amount} by card.`,
      `Invoice ${number}: ${description}`,
      balance ? `Left to pay: ${formatMoney(balance, currency)}` : 'Nothing is left to pay.',
    ],
    button: {
      label: 'View Invoice',
      url: `${platform.config.origin}${paymentsUrl.href({}, { dialog: 'invoice', invoice: id })}`,
    },
  }
}
