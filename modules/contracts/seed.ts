import type { DemoPractice } from '#modules/core/manifest.ts'
import { listClientOptions } from '#modules/crm/index.ts'
import { listAppointmentTypes } from '#modules/scheduling/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { NewContract } from './forms.ts'
import { listTemplates } from './queries/templates.ts'
import { listProductChoices } from './requirements-loader.server.ts'
import { createContract } from './services/contracts.ts'
import { requireContract } from './services/requirements.ts'
import { sendContract } from './services/sending.ts'
import { signAsClient, signAsCoach, viewContract } from './services/signing.ts'
import { createTemplate } from './services/templates.ts'
import { getCoachName } from './services/trail.ts'
import { starters } from './starters.ts'

const phone = {
  userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/605.1',
  address: '203.0.113.24',
}
const laptop = { userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 15_0) Firefox/140.0', address: '203.0.113.9' }
/** A pen that goes up and down. */
const drawing = `M20 120${Array.from(
  { length: 36 },
  (_, index) => `L${30 + index * 14} ${Math.round(100 + 60 * Math.sin(index * 1.1) * Math.cos(index / 9))}`,
).join('')}`

/** Fills the demo practice, once. */
export async function seed(ctx: Ctx, { which }: DemoPractice): Promise<void> {
  if ((await listTemplates(ctx, { rows: 1 })).length) return
  const agreement = await ctx.write((tx) => createTemplate(tx, starters.agreement))
  const priced = which === 'first' ? await ctx.write((tx) => createTemplate(tx, starters.package)) : null
  const [type] = await listAppointmentTypes(ctx, { rows: 1 })
  if (type)
    await ctx.write((tx) => requireContract(tx, { appointmentTypeId: type.id, contractTemplateId: agreement.id }))
  const [product] = (await listProductChoices(ctx)) ?? []
  if (product) {
    const requirement = { productId: Number(product.value), contractTemplateId: (priced ?? agreement).id }
    await ctx.write((tx) => requireContract(tx, requirement))
  }
  const [first, second, third] = await listClientOptions(ctx, { rows: 3 })
  if (!first) return
  const add = (clientId: number, fields: object) =>
    ctx.write((tx) => createContract(tx, NewContract.parse({ clientId, contractTemplateId: agreement.id, ...fields })))
  const send = (id: number) => ctx.write((tx) => sendContract(tx, id, { device: laptop }))

  const signed = await send((await add(first.id, {})).id)
  const { id, textSha256: hash } = signed
  await ctx.write(async (tx) => {
    await viewContract(tx, id, { device: phone })
    await signAsClient(tx, id, { name: first.name, drawing, hash: hash! }, { device: phone })
    await signAsCoach(tx, id, { name: getCoachName(tx), drawing: null, hash: hash! }, laptop)
  })
  const open = await send((await add(first.id, { title: 'Consent to recordings', body: starters.recordings.body })).id)
  if (second) {
    await add(second.id, priced ? { contractTemplateId: priced.id, product: 'Ten sessions', price: 150_000 } : {})
  }
  if (!third || which !== 'first') return
  const waiting = await send((await add(third.id, {})).id)
  await ctx.write(async (tx) => {
    await viewContract(tx, waiting.id, { device: phone })
    await signAsClient(
      tx,
      waiting.id,
      { name: third.name, drawing: null, hash: waiting.textSha256! },
      { device: phone },
    )
  })
  await ctx.write((tx) => viewContract(tx, open.id, { device: phone }))
}
