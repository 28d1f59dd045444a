import {
  completeSale,
  getInvoice,
  getInvoiceUrl,
  getSale,
  getSaleUrl,
  lockBalance,
  lockSaleBalance,
  recordOnlinePayment,
} from '#modules/billing/index.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'

/** The reason for a payment page: an invoice, or a sale, which becomes an invoice when it is paid. */
export type Payable = { kind: 'invoice' | 'sale'; id: number }

/** The texts of a payment page, and its payer. */
export type PayableText = {
  name: string
  description: string | null
  currency: string
  /**
   * The client whose customer at Stripe pays. A visitor may have typed the address of somebody else: theirs is none.
   */
  clientId: number | null
  email: string | null
  /** Our page, to come back to. */
  page: string | null
  /** Whether something is kept only while the page is open. */
  isKept: boolean
}

export async function describePayable(ctx: Ctx, { kind, id }: Payable): Promise<PayableText> {
  if (kind === 'invoice') {
    const { number, description, currency, clientId } = await getInvoice(ctx, id)
    const page = getInvoiceUrl(ctx, id)
    return { name: `Invoice ${number}`, description, currency, clientId, email: null, page, isKept: false }
  }
  const { productName, currency, source, clientId, buyerEmail } = await getSale(ctx, id)
  const isOffered = source === 'link'
  return {
    name: productName,
    description: null,
    currency,
    clientId: isOffered ? clientId : null,
    email: buyerEmail,
    page: getSaleUrl(ctx, id),
    isKept: source === 'booking',
  }
}

/** Returns the cents that are left to pay. Throws not_found. */
export async function getPayableBalance(ctx: Ctx, { kind, id }: Payable): Promise<number> {
  if (kind === 'invoice') return (await getInvoice(ctx, id)).balance
  const { state, amount } = await getSale(ctx, id)
  return state === 'open' ? amount : 0
}

/** The same, locked. */
export const lockPayable = (ctx: WriteCtx, { kind, id }: Payable): Promise<number> =>
  kind === 'invoice' ? lockBalance(ctx, id) : lockSaleBalance(ctx, id)

/** Books a payment once. Returns its invoice, and what should go back. */
export async function bookPayable(
  ctx: WriteCtx,
  { kind, id }: Payable,
  payment: { amount: number; externalId: string; paidAt: Date },
): Promise<{ invoiceId: number; excess: number }> {
  if (kind === 'sale') return completeSale(ctx, id, payment)
  const { excess } = await recordOnlinePayment(ctx, id, payment)
  return { invoiceId: id, excess }
}
