import { cents } from '#app/lib/zod-types.ts'
import { localDate, noonIn, dayMs } from '#app/lib/time.ts'
import type { DemoPractice } from '#modules/core/manifest.ts'
import { listClientOptions, listClients, type ClientRecord } from '#modules/crm/index.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import type { PaymentMethod, PurchaseStatus } from './fields.ts'
import { NewProduct, NewPurchase } from './forms.ts'
import { NewInvoice } from './invoices/forms.ts'
import { listPurchases } from './queries/purchases.ts'
import type { ProductRecord } from './records.ts'
import { createPaymentLink } from './sales/payment-links.ts'
import { createCreditNote, recordPayment, refundInvoice } from './services/invoice-payments.ts'
import { createInvoice, voidInvoice } from './services/invoices.ts'
import { createProduct, updateProduct } from './services/products.ts'
import { updatePurchase, createPurchase } from './services/purchases.ts'

/** `weeks`: the duration of the program. */
type DemoProduct = {
  name: string
  price: string
  description: string
  paymentType?: 'installment' | 'recurring'
  installmentCount?: number
  sessionCount?: number
  hidden?: boolean
  onlineSale?: 'public'
  weeks?: number
}
type BuyingPattern = { product: string; repeats?: 'each month'; then?: BuyingPattern }

const singleSession = 'Single Session'
const monthlyRetainer = 'Monthly Retainer'

const demoProducts: Record<DemoPractice['which'], DemoProduct[]> = {
  first: [
    {
      name: singleSession,
      price: '180.00',
      description: 'Ninety minutes on one question.',
      onlineSale: 'public',
    },
    {
      name: 'Career Reset, 6 sessions',
      price: '960.00',
      description: 'Six sessions over three months, with exercises in between.',
      weeks: 12,
      paymentType: 'installment',
      installmentCount: 2,
      sessionCount: 6,
    },
    {
      name: 'Career Reset, 12 sessions',
      price: '1620.00',
      description: 'Twelve sessions over half a year, for people who want to leave but don’t know where to go yet.',
      weeks: 24,
      paymentType: 'installment',
      installmentCount: 4,
      sessionCount: 12,
    },
    {
      name: 'Leadership Intensive',
      price: '2400.00',
      description: 'A day together, then six weeks of short calls while the new role begins.',
      weeks: 6,
      onlineSale: 'public',
    },
    {
      name: monthlyRetainer,
      price: '420.00',
      description: 'Two sessions a month and an open line in between.',
      paymentType: 'recurring',
    },
    {
      name: 'Evenings for Two',
      price: '590.00',
      description: 'Three evenings for couples who also share a business.',
      weeks: 6,
      sessionCount: 3,
      hidden: true,
    },
    {
      name: 'Founder Sprint',
      price: '3600.00',
      description: 'Nine weeks, one goal and a check-in every Monday.',
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
      description: 'A new plan every month, and feedback on every video you send.',
      paymentType: 'recurring',
    },
  ],
}

/** The purchases of each program's clients; `then` is the next one. */
const patternByProgram: Record<string, BuyingPattern> = {
  'Career Transition': {
    product: 'Career Reset, 12 sessions',
    then: { product: singleSession, repeats: 'each month' },
  },
  'Executive Leadership': { product: 'Leadership Intensive', then: { product: monthlyRetainer } },
  'Startup Mentorship': { product: 'Founder Sprint', then: { product: singleSession, repeats: 'each month' } },
  'Life Coaching': { product: 'Career Reset, 6 sessions', then: { product: singleSession, repeats: 'each month' } },
  'Business Coaching': { product: singleSession, then: { product: monthlyRetainer } },
  'Health & Wellness': { product: 'Career Reset, 6 sessions', then: { product: singleSession, repeats: 'each month' } },
  'Relationship Coaching': { product: 'Evenings for Two', then: { product: singleSession, repeats: 'each month' } },
}
const secondPracticePatterns: BuyingPattern[] = [
  { product: 'Running Check', then: { product: 'First 10 km', then: { product: 'Half Marathon Plan' } } },
  { product: 'Running Check', then: { product: 'Strength at Home' } },
]
/** Clients whose notes mention what they buy. */
const patternByClient: Record<string, BuyingPattern> = {
  'Ingrid Solheim': { product: singleSession, repeats: 'each month' },
  'Zeynep Şahin': { product: 'Leadership Intensive', then: { product: singleSession, repeats: 'each month' } },
}

