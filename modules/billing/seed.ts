import { cents } from '#app/lib/money.ts'
import { dateOf, noonOf } from '#app/lib/time.ts'
import type { DemoPractice } from '#modules/core/manifest.ts'
import { clientsNewestFirst, type ClientRecord } from '#modules/crm/index.ts'
import type { Ctx } from '#tenants/context.ts'
import type { PaymentMethod, PurchaseStatus } from './fields.ts'
import { NewProduct, NewPurchase } from './forms.ts'
import { productsNewestFirst } from './queries/products.ts'
import type { ProductRecord } from './records.ts'
import { addProduct, editProduct } from './services/products.ts'
import { editPurchase, recordPurchase } from './services/purchases.ts'

/** `weeks`: how long it lasts. */
type Offer = {
  name: string
  price: string
  description: string
  paymentType?: 'installment' | 'recurring'
  installmentCount?: number
  retired?: boolean
  weeks?: number
}
type Way = { offer: string; often?: 'each month'; then?: Way }

const single = 'Single Session'
const retainer = 'Monthly Retainer'

const offers: Record<DemoPractice['which'], Offer[]> = {
  first: [
    { name: single, price: '180.00', description: 'Ninety minutes on one question.' },
    {
      name: 'Career Reset, 6 sessions',
      price: '960.00',
      description: 'Six sessions over three months, with exercises in between.',
      weeks: 12,
      paymentType: 'installment',
      installmentCount: 2,
    },
    {
      name: 'Career Reset, 12 sessions',
      price: '1620.00',
      description:
        'Twelve sessions over half a year, for people who know that they want to leave and not yet for where.',
      weeks: 24,
      paymentType: 'installment',
      installmentCount: 4,
    },
    {
      name: 'Leadership Intensive',
      price: '2400.00',
      description: 'A day together, then six weeks of short calls while the new role begins.',
      weeks: 6,
    },
    {
      name: retainer,
      price: '420.00',
      description: 'Two sessions a month and an open line in between.',
      paymentType: 'recurring',
    },
    {
      name: 'Evenings for Two',
      price: '590.00',
      description: 'Three evenings for couples who also share a business.',
      weeks: 6,
      retired: true,
    },
    {
      name: 'Founder Sprint',
      price: '3600.00',
      description: 'Nine weeks, one goal, and somebody who asks about it every Monday.',
      weeks: 10,
      paymentType: 'installment',
      installmentCount: 3,
    },
  ],
  second: [
    { name: 'Running Check', price: '85.00', description: 'Half an hour on the track and a page of notes.' },
    {
      name: 'First 10 km',
      price: '240.00',
      description: 'Twelve weeks, three runs a week, one call every Sunday.',
      weeks: 12,
    },
    {
      name: 'Half Marathon Plan',
      price: '361.00',
      description: 'Twenty weeks with a plan that changes with you.',
      weeks: 20,
      paymentType: 'installment',
      installmentCount: 3,
    },
    {
      name: 'Strength at Home',
      price: '65.00',
      description: 'A new plan every month, and an answer to every video that you send.',
      paymentType: 'recurring',
    },
  ],
}

/** What people of a program buy, and what after that if they stay. */
const ways: Record<string, Way> = {
  'Career Transition': { offer: 'Career Reset, 12 sessions', then: { offer: single, often: 'each month' } },
  'Executive Leadership': { offer: 'Leadership Intensive', then: { offer: retainer } },
  'Startup Mentorship': { offer: 'Founder Sprint', then: { offer: single, often: 'each month' } },
  'Life Coaching': { offer: 'Career Reset, 6 sessions', then: { offer: single, often: 'each month' } },
  'Business Coaching': { offer: single, then: { offer: retainer } },
  'Health & Wellness': { offer: 'Career Reset, 6 sessions', then: { offer: single, often: 'each month' } },
  'Relationship Coaching': { offer: 'Evenings for Two', then: { offer: single, often: 'each month' } },
}
const secondWays: Way[] = [
  { offer: 'Running Check', then: { offer: 'First 10 km', then: { offer: 'Half Marathon Plan' } } },
  { offer: 'Running Check', then: { offer: 'Strength at Home' } },
]
/** Whose notes say what they come for. */
const ownWays: Record<string, Way> = {
  'Ingrid Solheim': { offer: single, often: 'each month' },
  'Zeynep Şahin': { offer: 'Leadership Intensive', then: { offer: single, often: 'each month' } },
}

const methods: PaymentMethod[] = ['credit_card', 'bank_transfer', 'credit_card', 'paypal', 'bank_transfer', 'cash']
const day = 86_400_000

/** What was paid, on its day; `later` is what became of it. */
type Sale = {
  at: number
  client: ClientRecord
  product: ProductRecord
  /** Cents. */
  amount: number
  status: PurchaseStatus
  notes: string | null
  /** `after`: days. */
  later?: { after: number; status: PurchaseStatus; notes: string }
}

