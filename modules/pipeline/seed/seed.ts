import { addDays, localDate, noonIn } from '#app/lib/time.ts'
import { NewPurchase, listProducts, createPurchase, type ProductRecord } from '#modules/billing/index.ts'
import { createInteraction, ClientEdit, updateClient, NewInteraction } from '#modules/crm/index.ts'
import { demoMoment } from '#modules/core/demo-dates.ts'
import type { DemoPractice } from '#modules/core/manifest.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { NewProspect } from '../forms.ts'
import { listProspects } from '../queries/prospects.ts'
import { convertProspect } from '../services/conversion.ts'
import { createProspect, updateProspect } from '../services/prospects.ts'
import { northStar, stillwater, type Person } from './people.ts'

/** Adds the demo prospects with their history of moves and conversions, unless there are prospects already. */
export async function seed(ctx: Ctx, { which, now }: DemoPractice): Promise<void> {
  if ((await listProspects(ctx, { rows: 1 })).length) return
  const products = await listProducts(ctx)
  await ctx.write(async (tx) => {
    for (const person of which === 'first' ? stillwater : northStar) await seedProspect(tx, person, products, now)
  })
}

async function seedProspect(tx: WriteCtx, person: Person, products: ProductRecord[], now: Date): Promise<void> {
  const { path, followUp, value, probability, product, converted, notes, ...first } = person
  const { timezone } = tx.account
  const on = (days: number): WriteCtx => {
    const at = demoMoment(now, days, timezone, person.name)
    return { ...tx, now: () => at }
  }
  const soldProduct = products.find(({ name }) => product && name.includes(product))
  const [[stageId, firstDay], ...moves] = path as [Person['path'][number], ...Person['path']]

  // A new prospect has a low probability; it grows with every move.
  const { id } = await createProspect(
    on(firstDay),
    NewProspect.parse({ ...first, stageId, value: value * 100, probability: Math.min(probability, 10) }),
  )
  for (const [index, [to, days]] of moves.entries()) {
    const raised = Math.round((probability * (index + 1)) / moves.length / 5) * 5
    await updateProspect(on(days), id, { stageId: to, probability: raised })
  }
  const latest = on(path.at(-1)![1])
  const nextFollowUp = followUp === undefined ? null : noonIn(addDays(localDate(now, timezone), followUp), timezone)
  await updateProspect(latest, id, {
    probability,
    notes: notes ?? null,
    productId: soldProduct?.id ?? null,
    nextFollowUp,
  })

  if (converted === undefined) return
  const client = await convertProspect(on(converted), id)
  const weeks = Math.floor(converted / 7)
  await updateClient(
    on(converted % 7),
    client.id,
    ClientEdit.parse({
      program: programs.find(([part]) => product?.includes(part))?.[1],
      progress: Math.min(60, 5 + weeks * 10),
    }),
  )
  const sessionCtx = on(converted)
  const interaction = {
    name: 'First session',
    content: firstSession,
    interactionDate: noonIn(localDate(sessionCtx.now(), timezone), timezone).toISOString(),
  }
  await createInteraction(sessionCtx, client.id, NewInteraction.parse(interaction))
  if (!soldProduct) return
  const sell = (days: number, { id: productId, price }: ProductRecord) =>
    createPurchase(
      on(days),
      NewPurchase.parse({ clientId: client.id, productId, amount: price, paymentMethod: 'bank_transfer' }),
    )
  await sell(converted, soldProduct)
  const { days: duration, then } = renewals.find(({ bought }) => soldProduct.name.includes(bought))!
  const next = products.find(({ name }) => name === then)
  for (let days = converted - duration; next && days > 1; days -= 28) await sell(days, next)
}

/** The product that clients buy every four weeks after the first one. */
const renewals = [
  { bought: '12 sessions', days: 168, then: 'Single Session' },
  { bought: '6 sessions', days: 84, then: 'Single Session' },
  { bought: '', days: 42, then: 'Monthly Retainer' },
]

/** The program of clients who bought such a product. */
const programs = [
  ['Leadership', 'Executive Leadership'],
  ['sessions', 'Career Transition'],
  ['', 'Business Coaching'],
] as const
const firstSession =
  'We went through the notes from our calls in order.\n**Until next time:** one page about an ordinary week.'
