import type { DemoPractice } from '#modules/define.ts'
import { clientsNewestFirst } from '#modules/crm/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { NewProduct, NewPurchase, type PaymentMethod } from './forms.ts'
import { productsNewestFirst } from './queries/products.ts'
import { addProduct } from './services/products.ts'
import { recordPurchase } from './services/purchases.ts'

const offers = {
  first: [
    { name: 'Career Reset, 12 sessions', price: '1620.00', description: 'Twelve sessions over four months, for people who know that they want to leave and not yet for where.', paymentType: 'installment', installmentCount: 4 },
    { name: 'Career Reset, 6 sessions', price: '960.00', description: 'Six sessions over two months, with exercises in between.', paymentType: 'installment', installmentCount: 2 },
    { name: 'Leadership Intensive', price: '2400.00', description: 'A day together, then six weeks of short calls while the new role begins.' },
    { name: 'Monthly Retainer', price: '420.00', description: 'Two sessions a month and an open line in between.', paymentType: 'recurring' },
    { name: 'Single Session', price: '180.00', description: 'Ninety minutes on one question.' },
  ],
  second: [
    { name: 'First 10 km', price: '240.00', description: 'Twelve weeks, three runs a week, one call every Sunday.' },
    { name: 'Half Marathon Plan', price: '360.00', description: 'Twenty weeks with a plan that changes with you.', paymentType: 'installment', installmentCount: 3 },
    { name: 'Running Check', price: '85.00', description: 'Half an hour on the track and a page of notes.' },
  ],
} as const
const methods: PaymentMethod[] = ['credit_card', 'bank_transfer', 'cash', 'paypal']
const day = 86_400_000

/** Products, and what the clients bought of them since they came. Nothing where there are products already. */
export async function seed(ctx: Ctx, { which, now }: DemoPractice): Promise<void> {
  if ((await productsNewestFirst(ctx)).length) return
  await ctx.write(async (tx) => {
    const products = []
    for (const offer of offers[which]) products.push(await addProduct(tx, NewProduct.parse(offer)))
    const clients = await clientsNewestFirst(tx, { rows: null, after: null })
    for (const [at, client] of clients.entries()) {
      const since = new Date(client.createdAt).getTime()
      const months = Math.max(0, Math.floor((now.getTime() - since) / (30 * day)))
      // Everybody begins with one product; who stays buys again about every three months.
      for (let month = 0, nth = 0; month <= months && nth < 4; month += 3, nth++) {
        const product = products[(at * 3 + nth * 2) % products.length]!
        const purchasedAt = Math.min(since + (month * 30 + 2) * day, now.getTime())
        const recent = now.getTime() - purchasedAt < 10 * day
        await recordPurchase({ ...tx, now: () => new Date(purchasedAt) }, NewPurchase.parse({
          clientId: client.id,
          productId: product.id,
          amount: product.price,
          paymentMethod: methods[(at + nth) % methods.length],
          status: recent && at % 2 ? 'pending' : 'completed',
        }))
      }
    }
  })
}