/** Products, and what the clients paid for them since they came, each on its day. Nothing where there are products already. */
export async function seed(ctx: Ctx, { which, now }: DemoPractice): Promise<void> {
  if ((await productsNewestFirst(ctx)).length) return
  await ctx.write(async (tx) => {
    const on = (at: number) => ({ ...tx, now: () => new Date(Math.min(at, now.getTime())) })
    const products: ProductRecord[] = []
    for (const [nth, offer] of offers[which].entries())
      products.push(await addProduct(on(now.getTime() - (735 - nth * 9) * day), NewProduct.parse(offer)))
    const clients = await clientsNewestFirst(tx, { rows: null, after: null })
    const sales = clients.flatMap((client, nth) =>
      salesTo(
        { client, nth, way: ownWays[client.name] ?? ways[client.program ?? ''] ?? secondWays[nth % 2]! },
        products,
        now.getTime(),
        ctx.account.timezone,
      ),
    )
    for (const { at, client, product, later, ...sale } of sales.sort((a, b) => a.at - b.at)) {
      const { id } = await recordPurchase(
        on(at),
        NewPurchase.parse({
          ...sale,
          clientId: client.id,
          productId: product.id,
          paymentMethod: methods[clients.indexOf(client) % methods.length],
        }),
      )
      if (later) await editPurchase(on(at + later.after * day), id, { status: later.status, notes: later.notes })
    }
    for (const { name } of offers[which].filter(({ retired }) => retired)) {
      await editProduct(on(now.getTime() - 120 * day), products.find((product) => product.name === name)!.id, {
        isActive: false,
      })
    }
  })
}

/** All that one client paid, from the second day on until the work rests. */
function salesTo(
  { client, nth: place, way }: { client: ClientRecord; nth: number; way: Way },
  products: ProductRecord[],
  now: number,
  zone: string,
): Sale[] {
  const began = Date.parse(client.createdAt)
  const whole = now - began
  const end =
    client.status === 'completed' ? began + whole * 0.67 : client.status === 'inactive' ? began + whole * 0.5 : now
  if (client.status === 'pending') {
    // They said yes and have not paid.
    const product = products.find(({ name }) => name === way.offer)!
    return whole < 3 * day
      ? []
      : [{ at: began + 2 * day, client, product, amount: partsOf(product)[0]!, status: 'pending', notes: null }]
  }
  const sales: Sale[] = []
  let at = began + (1 + (place % 3)) * day
  for (let step: Way | undefined = way; step && at <= end; step = step.then) {
    const { offer, often }: Way = step
    const product = products.find(({ name }) => name === offer)!
    const parts = partsOf(product)
    const times = product.paymentType === 'recurring' || often ? 26 : parts.length
    const over = at + weeksOf(offer) * 7 * day
    for (let nth = 0; nth < times && at <= end; nth++) {
      const notes = parts.length > 1 ? `Installment ${nth + 1} of ${parts.length}` : null
      sales.push({ at, client, product, amount: parts[nth % parts.length]!, status: 'completed', notes })
      at += often ? 28 * day : 30 * day + ((place + nth) % 3) * 3_600_000
    }
    at = Math.max(at, over)
  }
  return sales
    .map((sale, nth) => ({ ...sale, at: byDay(sale.at, zone, place * 37 + nth * 53) }))
    .flatMap((sale, nth) => asLife(sale, place * 31 + nth * 17, nth === sales.length - 1, now))
}

const weeksOf = (offer: string): number =>
  Object.values(offers)
    .flat()
    .find(({ name }) => name === offer)?.weeks ?? 0

/** A moment of that day between nine and four, where the coach lives. */
function byDay(at: number, zone: string, chance: number): number {
  return noonOf(dateOf(new Date(at), zone), zone).getTime() + ((chance % 420) - 180) * 60_000
}

/** A price in its parts, in cents: they add up to it exactly, the first ones a cent larger where it doesn't divide. */
function partsOf({ price, paymentType, installmentCount }: ProductRecord): number[] {
  const whole = cents().parse(price)
  const count = paymentType === 'installment' ? (installmentCount ?? 1) : 1
  const part = Math.floor(whole / count)
  return Array.from({ length: count }, (_, nth) => part + (nth < whole - part * count ? 1 : 0))
}

/** Some cards are declined, some sessions are not held, some people change their minds, and some money is on its way. */
function asLife(sale: Sale, chance: number, last: boolean, now: number): Sale[] {
  const lived: Sale[] = []
  if (last && now - sale.at < 6 * day) lived.push({ ...sale, status: 'pending' })
  else if (chance % 41 === 7)
    lived.push({ ...sale, status: 'failed', notes: 'Card was declined' }, { ...sale, at: sale.at + 3 * day })
  else if (chance % 53 === 11)
    lived.push({ ...sale, later: { after: 9, status: 'refunded', notes: 'Session could not be held, money returned' } })
  else if (chance % 67 === 5)
    lived.push(
      { ...sale, status: 'pending', later: { after: 5, status: 'cancelled', notes: 'Sent twice by mistake' } },
      sale,
    )
  else lived.push(sale)
  return lived.filter(({ at }) => at < now)
}
