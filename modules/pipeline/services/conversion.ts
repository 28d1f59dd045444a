import { AppError } from '#app/lib/errors.ts'
import {
  assertNotMerged,
  createClient,
  Client,
  deleteClient,
  getClient,
  logActivity,
  NewClient,
  reassignClient,
  reassignProspect,
  type ClientRecord,
} from '#modules/crm/index.ts'
import { publish } from '#modules/core/events.ts'
import { runHook } from '#modules/core/hooks.ts'
import { lockRow } from '#modules/core/lock-row.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { prospectConverted, prospectRestored } from '../events.ts'
import { getProspect } from '../queries/prospects.ts'
import { prospect as prospectRecord, type ProspectRecord } from '../records.ts'
import { PipelineStage, Prospect, type ProspectRow } from '../schema.ts'
import { logProspectActivity } from './activities.ts'
import { lockStage } from './stage-locks.ts'

/**
 * Converts a prospect into a client, once: a second call returns the same client. The prospect leaves the board and its
 * stage. Throws not_found (also if the client was deleted since), validation_failed without an email, plan_limit.
 */
export async function convertProspect(ctx: WriteCtx, id: number, { hasPaid = false } = {}): Promise<ClientRecord> {
  authorize(ctx, 'pipeline:prospect:write')
  const prospect = await lockRow(ctx, prospectRecord, Prospect, { coachId: ctx.coachId, id, deletedAt: null })
  if (prospect.client) return getClient(ctx, prospect.client.id)

  const now = ctx.now()
  const client = await createClient(ctx, clientFrom(prospect), {
    origin: { convertedAt: now, convertedFromProspectId: id },
    hasPaid,
  })
  prospect.client = ctx.em.getReference(Client, [ctx.coachId, client.id], { wrapped: true })
  prospect.convertedAt = now
  prospect.stage = null
  prospect.displacedBy = []
  prospect.updatedAt = now
  await ctx.em.flush()
  await logProspectActivity(ctx, [id], {
    type: 'converted',
    description: 'Converted to a client',
    metadata: { clientId: client.id },
  })
  await logActivity(ctx, {
    type: 'prospect_converted',
    title: 'Prospect converted',
    description: client.name,
    clientId: client.id,
  })
  await runHook(ctx, reassignProspect, { prospectId: id, clientId: client.id })
  await publish(ctx, prospectConverted, { prospectId: id, clientId: client.id })
  return client
}

/** Keeps the fields that clients have too. */
function clientFrom(prospect: ProspectRow): NewClient {
  if (!prospect.email)
    throw new AppError('validation_failed', 'Add an email address first: a client needs one.', { field: 'email' })
  return NewClient.parse(prospect)
}

/**
 * Undoes a conversion: the prospect returns to its position in the stage, and the client goes to the trash, with what
 * was added to it since. Idempotent. Throws not_found for the prospect, the stage, or a client in the trash, and
 * conflict if another client was merged into it.
 */
export async function undoConversion(
  ctx: WriteCtx,
  { id, stageId }: { id: number; stageId: number },
): Promise<ProspectRecord> {
  authorize(ctx, 'pipeline:prospect:write')
  const stage = await lockStage(ctx, stageId)
  const prospect = await lockRow(ctx, prospectRecord, Prospect, { coachId: ctx.coachId, id, deletedAt: null })
  const clientId = prospect.client?.id
  if (clientId === undefined) return getProspect(ctx, id)

  await assertNotMerged(ctx, clientId)
  await deleteClient(ctx, clientId)
  ctx.em.assign(prospect, {
    client: null,
    convertedAt: null,
    stage: ctx.em.getReference(PipelineStage, [ctx.coachId, stage.id], { wrapped: true }),
    updatedAt: ctx.now(),
  })
  await ctx.em.flush()
  await logProspectActivity(ctx, [id], {
    type: 'restored',
    description: `Conversion undone, back to ${stage.name}`,
    metadata: { to: stage.id },
  })
  await runHook(ctx, reassignClient, { prospectId: id, clientId })
  await publish(ctx, prospectRestored, { prospectId: id })
  return getProspect(ctx, id)
}
