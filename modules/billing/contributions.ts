import { formatCents } from '#app/lib/money.ts'
import { dayOf } from '#app/lib/time.ts'
import type { ClientFactsById, ClientPlace, ProductChoice } from '#modules/crm/index.ts'
import type { Contribution } from '#modules/define.ts'
import type { Ctx } from '#tenants/context.ts'
import { productsNewestFirst } from './queries/products.ts'
import { latestProducts, purchasesNewestFirst } from './queries/purchases.ts'
import { priceWords } from './words.ts'

const permission = 'billing:purchase:read'

/** What billing shows on the screens of clients. */
export const contributions: Contribution[] = [
  { slot: 'client.card', widget: 'purchase-history', order: 20, permission, load: (ctx, { id }) => purchaseHistory(ctx, Number(id)) },
  { slot: 'client.row', order: 10, permission, load: (ctx, { ids = '' }) => factsOf(ctx, ids) },
  { slot: 'client.product', order: 10, permission: 'billing:product:read', load: productChoices },
  { slot: 'client.menu', order: 10, permission: 'billing:purchase:write', load: async () => places },
]

const places: ClientPlace[] = [{ label: 'Add Purchase', icon: 'shopping-bag', to: '/clients/{id}/purchases', on: 'menu' }]
const shown = 3

async function productChoices(ctx: Ctx): Promise<ProductChoice[]> {
  const products = await productsNewestFirst(ctx)
  return products.filter(({ isActive }) => isActive).map(({ id, name, price }) => ({ value: String(id), label: `${name}, ${priceWords(price)}` }))
}

async function purchaseHistory(ctx: Ctx, clientId: number) {
  const purchases = await purchasesNewestFirst(ctx, { clientId })
  return {
    clientId,
    more: Math.max(0, purchases.length - shown),
    total: formatCents(purchases.reduce((sum, { amount }) => sum + amount, 0)),
    purchases: purchases.slice(0, shown).map(({ id, productName, amount, status, purchasedAt }) => ({
      id,
      productName,
      amount: formatCents(amount),
      status,
      when: dayOf(purchasedAt, ctx.account.timezone),
    })),
  }
}
export type PurchaseHistory = Awaited<ReturnType<typeof purchaseHistory>>

async function factsOf(ctx: Ctx, ids: string): Promise<ClientFactsById> {
  const rows = await latestProducts(ctx, ids.split(',').map(Number).filter(Boolean))
  return Object.fromEntries(rows.map(({ clientId, productName }) => [clientId, { latestProduct: productName }]))
}