const methods: PaymentMethod[] = ['credit_card', 'bank_transfer', 'credit_card', 'paypal', 'bank_transfer', 'cash']

type DemoPurchase = {
  at: number
  client: ClientRecord
  product: ProductRecord
  /** Cents. */
  amount: number
  status: PurchaseStatus
  notes: string | null
  /** A later change, after so many days. */
  update?: { days: number; status: PurchaseStatus; notes: string }
}

/**
 * Products, invoices, a payment link and two years of purchases, each on its date. Does nothing if there are purchases
 * already.
 */
export async function seed(ctx: Ctx, { which, now }: DemoPractice): Promise<void> {
  if ((await listPurchases(ctx, { rows: 1 })).length) return
  await ctx.write(async (tx) => {
    const products = await seedProducts(tx, which, now)
    const clients = await listClients(tx, { rows: null, after: null })
    const purchases = clients.flatMap((client, index) => {
      const pattern = patternByClient[client.name] ?? patternByProgram[client.program ?? '']
      return simulatePurchases(
        { client, index, pattern: pattern ?? secondPracticePatterns[index % 2]! },
        products,
        now.getTime(),
        ctx.account.timezone,
      )
    })
    for (const purchase of purchases.sort((a, b) => a.at - b.at))
      await seedPurchase(tx, now, purchase, methods[clients.indexOf(purchase.client) % methods.length]!)
    await hideProducts(tx, which, now, products)
    await seedInvoices(tx, now, clients)
    await seedPaymentLink(tx, now, { clients, products })
  })
}

/** The context with another clock, never later than `now`. */
const withTime = (ctx: WriteCtx, now: Date, at: number): WriteCtx => ({
  ...ctx,
  now: () => new Date(Math.min(at, now.getTime())),
})

async function seedProducts(ctx: WriteCtx, which: DemoPractice['which'], now: Date): Promise<ProductRecord[]> {
  const products: ProductRecord[] = []
  for (const [index, product] of demoProducts[which].entries()) {
    const at = now.getTime() - (735 - index * 9) * dayMs
    products.push(await createProduct(withTime(ctx, now, at), NewProduct.parse(product)))
  }
  return products
}

async function seedPurchase(
  ctx: WriteCtx,
  now: Date,
  { at, client, product, amount, status, notes, update }: DemoPurchase,
  paymentMethod: PaymentMethod,
): Promise<void> {
  const input = { clientId: client.id, productId: product.id, amount, status, paymentMethod, notes }
  const { id } = await createPurchase(withTime(ctx, now, at), NewPurchase.parse(input))
  if (!update) return
  const updatedAt = at + update.days * dayMs
  await updatePurchase(withTime(ctx, now, updatedAt), id, { status: update.status, notes: update.notes })
}

type DemoInvoice = {
  days: number
  description: string
  price: string
  quantity?: number
  paid?: number
  sent?: false
  draft?: true
  /** For the first client by name, whose portal the demo opens. */
  inPortal?: true
  then?: { days: number; what: 'credit' | 'refund' | 'void'; amount?: number }
}

/**
 * `days`: since they were issued. `paid`: the part that is paid, after six days. `then`: what became of it after so
 * many days, before the next one, because credit notes have the same numbers. `amount`: cents; all unless given.
 */
