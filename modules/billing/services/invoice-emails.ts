import { AppError, ignoreNotFound } from '#app/lib/errors.ts'
import { formatMoney } from '#app/lib/money.ts'
import { dayStart, formatCalendarDate, localDate } from '#app/lib/time.ts'
import { assertNotReadOnly } from '#modules/crm/index.ts'
import { publish } from '#modules/core/events.ts'
import { isRefused, wasNotTaken } from '#tenants/mail-errors.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { requireVerifiedEmail } from '#tenants/accounts/email-verification.ts'
import { getSender } from '#tenants/accounts/jobs.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { sendEmail, type Email } from '#tenants/mail.ts'
import type { Platform } from '#tenants/platform.ts'
import { getInvoiceFile } from '../documents/files.ts'
import { invoiceUpdated } from '../events.ts'
import { getInvoiceUrl } from '../invoices/public-link.ts'
import type { InvoiceRecord } from '../invoices/records.ts'
import { getInvoice } from '../queries/invoices.ts'
import { findClientEmail } from '../queries/recipients.ts'
import { conflict, issue, lockInvoice } from './invoice-rows.ts'

export const emailQueue = 'billing.email-invoice'

/**
 * Emails an invoice or a credit note to the client, a draft after issuing it. Throws not_found, forbidden until the
 * coach has confirmed their address, and conflict without an address to send it to.
 */
export async function sendInvoice(ctx: WriteCtx, id: number): Promise<InvoiceRecord> {
  authorize(ctx, 'billing:invoice:write')
  requireVerifiedEmail(ctx)
  const row = await lockInvoice(ctx, id)
  if (row.state === 'void') throw conflict('This invoice is void.')
  if (row.client) await assertNotReadOnly(ctx, row.client.id)
  await assertRecipient(ctx, row.client?.id ?? null)
  if (row.state === 'draft') await issue(ctx, row)
  ctx.em.assign(row, { sentAt: ctx.now(), version: row.version + 1, updatedAt: ctx.now() })
  await ctx.em.flush()
  await ctx.enqueue(emailQueue, { coachId: ctx.coachId, invoiceId: id, kind: 'invoice' })
  await publish(ctx, invoiceUpdated, { invoiceId: id })
  return getInvoice(ctx, id)
}

/**
 * Emails the client that something is left to pay. Throws as `sendInvoice`, and conflict for a paid invoice and for a
 * second reminder on the same day.
 */
export async function remindOfInvoice(ctx: WriteCtx, id: number): Promise<InvoiceRecord> {
  authorize(ctx, 'billing:invoice:write')
  requireVerifiedEmail(ctx)
  const row = await lockInvoice(ctx, id)
  const invoice = await getInvoice(ctx, id)
  if (invoice.kind === 'credit_note' || !invoice.balance) throw conflict('Nothing is left to pay.')
  if (invoice.clientId) await assertNotReadOnly(ctx, invoice.clientId)
  await assertRecipient(ctx, invoice.clientId)
  if (await wasRemindedToday(ctx, id))
    throw conflict('The client was reminded of this invoice today. The next reminder can be sent tomorrow.')
  const [reminder] = await ctx.query<{ id: number }>({
    name: 'billing.request-reminder',
    text: 'insert into invoice_reminder (coach_id, invoice_id, claimed_at) values ($1, $2, $3) returning id',
    values: [ctx.coachId, id, ctx.now()],
  })
  await ctx.enqueue(emailQueue, { coachId: ctx.coachId, invoiceId: id, kind: 'reminder', reminderId: reminder!.id })
  if (row.sentAt) return invoice
  // The reminder brings the invoice to the client.
  ctx.em.assign(row, { sentAt: ctx.now(), version: row.version + 1, updatedAt: ctx.now() })
  await ctx.em.flush()
  await publish(ctx, invoiceUpdated, { invoiceId: id })
  return getInvoice(ctx, id)
}

/** Whether a reminder was sent, or will be, on this day in the coach's time zone. The invoice is locked. */
async function wasRemindedToday(ctx: WriteCtx, invoiceId: number): Promise<boolean> {
  const { timezone } = ctx.account
  const [row] = await ctx.query<{ found: boolean }>({
    name: 'billing.reminded-today',
    text: `select exists (
        select 1 from invoice_reminder where coach_id = $1 and invoice_id = $2 and claimed_at >= $3) as found`,
    values: [ctx.coachId, invoiceId, dayStart(localDate(ctx.now(), timezone), timezone)],
  })
  return row!.found
}

async function assertRecipient(ctx: WriteCtx, clientId: number | null): Promise<void> {
  if (!(await findClientEmail(ctx, clientId)))
    throw new AppError('conflict', 'This client has no email address.', { subject: 'payment' })
}

