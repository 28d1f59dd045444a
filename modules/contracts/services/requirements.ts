import { AppError, ignoreNotFound } from '#app/lib/errors.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { runHook } from '#modules/core/hooks.ts'
import {
  assertNotReadOnly,
  assertProduct,
  findMerge,
  lockClient,
  type Conversion,
  type ProductSale,
} from '#modules/crm/index.ts'
import { getAppointment, getAppointmentType, sessionIdsOfClient } from '#modules/scheduling/index.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import type { Platform } from '#tenants/platform.ts'
import type { NewRequirement } from '../forms.ts'
import { contractFields } from '../fields.ts'
import { listPlaceholders } from '../placeholders.ts'
import { getTemplate, listRequirements } from '../queries/templates.ts'
import type { RequirementRecord } from '../records.ts'
import { addDraft, type Draft } from './contracts.ts'
import { enqueueLink, freeze } from './sending.ts'

/** Whether a contract needs a product or a price, which a purchase has and a booking doesn't. */
const needsProduct = (body: string): boolean =>
  listPlaceholders(body).some((name) => name === 'product' || name === 'price')

/**
 * Sends a contract with new sessions of an appointment type, or with purchases of a product. Idempotent. Throws not_found,
 * and validation_failed for a template that names a product or a price, which sessions don't have.
 */
export async function requireContract(
  ctx: WriteCtx,
  { appointmentTypeId, productId, contractTemplateId }: NewRequirement,
): Promise<RequirementRecord> {
  authorize(ctx, 'contracts:template:write')
  if (appointmentTypeId !== undefined) await getAppointmentType(ctx, appointmentTypeId)
  if (productId !== undefined && !(await runHook(ctx, assertProduct, { productId })))
    throw new AppError('not_found', 'Product not found')
  const { body } = await getTemplate(ctx, contractTemplateId)
  if (productId === undefined && needsProduct(body))
    throw new AppError('validation_failed', 'This template names a product or a price, which a booking doesn’t have.', {
      field: 'contractTemplateId',
    })
  const find = async () =>
    (await listRequirements(ctx, { typeId: appointmentTypeId, productId, rows: maxRequirements })).find(
      (one) => one.contractTemplateId === contractTemplateId,
    )
  const known = await find()
  if (known) return known
  await insertRow(ctx, {
    table: 'contract_requirement',
    name: 'contracts.insert-requirement',
    row: {
      appointmentTypeId: appointmentTypeId ?? null,
      productId: productId ?? null,
      templateId: contractTemplateId,
      createdAt: ctx.now(),
    },
  })
  return (await find())!
}

/** The most contracts that are read for one appointment type or product. */
const maxRequirements = 200

/** Throws not_found. */
export async function removeRequirement(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'contracts:template:write')
  const deleted = await ctx.query({
    name: 'contracts.delete-requirement',
    text: 'delete from contract_requirement where coach_id = $1 and id = $2 returning id',
    values: [ctx.coachId, id],
  })
  if (!deleted.length) throw new AppError('not_found', 'Requirement not found')
}

/**
 * Sends what the type of a session that is still to come requires, unless the client has the contract already, open or
 * completed, or its draft that an earlier booking made. A prospect gets it as a client. Idempotent. Throws an error that
 * the queue retries while the plan's storage is full.
 */
export async function sendRequired(ctx: WriteCtx, { appointmentId }: { appointmentId: number }): Promise<void> {
  const session = await getAppointment(ctx, appointmentId).catch(ignoreNotFound)
  if (!session?.appointmentTypeId || session.status === 'cancelled' || session.clientId === null) return
  if (new Date(session.endTime) < ctx.now() || (await isRefused(ctx, session.clientId))) return
  // So the second one of two bookings at the same time sees the contract of the first.
  await lockClient(ctx, session.clientId)
  for (const { contractTemplateId } of await listRequirements(ctx, { typeId: session.appointmentTypeId }))
    if (!(await hasContract(ctx, { clientId: session.clientId, contractTemplateId, appointmentId })))
      await sendFromTemplate(ctx, {
        clientId: session.clientId,
        contractTemplateId,
        appointmentId,
        source: 'booking',
        product: null,
        price: null,
      }).catch(retryLater)
}

export const saleQueue = 'contracts.of-sold'

/** After the commit, so that no contract keeps a purchase from being booked. */
export async function enqueueOfSold(ctx: WriteCtx, sale: ProductSale): Promise<void> {
  const required = await ctx.query({
    name: 'contracts.requires-with-product',
    text: 'select 1 from contract_requirement where coach_id = $1 and product_id = $2 limit 1',
    values: [ctx.coachId, sale.productId],
  })
  if (required.length) await ctx.enqueue(saleQueue, { ...sale, coachId: ctx.coachId })
}

export async function sendRequiredOfSold(
  platform: Platform,
  { coachId, ...sale }: ProductSale & { coachId: number },
): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `contracts-${sale.clientId}`)
  await ctx?.write((tx) => sendWithProduct(tx, sale))
}