const demoInvoices: DemoInvoice[] = [
  { days: 70, description: 'Leadership workshop, half a day', price: '1450.00', paid: 1 },
  {
    days: 62,
    description: 'Offsite, with a dinner that was cancelled',
    price: '800.00',
    paid: 0.75,
    then: { days: 3, what: 'credit', amount: 20_000 },
  },
  { days: 52, description: 'Team coaching', price: '320.00', quantity: 3, paid: 1 },
  { days: 45, description: 'Coaching day', price: '650.00', paid: 1, then: { days: 9, what: 'refund' } },
  { days: 40, description: 'Keynote', price: '1200.00', then: { days: 2, what: 'void' } },
  { days: 33, description: 'Executive sparring', price: '540.00' },
  { days: 9, description: 'Quarterly review', price: '280.00', quantity: 2, paid: 0.5 },
  { days: 4, description: 'Strategy session', price: '240.00', sent: false },
  { days: 1, description: 'Workshop for the board', price: '1900.00', draft: true },
  { days: 2, description: 'First session', price: '180.00', inPortal: true },
]

/** Invoices in every state, each on its date, for the practice's longest clients and the one who signs in to the portal. */
async function seedInvoices(ctx: WriteCtx, now: Date, clients: ClientRecord[]): Promise<void> {
  const current = clients.filter(({ status }) => status === 'active').reverse()
  const [first] = await listClientOptions(ctx, { rows: 1 })
  for (const [index, demo] of demoInvoices.entries()) {
    const {
      days,
      description,
      price,
      quantity = 1,
      paid = 0,
      sent = true,
      draft = false,
      inPortal = false,
      then,
    } = demo
    const issuedAt = noonIn(
      localDate(new Date(now.getTime() - days * dayMs), ctx.account.timezone),
      ctx.account.timezone,
    )
    const client = inPortal ? clients.find(({ id }) => id === first?.id) : current[index % current.length]
    if (!client || issuedAt.getTime() < Date.parse(client.createdAt)) continue
    const line = { description, quantity, unitPrice: price }
    const input = NewInvoice.parse({ clientId: client.id, description, lines: [line], draft })
    const { id, total } = await createInvoice(withTime(ctx, now, issuedAt.getTime()), input)
    if (sent && !draft)
      await ctx.query({
        name: 'billing.seed-sent',
        text: 'update invoice set sent_at = $3 where coach_id = $1 and id = $2',
        values: [ctx.coachId, id, issuedAt],
      })
    const after = (some: number) => withTime(ctx, now, issuedAt.getTime() + some * dayMs)
    const amount = Math.round(total * paid)
    if (then?.what === 'credit') await createCreditNote(after(then.days), id, { amount: then.amount })
    if (amount) await recordPayment(after(6), id, { amount, method: 'bank_transfer' })
    if (then?.what === 'refund') await refundInvoice(after(then.days), id, { method: 'bank_transfer' })
    if (then?.what === 'void') await voidInvoice(after(then.days), id)
  }
}

/** A one-time product, offered to the newest client who is coached now. */
async function seedPaymentLink(
  ctx: WriteCtx,
  now: Date,
  { clients, products }: { clients: ClientRecord[]; products: ProductRecord[] },
): Promise<void> {
  const client = clients.find(({ status }) => status === 'active')
  const product = products.find(({ paymentType, isActive }) => paymentType === 'one_time' && isActive)
  if (!client || !product) return
  await createPaymentLink(withTime(ctx, now, now.getTime() - 2 * dayMs), { clientId: client.id, productId: product.id })
}

async function hideProducts(
  ctx: WriteCtx,
  which: DemoPractice['which'],
  now: Date,
  products: ProductRecord[],
): Promise<void> {
  const hidden = demoProducts[which].filter((product) => product.hidden).map(({ name }) => name)
  for (const { id } of products.filter(({ name }) => hidden.includes(name)))
    await updateProduct(withTime(ctx, now, now.getTime() - 120 * dayMs), id, { isActive: false })
}

