import { AppError } from '#app/lib/errors.ts'
import { createClient, Client, getClient, logActivity, NewClient, type ClientRecord } from '#modules/crm/index.ts'
import { publish } from '#modules/core/events.ts'
import { runHook } from '#modules/core/hooks.ts'
import { lockRow } from '#modules/core/lock-row.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { prospectConverted } from '../events.ts'
import { reassignProspect } from '../hooks.ts'
import { prospect as prospectRecord } from '../records.ts'
import { Prospect, type ProspectRow } from '../schema.ts'
import { logProspectActivity } from './activities.ts'

/**
 * Converts a prospect into a client, once: a second call returns the same client. The prospect leaves the board and its
 * stage. Throws not_found (also if the client was deleted since), validation_failed without an email, plan_limit.
 */
export async function convertProspect(ctx: WriteCtx, id: number): Promise<ClientRecord> {
  authorize(ctx, 'pipeline:prospect:write')
  const prospect = await lockRow(ctx, prospectRecord, Prospect, { coachId: ctx.coachId, id, deletedAt: null })
  if (prospect.client) return getClient(ctx, prospect.client.id)

  const now = ctx.now()
  const client = await createClient(ctx, clientFrom(prospect), { convertedAt: now, convertedFromProspectId: id })
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