/**
 * Sends what a product requires that a client got, unless the client has the contract already, open or completed, or its
 * draft: one that names a product or a price, for this product and price. Idempotent. Throws as `sendRequired`.
 */
export async function sendWithProduct(
  ctx: WriteCtx,
  { clientId: buyerId, productId, productName: product, price }: ProductSale,
): Promise<void> {
  let clientId = buyerId
  for (let merge; (merge = await findMerge(ctx, clientId)); ) clientId = merge.keptId
  if (await isRefused(ctx, clientId)) return
  // So the second one of two purchases at the same time sees the contract of the first.
  await lockClient(ctx, clientId)
  for (const { contractTemplateId } of await listRequirements(ctx, { productId, rows: maxRequirements })) {
    const { body } = await getTemplate(ctx, contractTemplateId)
    const terms = needsProduct(body) ? { product, price } : null
    if (!(await hasSoldContract(ctx, { clientId, contractTemplateId, terms })))
      await sendFromTemplate(ctx, {
        clientId,
        contractTemplateId,
        appointmentId: null,
        source: 'purchase',
        product,
        price,
      }).catch(retryLater)
  }
}

/** `terms`: what the contract must be about; null for any. `price`: cents. */
async function hasSoldContract(
  ctx: WriteCtx,
  {
    clientId,
    contractTemplateId,
    terms,
  }: { clientId: number; contractTemplateId: number; terms: { product: string; price: number } | null },
): Promise<boolean> {
  const known = await ctx.query({
    name: 'contracts.has-sold',
    text: `select 1 from contract where coach_id = $1 and template_id = $2 and client_id = $3 and deleted_at is null
        and (state = 'completed' or state = 'open' and expires_at > $4 or state = 'draft' and source <> 'coach')
        and ($5::text is null or product = $5 and price = $6::bigint)
      limit 1`,
    values: [ctx.coachId, contractTemplateId, clientId, ctx.now(), terms?.product ?? null, terms?.price ?? null],
  })
  return known.length > 0
}

/** The queue doesn't retry what was rejected, and the contract would be lost. */
function retryLater(error: unknown): never {
  if (error instanceof AppError && error.code === 'plan_limit')
    throw new Error('There is no room for a required contract.', { cause: error })
  throw error
}

type Required = { clientId: number; contractTemplateId: number; appointmentId: number }

async function hasContract(ctx: WriteCtx, { clientId, contractTemplateId, appointmentId }: Required): Promise<boolean> {
  const known = await ctx.query({
    name: 'contracts.has-required',
    text: `select 1 from contract where coach_id = $1 and template_id = $2 and (appointment_id = $4
        or client_id = $3 and deleted_at is null and (state = 'completed' or state = 'open' and expires_at > $5
          or state = 'draft' and source <> 'coach'))
      limit 1`,
    values: [ctx.coachId, contractTemplateId, clientId, appointmentId, ctx.now()],
  })
  return known.length > 0
}

/**
 * A template that a session requires and that names a product or a price since then makes a draft, which the coach
 * completes.
 */
async function sendFromTemplate(
  ctx: WriteCtx,
  { contractTemplateId, ...draft }: Omit<Draft, 'title' | 'body' | 'expiresInDays'> & { contractTemplateId: number },
): Promise<void> {
  const { name, body } = await getTemplate(ctx, contractTemplateId)
  const id = await addDraft(ctx, {
    ...draft,
    contractTemplateId,
    title: name,
    body,
    expiresInDays: contractFields.expiresInDays.default,
  })
  if (draft.product === null && needsProduct(body)) return
  const isEmailed = ctx.account.emailVerified
  await freeze(ctx, id, { isEmailed })
  if (isEmailed) await enqueueLink(ctx, id)
}

const isRefused = (ctx: WriteCtx, clientId: number): Promise<boolean> =>
  assertNotReadOnly(ctx, clientId).then(
    () => false,
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'plan_limit') return true
      throw error
    },
  )

export const conversionQueue = 'contracts.of-converted'

/** After the commit: the sessions of the prospect are the client's then. */
export async function enqueueOfConverted(ctx: WriteCtx, { clientId }: Conversion): Promise<void> {
  await ctx.enqueue(conversionQueue, { coachId: ctx.coachId, clientId })
}

/** Sends what the sessions require that a prospect booked who is a client now. */
export async function sendRequiredOfConverted(
  platform: Platform,
  { coachId, clientId }: { coachId: number; clientId: number },
): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `contracts-${clientId}`)
  if (!ctx) return
  const sessions = await ctx.query<{ id: number }>({
    name: 'contracts.sessions-of-client',
    text: sessionIdsOfClient('$2'),
    values: [coachId, clientId],
  })
  for (const { id } of sessions) await ctx.write((tx) => sendRequired(tx, { appointmentId: id }))
}
