import { fillSlot } from '#modules/core/slots.ts'
import type { OnlineSales } from '#modules/core/manifest.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { lockInvoice } from '../services/invoice-rows.ts'
import { getOnlinePaid, requestRefund } from '../services/online-payments.ts'
import { getSalePayment } from './online-sale.server.ts'
import { buyerPermissions } from './permissions.ts'
import { findSoldProducts, getSale, listSoldProducts } from './queries.ts'
import { getSalePath } from './sale-link.ts'
import { startBookingSale, withdrawSale } from './sales.ts'

/** Sales of other modules are paid as products are, each with an invoice of its own. */
export const onlineSales: OnlineSales = {
  permissions: buyerPermissions,
  async isAvailable(ctx, amount) {
    const [filled] = await fillSlot(ctx, 'sale.available', { amount: String(amount) })
    return filled?.data === true
  },
  listProducts: listSoldProducts,
  findProducts: findSoldProducts,
  start: startBookingSale,
  get: getState,
  toPaymentPath: (ctx, id) => `${getSalePath(ctx, id)}/pay`,
  withdraw: withdrawSale,
  refund: refundSale,
}

async function getState(ctx: Ctx, id: number) {
  const sale = await getSale(ctx, id)
  const { state, amount, currency, buyerName: name, buyerEmail: email } = sale
  const payment = await getSalePayment(ctx, sale, getSalePath(ctx, id).slice('/sale/'.length))
  return {
    state,
    amount,
    currency,
    buyer: name !== null && email !== null ? { name, email } : null,
    payAction: payment?.action ?? null,
  }
}

async function refundSale(ctx: WriteCtx, id: number): Promise<void> {
  const { invoiceId } = await getSale(ctx, id)
  if (invoiceId === null) return
  const invoice = await lockInvoice(ctx, invoiceId)
  const left = Math.min((await getOnlinePaid(ctx, invoice)) ?? 0, invoice.paid - invoice.refunded - invoice.refunding)
  if (left > 0) await requestRefund(ctx, invoice, left)
}
