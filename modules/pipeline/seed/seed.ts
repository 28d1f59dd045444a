import { dateOf, noonOf } from '#app/lib/time.ts'
import { NewPurchase, productsNewestFirst, recordPurchase, type ProductRecord } from '#modules/billing/index.ts'
import type { DemoPractice } from '#modules/define.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { NewProspect } from '../forms.ts'
import { prospectsNewestFirst } from '../queries/prospects.ts'
import { convertProspect } from '../services/conversion.ts'
import { addProspect, editProspect } from '../services/prospects.ts'
import { northStar, stillwater, type Person } from './people.ts'

const day = 86_400_000

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
  const on = (days: number): WriteCtx => ({ ...tx, now: () => new Date(now.getTime() - days * day - minutesOf(person)) })
  const wanted = products.find(({ name }) => product && name.includes(product))
  const [[stageId, began], ...moves] = path as [Person['path'][number], ...Person['path']]

  // On the first day one knows little: what it may be worth, and how likely, comes with the talks.
  const { id } = await addProspect(on(began), NewProspect.parse({ ...first, stageId, value: value * 100, probability: Math.min(probability, 10) }))
  for (const [at, [to, days]] of moves.entries()) {
    const likely = Math.round((probability * (at + 1)) / moves.length / 5) * 5
    await editProspect(on(days), id, { stageId: to, probability: likely })
  }
  const latest = on(path.at(-1)![1])
  const nextFollowUp = followUp === undefined ? null : noonOf(dateOf(new Date(now.getTime() + followUp * day), tx.account.timezone), tx.account.timezone)
  await editProspect(latest, id, { probability, notes: notes ?? null, productId: wanted?.id ?? null, nextFollowUp })

  if (converted === undefined) return
  const client = await convertProspect(on(converted), id)
  if (!wanted) return
  await recordPurchase(on(converted), NewPurchase.parse({ clientId: client.id, productId: wanted.id, amount: wanted.price, paymentMethod: 'bank_transfer' }))
}

/** Nobody is added on the stroke of the hour. */
const minutesOf = ({ name }: Person): number => ([...name].reduce((sum, sign) => sum + sign.codePointAt(0)!, 0) % 300) * 60_000
