import { LockMode } from '@mikro-orm/core'
import { AppError } from '#app/lib/errors.ts'
import { publish } from '#modules/core/events.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { interactionAdded, interactionDeleted, interactionEdited, interactionRestored } from '../events.ts'
import type { InteractionEdit, NewInteraction } from '../forms.ts'
import { getInteraction } from '../queries/interactions.ts'
import { interactionNotFound, toInteractionRecord, type InteractionRecord } from '../output.ts'
import { Client, ClientInteraction, type ClientInteractionRow } from '../schema.ts'
import { lockCurrentClient } from './clients.ts'

export type InteractionRef = { clientId: number; id: number }
/** Set by modules that log interactions. `source`: lower-case words with underscores. */
export type InteractionDetails = { source?: string; summary?: string | null; appointmentId?: number | null }

/** Throws not_found, also for a client in the trash. */
export async function addInteraction(
  ctx: WriteCtx,
  clientId: number,
  input: NewInteraction,
  details: InteractionDetails = {},
): Promise<InteractionRecord> {
  authorize(ctx, 'crm:interaction:write')
  await lockCurrentClient(ctx, clientId)
  const { source = 'manual', summary = null, appointmentId = null } = details
  const now = ctx.now()
  const client = ctx.em.getReference(Client, [ctx.coachId, clientId], { wrapped: true })
  const added = ctx.em.create(ClientInteraction, {
    coachId: ctx.coachId,
    client,
    ...input,
    source,
    summary,
    appointmentId,
    version: 1,
    createdAt: now,
    updatedAt: now,
  })
  await ctx.em.flush()
  await publish(ctx, interactionAdded, { clientId, interactionId: added.id })
  return toInteractionRecord(added)
}

/**
 * Changes the fields that are sent. Throws not_found, and conflict when the interaction was saved after
 * `expectedVersion` was loaded.
 */
export async function editInteraction(
  ctx: WriteCtx,
  ref: InteractionRef,
  input: InteractionEdit,
  expectedVersion?: number,
): Promise<InteractionRecord> {
  authorize(ctx, 'crm:interaction:write')
  const interaction = await lockInteraction(ctx, ref)
  if (expectedVersion !== undefined && expectedVersion !== interaction.version)
    throw new AppError('conflict', 'This interaction was changed in another tab.')
  const changes = pickChanges(interaction, input)
  if (!Object.keys(changes).length) return toInteractionRecord(interaction)

  ctx.em.assign(interaction, { ...changes, version: interaction.version + 1, updatedAt: ctx.now() })
  await ctx.em.flush()
  await publish(ctx, interactionEdited, { clientId: ref.clientId, interactionId: ref.id })
  return toInteractionRecord(interaction)
}

function pickChanges(
  interaction: ClientInteractionRow,
  { name, content, interactionDate }: InteractionEdit,
): InteractionEdit {
  return {
    ...(name !== undefined && name !== interaction.name ? { name } : {}),
    ...(content !== undefined && content !== (interaction.content ?? null) ? { content } : {}),
    ...(interactionDate && interactionDate.getTime() !== interaction.interactionDate.getTime()
      ? { interactionDate }
      : {}),
  }
}

/** Moves an interaction to the trash. Throws not_found, also for one in the trash. */
export async function deleteInteraction(ctx: WriteCtx, ref: InteractionRef): Promise<void> {
  authorize(ctx, 'crm:interaction:write')
  const interaction = await lockInteraction(ctx, ref)
  interaction.deletedAt = ctx.now()
  await ctx.em.flush()
  await publish(ctx, interactionDeleted, { clientId: ref.clientId, interactionId: ref.id })
}

/** Restores an interaction from the trash. Idempotent. Throws not_found, also while its client is in the trash. */
export async function restoreInteraction(ctx: WriteCtx, { clientId, id }: InteractionRef): Promise<InteractionRecord> {
  authorize(ctx, 'crm:interaction:write')
  await lockCurrentClient(ctx, clientId)
  const interaction = await ctx.em.findOne(
    ClientInteraction,
    { coachId: ctx.coachId, id, client: [ctx.coachId, clientId] },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  )
  if (!interaction) throw interactionNotFound()
  if (!interaction.deletedAt) return toInteractionRecord(interaction)

  interaction.deletedAt = null
  await ctx.em.flush()
  await publish(ctx, interactionRestored, { clientId, interactionId: id })
  return toInteractionRecord(interaction)
}

/** As `restoreInteraction`, for the trash, which doesn't know the client. */
export async function restoreInteractionById(ctx: WriteCtx, id: number): Promise<InteractionRecord> {
  const [found] = await ctx.query<{ clientId: number }>({
    name: 'crm.interaction-client',
    text: 'select client_id as "clientId" from client_interaction where id = $1',
    values: [id],
  })
  if (!found) throw interactionNotFound()
  return restoreInteraction(ctx, { clientId: found.clientId, id })
}

async function lockInteraction(ctx: WriteCtx, ref: InteractionRef): Promise<ClientInteractionRow> {
  await getInteraction(ctx, ref)
  const interaction = await ctx.em.findOne(
    ClientInteraction,
    { coachId: ctx.coachId, id: ref.id, deletedAt: null },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  )
  if (!interaction) throw interactionNotFound()
  return interaction
}

/** Removes the reference to an appointment that is permanently deleted. */
export async function unlinkAppointment(tx: Pick<WriteCtx, 'query'>, appointmentId: number): Promise<void> {
  await tx.query({
    name: 'crm.unlink-appointment',
    text: 'update client_interaction set appointment_id = null where appointment_id = $1',
    values: [appointmentId],
  })
}
