import { AppError, ignoreNotFound } from '#app/lib/errors.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { assertNotReadOnly, lockClient, type Conversion } from '#modules/crm/index.ts'
import { getAppointment, getAppointmentType, sessionIdsOfClient } from '#modules/scheduling/index.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import type { Platform } from '#tenants/platform.ts'
import type { NewRequirement } from '../forms.ts'
import { contractFields } from '../fields.ts'
import { listPlaceholders } from '../placeholders.ts'
import { getTemplate, listRequirements } from '../queries/templates.ts'
import type { RequirementRecord } from '../records.ts'
import { addDraft } from './contracts.ts'
import { enqueueLink, freeze } from './sending.ts'

/** Whether a contract needs more than what a booking says. */
const needsMore = (body: string): boolean =>
  listPlaceholders(body).some((name) => name === 'product' || name === 'price')

/**
 * Sends a contract with new sessions of an appointment type. Idempotent. Throws not_found, and validation_failed for a
 * template that names a product or a price.
 */
export async function requireContract(
  ctx: WriteCtx,
  { appointmentTypeId, contractTemplateId }: NewRequirement,
): Promise<RequirementRecord> {
  authorize(ctx, 'contracts:template:write')
  await getAppointmentType(ctx, appointmentTypeId)
  const { body } = await getTemplate(ctx, contractTemplateId)
  if (needsMore(body))
    throw new AppError('validation_failed', 'This template names a product or a price, which a booking doesn’t have.', {
      field: 'contractTemplateId',
    })
  const find = async () =>
    (await listRequirements(ctx, { typeId: appointmentTypeId })).find(
      (one) => one.contractTemplateId === contractTemplateId,
    )
  const known = await find()
  if (known) return known
  await insertRow(ctx, {
    table: 'contract_requirement',
    name: 'contracts.insert-requirement',
    row: { appointmentTypeId, templateId: contractTemplateId, createdAt: ctx.now() },
  })
  return (await find())!
}

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
      await sendFromTemplate(ctx, { clientId: session.clientId, contractTemplateId, appointmentId }).catch(retryLater)
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
          or state = 'draft' and source = 'booking'))
      limit 1`,
    values: [ctx.coachId, contractTemplateId, clientId, appointmentId, ctx.now()],
  })
  return known.length > 0
}

/** A template that names a product or a price since it was required makes a draft, which the coach completes. */
async function sendFromTemplate(
  ctx: WriteCtx,
  { clientId, contractTemplateId, appointmentId }: Required,
): Promise<void> {
  const { name, body } = await getTemplate(ctx, contractTemplateId)
  const id = await addDraft(ctx, {
    clientId,
    contractTemplateId,
    appointmentId,
    title: name,
    body,
    product: null,
    price: null,
    expiresInDays: contractFields.expiresInDays.default,
    source: 'booking',
  })
  if (needsMore(body)) return
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
