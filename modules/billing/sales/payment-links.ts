import { AppError } from '#app/lib/errors.ts'
import { formatMoney } from '#app/lib/money.ts'
import { cents } from '#app/lib/zod-types.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import { publish } from '#modules/core/events.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { assertNotReadOnly, getClient, isReadOnly, joinClient, lockClient } from '#modules/crm/index.ts'
import { loadCoachContext, lockCurrency } from '#tenants/accounts/accounts.ts'
import { requireVerifiedEmail } from '#tenants/accounts/email-verification.ts'
import { getSender } from '#tenants/accounts/jobs.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { sendEmail } from '#tenants/mail.ts'
import type { Platform } from '#tenants/platform.ts'
import { saleWithdrawn } from '../events.ts'
import { getProduct } from '../queries/products.ts'
import { findClientEmail } from '../queries/recipients.ts'
import type { SaleState } from './fields.ts'
import { getSale } from './queries.ts'
import { getSaleUrl } from './sale-link.ts'
import { lockSale } from './sales.ts'

export const paymentLinkQueue = 'billing.email-payment-link'

/**
 * Offers a client a product at its price. Throws not_found, plan_limit, and validation_failed for what can't be paid at
 * once.
 */
export async function createPaymentLink(
  ctx: WriteCtx,
  { clientId, productId }: { clientId: number; productId: number },
): Promise<number> {
  authorize(ctx, 'billing:sale:write')
  await lockClient(ctx, clientId)
  const client = await getClient(ctx, clientId)
  await assertNotReadOnly(ctx, clientId)
  const product = await getProduct(ctx, productId)
  const amount = cents().parse(product.price)
  if (product.paymentType !== 'one_time' || amount === 0)
    throw new AppError('validation_failed', 'Choose a one-time product with a price', { field: 'productId' })
  return insertRow(ctx, {
    table: 'sale',
    name: 'billing.add-payment-link',
    row: {
      productId,
      clientId,
      productName: product.name,
      amount,
      currency: await lockCurrency(ctx),
      sessionCount: product.sessionCount,
      buyerName: client.name,
      buyerEmail: client.email || null,
      source: 'link',
      createdAt: ctx.now(),
      updatedAt: ctx.now(),
    },
  })
}

/** Ends an offer. Does nothing the second time. Throws not_found, and conflict once it is paid. */
export async function withdrawPaymentLink(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'billing:sale:write')
  const sale = await lockLink(ctx, id)
  if (sale.state === 'paid') throw new AppError('conflict', 'This was paid already.', { subject: 'sale' })
  if (sale.state === 'withdrawn') return
  ctx.em.assign(sale, { state: 'withdrawn', version: sale.version + 1, updatedAt: ctx.now() })
  await ctx.em.flush()
  await publish(ctx, saleWithdrawn, { saleId: id })
}

/** The links of a client in the trash lead nowhere until the client is restored: their open pages close. */
export async function closeLinksOfClient(ctx: WriteCtx, clientId: number): Promise<void> {
  const links = await ctx.query<{ id: number }>({
    name: 'billing.open-links',
    // The client may have been restored since.
    text: `select id from sale where coach_id = $1 and client_id = $2 and source = 'link' and state = 'open'
      and exists (select 1 from client c where c.coach_id = $1 and c.id = $2 and c.deleted_at is not null)`,
    values: [ctx.coachId, clientId],
  })
  for (const { id } of links) await publish(ctx, saleWithdrawn, { saleId: id })
}

/**
 * Emails the link to the client. Throws not_found, plan_limit, forbidden until the coach has confirmed their address,
 * and conflict for one that isn't open, and without an address to send it to or to pay at.
 */
export async function sendPaymentLink(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'billing:sale:write')
  requireVerifiedEmail(ctx)
  const sale = await lockLink(ctx, id)
  const clientId = sale.client?.id ?? null
  if (sale.state !== 'open') throw new AppError('conflict', 'This link is no longer open.', { subject: 'sale' })
  if (clientId !== null) await assertNotReadOnly(ctx, clientId)
  if (!(await findClientEmail(ctx, clientId)))
    throw new AppError('conflict', 'This client has no email address.', { subject: 'sale' })
  if (!getSaleUrl(ctx, id))
    throw new AppError('conflict', 'Choose an address of your own on the Branding page first.', { subject: 'sale' })
  ctx.em.assign(sale, { sentAt: ctx.now(), version: sale.version + 1, updatedAt: ctx.now() })
  await ctx.em.flush()
  await ctx.enqueue(paymentLinkQueue, { coachId: ctx.coachId, saleId: id })
}

async function lockLink(ctx: WriteCtx, id: number) {
  const sale = await lockSale(ctx, id)
  if (sale.source !== 'link') throw new AppError('not_found', 'Payment link not found', { subject: 'sale' })
  return sale
}

/** Sends what was asked for if it still applies. */
export async function emailPaymentLink(
  platform: Platform,
  { coachId, saleId }: { coachId: number; saleId: number },
): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `payment-link-${saleId}`)
  const from = ctx && (await getSender(platform, coachId))
  if (!from) return
  const sale = await getSale(ctx, saleId)
  const to = await findClientEmail(ctx, sale.clientId)
  const url = getSaleUrl(ctx, saleId)
  if (sale.state !== 'open' || !to || !url || sale.clientId === null) return
  // The email asks for money.
  if (await isReadOnly(ctx, await getClient(ctx, sale.clientId))) return
  await sendEmail(
    platform.config,
    {
      to,
      subject: `${sale.productName} from ${from.name}`,
      paragraphs: [
        `Hello ${sale.buyerName},`,
        `here you can pay ${formatMoney(sale.amount, sale.currency)} for ${sale.productName} by card.`,
      ],
      button: { label: 'Open the Payment Page', url },
      from,
      replyTo: ctx.account.email,
    },
    platform.now(),
  )
}

export type ListedPaymentLink = {
  id: number
  clientName: string
  productName: string
  amount: number
  currency: string
  state: SaleState
  sentAt: string | null
  paidAt: string | null
  createdAt: string
  invoiceId: number | null
}

/** The newest hundred, of one client or of all, without those of clients in the trash. */
export async function listPaymentLinks(ctx: Ctx, clientId: number | null): Promise<ListedPaymentLink[]> {
  authorize(ctx, 'billing:sale:read')
  return ctx.query<ListedPaymentLink>({
    name: 'billing.payment-links',
    text: `select s.id, c.name as "clientName", s.product_name as "productName", s.amount, s.currency, s.state,
        s.invoice_id as "invoiceId", ${isoTimestamp('s.sent_at')} as "sentAt", ${isoTimestamp('s.paid_at')} as "paidAt",
        ${isoTimestamp('s.created_at')} as "createdAt"
      from sale s ${joinClient('s')}
      where s.coach_id = $1 and s.source = 'link' and c.deleted_at is null and c.id is not null
        and ($2::bigint is null or s.client_id = $2)
      order by s.id desc limit 100`,
    values: [ctx.coachId, clientId],
  })
}