/** The purchases of one client, from the second day until the coaching ends. `index` varies them. */
function simulatePurchases(
  { client, index, pattern }: { client: ClientRecord; index: number; pattern: BuyingPattern },
  products: ProductRecord[],
  now: number,
  timezone: string,
): DemoPurchase[] {
  const findProduct = (name: string) => products.find((product) => product.name === name)!
  const start = Date.parse(client.createdAt)
  if (client.status === 'pending') {
    if (now - start < 3 * dayMs) return []
    const product = findProduct(pattern.product)
    const amount = splitIntoInstallments(product)[0]!
    return [{ at: start + 2 * dayMs, client, product, amount, status: 'pending', notes: null }]
  }

  const end = start + (now - start) * (client.status === 'completed' ? 0.67 : client.status === 'inactive' ? 0.5 : 1)
  const purchases: DemoPurchase[] = []
  let at = start + (1 + (index % 3)) * dayMs
  for (let step: BuyingPattern | undefined = pattern; step && at <= end; step = step.then) {
    const product = findProduct(step.product)
    const installments = splitIntoInstallments(product)
    const count = product.paymentType === 'recurring' || step.repeats ? 26 : installments.length
    const programEnd = at + durationInWeeks(product.name) * 7 * dayMs
    for (let nth = 0; nth < count && at <= end; nth++) {
      const notes = installments.length > 1 ? `Installment ${nth + 1} of ${installments.length}` : null
      const amount = installments[nth % installments.length]!
      purchases.push({ at, client, product, amount, status: 'completed', notes })
      at += step.repeats ? 28 * dayMs : 30 * dayMs + ((index + nth) % 3) * 3_600_000
    }
    at = Math.max(at, programEnd)
  }
  return purchases
    .map((purchase, nth) => ({ ...purchase, at: atDaytime(purchase.at, timezone, index * 37 + nth * 53) }))
    .flatMap((purchase, nth) => withExceptions(purchase, index * 31 + nth * 17, nth === purchases.length - 1, now))
}

/** Cents that add up to the price. The first ones are a cent larger if it doesn't divide evenly. */
function splitIntoInstallments({ price, paymentType, installmentCount }: ProductRecord): number[] {
  const total = cents().parse(price)
  const count = paymentType === 'installment' ? (installmentCount ?? 1) : 1
  const installment = Math.floor(total / count)
  return Array.from({ length: count }, (_, nth) => installment + (nth < total - installment * count ? 1 : 0))
}

const durationInWeeks = (productName: string): number =>
  Object.values(demoProducts)
    .flat()
    .find(({ name }) => name === productName)?.weeks ?? 0

/** A time between 9 AM and 4 PM on the same date. `seed` varies it. */
function atDaytime(at: number, timezone: string, seed: number): number {
  return noonIn(localDate(new Date(at), timezone), timezone).getTime() + ((seed % 420) - 180) * 60_000
}

/** Turns some purchases into a failed, refunded, cancelled or pending one. `seed` decides which. */
function withExceptions(purchase: DemoPurchase, seed: number, isLast: boolean, now: number): DemoPurchase[] {
  const variants = toVariants(purchase, seed, isLast && now - purchase.at < 6 * dayMs)
  return variants.filter(({ at }) => at < now)
}

function toVariants(purchase: DemoPurchase, seed: number, isRecent: boolean): DemoPurchase[] {
  if (isRecent) return [{ ...purchase, status: 'pending' }]
  if (seed % 41 === 7) {
    const retry = { ...purchase, at: purchase.at + 3 * dayMs }
    return [{ ...purchase, status: 'failed', notes: 'Card was declined' }, retry]
  }
  if (seed % 53 === 11)
    return [{ ...purchase, update: { days: 9, status: 'refunded', notes: 'Session didn’t take place' } }]
  if (seed % 67 === 5) {
    const update = { days: 5, status: 'cancelled', notes: 'Recorded twice by mistake' } as const
    return [{ ...purchase, status: 'pending', update }, purchase]
  }
  return [purchase]
}
