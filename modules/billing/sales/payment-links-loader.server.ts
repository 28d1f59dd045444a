import { formatMoney } from '#app/lib/money.ts'
import { formatDate } from '#app/lib/time.ts'
import { listClientNames, listClientOptions } from '#modules/crm/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { formatPrice } from '../format.ts'
import { paymentLinksUrl } from '../list-state.ts'
import { maxClients } from '../purchases-loader.server.ts'
import { canTakeCards } from './online-sale.server.ts'
import { listPaymentLinks, type ListedPaymentLink } from './payment-links.ts'
import { listLinkProducts } from './queries.ts'
import { getSaleUrl } from './sale-link.ts'

/** The payment links of one client, or of all, and the form for another one. */
export async function loadPaymentLinks(ctx: Ctx, url: string) {
  const { client: clientId, product, clientSearch } = paymentLinksUrl.parse(url)
  const [links, options, products, names, takesCards] = await Promise.all([
    listPaymentLinks(ctx, clientId),
    listClientOptions(ctx, { q: clientSearch, rows: maxClients + 1 }),
    listLinkProducts(ctx),
    clientId === null ? [] : listClientNames(ctx, [clientId]),
    canTakeCards(ctx),
  ])
  const [client] = names.filter(({ inTrash }) => !inTrash)
  const listed = options.slice(0, maxClients).map(({ id, name }) => ({ id, name }))
  const isListed = !client || clientSearch !== '' || listed.some(({ id }) => id === client.id)
  return {
    hasHost: ctx.account.subdomain !== null,
    takesCards,
    client: client ? { name: client.name } : null,
    form: {
      clients: isListed ? listed : [{ id: client.id, name: client.name }, ...listed],
      hasMore: options.length > maxClients,
      clientSearch,
      products: products.map(({ id, name, price }) => ({
        value: String(id),
        label: `${name}, ${formatPrice(price, ctx.account.currency)}`,
      })),
      values: { clientId: client ? String(client.id) : '', productId: product === null ? '' : String(product) },
    },
    links: links.map((link) => toView(ctx, link)),
  }
}

function toView(ctx: Ctx, link: ListedPaymentLink) {
  const { id, clientName, productName, amount, currency, state, invoiceId, sentAt, paidAt, createdAt } = link
  const { timezone } = ctx.account
  const detail = paidAt
    ? `Paid on ${formatDate(paidAt, timezone)}`
    : sentAt
      ? `Emailed on ${formatDate(sentAt, timezone)}`
      : `Made on ${formatDate(createdAt, timezone)}`
  return {
    id,
    clientName,
    productName,
    amount: formatMoney(amount, currency),
    state,
    detail,
    url: state === 'open' ? getSaleUrl(ctx, id) : null,
    invoiceId,
  }
}