/**
 * Sends what was asked for if it still applies: not for a void invoice, and no reminder of a paid one. Returns whether
 * it was sent.
 */
export async function emailInvoice(
  platform: Platform,
  { coachId, invoiceId, kind }: { coachId: number; invoiceId: number; kind: 'invoice' | 'reminder' },
): Promise<boolean> {
  const ctx = await loadCoachContext(platform, coachId, `invoice-${invoiceId}`)
  if (!ctx) return false
  const invoice = await getInvoice(ctx, invoiceId).catch(ignoreNotFound)
  if (!invoice || invoice.status === 'void' || invoice.status === 'draft') return false
  if (kind === 'reminder' && !invoice.balance) return false
  const to = await findClientEmail(ctx, invoice.clientId)
  const from = await getSender(platform, coachId)
  if (!to || !from) return false
  const url = getInvoiceUrl(ctx, invoiceId)
  const text = formatInvoiceEmail(invoice, { kind, sender: from.name })
  const button = url ? { label: 'View Invoice', url } : null
  const { name, content } = await getInvoiceFile(ctx, invoiceId)
  await sendEmail(
    platform.config,
    {
      to,
      ...text,
      button,
      from,
      replyTo: ctx.account.email,
      attachments: [{ fileName: name, contentType: 'application/pdf', content }],
    },
    platform.now(),
  )
  return true
}

/**
 * Sends a reminder that the coach asked for, if it still applies, at most once: it is marked before the mail server
 * gets it (decision 0053). The timeline shows it.
 */
export async function emailReminder(
  platform: Platform,
  { coachId, invoiceId, reminderId }: { coachId: number; invoiceId: number; reminderId: number },
): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `reminder-${invoiceId}`)
  // Before it is marked: an invoice that can't be printed now is tried again.
  if (!ctx || !(await getInvoiceFile(ctx, invoiceId).catch(ignoreNotFound))) return
  if (!(await ctx.write((tx) => startReminder(tx, reminderId)))) return
  const release = () => ctx.write((tx) => releaseReminder(tx, reminderId))
  try {
    if (!(await emailInvoice(platform, { coachId, invoiceId, kind: 'reminder' }))) return await release()
  } catch (error) {
    if (wasNotTaken(error)) await release()
    if (isRefused(error)) return
    throw error
  }
  await ctx.write((tx) => markSent(tx, reminderId))
}

/** False if another worker has begun to send it. */
async function startReminder(ctx: WriteCtx, reminderId: number): Promise<boolean> {
  const started = await ctx.query({
    name: 'billing.start-reminder',
    text: `update invoice_reminder set started_at = $3 where coach_id = $1 and id = $2 and started_at is null returning id`,
    values: [ctx.coachId, reminderId, ctx.now()],
  })
  return started.length > 0
}

async function releaseReminder(ctx: WriteCtx, reminderId: number): Promise<void> {
  await ctx.query({
    name: 'billing.release-requested-reminder',
    text: 'update invoice_reminder set started_at = null where coach_id = $1 and id = $2',
    values: [ctx.coachId, reminderId],
  })
}

export async function markSent(ctx: WriteCtx, reminderId: number): Promise<void> {
  await ctx.query({
    name: 'billing.reminder-sent',
    text: 'update invoice_reminder set sent_at = $3 where coach_id = $1 and id = $2',
    values: [ctx.coachId, reminderId, ctx.now()],
  })
}

/** Subject and paragraphs. Without a page of its own, the email says all that matters. */
export function formatInvoiceEmail(
  { kind: document, clientName, number, description, total, balance, dueDate, notes, currency }: InvoiceRecord,
  { kind, sender }: { kind: 'invoice' | 'reminder'; sender: string },
): Pick<Email, 'subject' | 'paragraphs'> {
  const name = `${document === 'credit_note' ? 'Credit note' : 'Invoice'} ${number}`
  const due = dueDate && formatCalendarDate(dueDate, { month: 'long', day: 'numeric', year: 'numeric' })
  const facts = [`${name}: ${description}`, `Total: ${formatMoney(total, currency)}`]
  if (balance) facts.push(`Left to pay: ${formatMoney(balance, currency)}${due ? `, due ${due}` : ''}`)
  return {
    subject: kind === 'reminder' ? `Reminder: ${name} from ${sender}` : `${name} from ${sender}`,
    paragraphs: [
      `Hello ${clientName},`,
      kind === 'reminder'
        ? `this is a reminder of invoice ${number}.`
        : `here is ${document === 'credit_note' ? 'a credit note' : 'an invoice'} from ${sender}.`,
      ...facts,
      ...(notes ? [notes] : []),
    ],
  }
}
