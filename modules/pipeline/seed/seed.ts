import { addDays, dateOf, noonOf } from '#app/lib/time.ts'
import { NewPurchase, productsNewestFirst, recordPurchase, type ProductRecord } from '#modules/billing/index.ts'
import { addInteraction, ClientEdit, editClient, NewInteraction } from '#modules/crm/index.ts'
import { demoMoment } from '#modules/core/demo-dates.ts'
import type { DemoPractice } from '#modules/core/manifest.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { NewProspect } from '../forms.ts'
import { prospectsNewestFirst } from '../queries/prospects.ts'
import { convertProspect } from '../services/conversion.ts'
import { addProspect, editProspect } from '../services/prospects.ts'
import { northStar, stillwater, type Person } from './people.ts'

/** The pipeline as its coach would have kept it: each added, moved and converted on their own days. Nothing where prospects are already. */
export async function seed(ctx: Ctx, { which, now }: DemoPractice): Promise<void> {
  if ((await prospectsNewestFirst(ctx, { rows: 1 })).length) return
  const products = await productsNewestFirst(ctx)
  await ctx.write(async (tx) => {
    for (const person of which === 'first' ? stillwater : northStar) await follow(tx, person, products, now)
  })
}

async function follow(tx: WriteCtx, person: Person, products: ProductRecord[], now: Date): Promise<void> {
  const { path, followUp, value, probability, product, converted, notes, ...first } = person
  const { timezone } = tx.account
  const on = (days: number): WriteCtx => {
    const at = demoMoment(now, days, timezone, person.name)
    return { ...tx, now: () => at }
  }
  const wanted = products.find(({ name }) => product && name.includes(product))
  const [[stageId, began], ...moves] = path as [Person['path'][number], ...Person['path']]

  // On the first day one knows little: what it may be worth, and how likely, comes with the talks.
  const { id } = await addProspect(
    on(began),
    NewProspect.parse({ ...first, stageId, value: value * 100, probability: Math.min(probability, 10) }),
  )
  for (const [at, [to, days]] of moves.entries()) {
    const likely = Math.round((probability * (at + 1)) / moves.length / 5) * 5
    await editProspect(on(days), id, { stageId: to, probability: likely })
  }
  const latest = on(path.at(-1)![1])
  const nextFollowUp = followUp === undefined ? null : noonOf(addDays(dateOf(now, timezone), followUp), timezone)
  await editProspect(latest, id, { probability, notes: notes ?? null, productId: wanted?.id ?? null, nextFollowUp })

  if (converted === undefined) return
  const client = await convertProspect(on(converted), id)
  // The work has begun since.
  const weeks = Math.floor(converted / 7)
  await editClient(
    on(converted % 7),
    client.id,
    ClientEdit.parse({
      program: programs.find(([part]) => product?.includes(part))?.[1],
      progress: Math.min(60, 5 + weeks * 10),
    }),
  )
  const talk = on(converted)
  const begun = {
    name: 'First session',
    content: firstSession,
    interactionDate: noonOf(dateOf(talk.now(), timezone), timezone).toISOString(),
  }
  await addInteraction(talk, client.id, NewInteraction.parse(begun))
  if (!wanted) return
  const sell = (days: number, { id: productId, price }: ProductRecord) =>
    recordPurchase(
      on(days),
      NewPurchase.parse({ clientId: client.id, productId, amount: price, paymentMethod: 'bank_transfer' }),
    )
  await sell(converted, wanted)
  const { days: lasts, then } = afterwards.find(({ bought }) => wanted.name.includes(bought))!
  const next = products.find(({ name }) => name === then)
  for (let days = converted - lasts; next && days > 1; days -= 28) await sell(days, next)
}

/** What people buy each month when this is over. */
const afterwards = [
  { bought: '12 sessions', days: 168, then: 'Single Session' },
  { bought: '6 sessions', days: 84, then: 'Single Session' },
  { bought: '', days: 42, then: 'Monthly Retainer' },
]

/** What people work on who chose such a product. */
const programs = [
  ['Leadership', 'Executive Leadership'],
  ['sessions', 'Career Transition'],
  ['', 'Business Coaching'],
] as const
const firstSession =
  'Everything that stood in the notes before, told again in their own order.\n**Until next time:** one page about an ordinary week.'
