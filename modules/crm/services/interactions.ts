import { LockMode } from '@mikro-orm/core'
import { AppError } from '#app/lib/errors.ts'
import { record } from '#modules/core/events.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { interactionAdded, interactionDeleted, interactionEdited, interactionRestored } from '../events.ts'
import type { InteractionEdit, NewInteraction } from '../forms.ts'
import { interactionOf } from '../queries/interactions.ts'
import { interactionNotFound, interactionRecord, type InteractionRecord } from '../output.ts'
import { Client, ClientInteraction, type ClientInteractionRow } from '../schema.ts'
import { holdCurrentClient } from './clients.ts'

/** Whose interaction it is, and which. */
export type OfClient = { clientId: number; id: number }
/** What another module that notes an interaction knows of it. `source` in lower-case words with underscores. */
export type Noted = { source?: string; summary?: string | null; appointmentId?: number | null }

/** Adds an interaction to a client that isn't in the trash. Throws not_found. */
export async function addInteraction(
  ctx: WriteCtx,
  clientId: number,
  input: NewInteraction,
  noted: Noted = {},
): Promise<InteractionRecord> {
  authorize(ctx, 'crm:interaction:write')
  await holdCurrentClient(ctx, clientId)
  const { source = 'manual', summary = null, appointmentId = null } = noted
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
  await record(ctx, interactionAdded, { clientId, interactionId: added.id })
  return interactionRecord(added)
}

/**
 * Changes the fields that are sent. `seen` is the version that the screen showed: throws conflict when somebody saved
 * since. Throws not_found.
 */
export async function editInteraction(
  ctx: WriteCtx,
  of: OfClient,
  input: InteractionEdit,
  seen?: number,
): Promise<InteractionRecord> {
  authorize(ctx, 'crm:interaction:write')
  const interaction = await held(ctx, of)
  if (seen !== undefined && seen !== interaction.version)
    throw new AppError('conflict', 'This interaction was changed in another tab meanwhile.')
  const changes = changed(interaction, input)
  if (!Object.keys(changes).length) return interactionRecord(interaction)

  ctx.em.assign(interaction, { ...changes, version: interaction.version + 1, updatedAt: ctx.now() })
  await ctx.em.flush()
  await record(ctx, interactionEdited, { clientId: of.clientId, interactionId: of.id })
  return interactionRecord(interaction)
}

function changed(
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

/** Moves an interaction to the trash. Throws not_found, also the second time. */
export async function deleteInteraction(ctx: WriteCtx, of: OfClient): Promise<void> {
  authorize(ctx, 'crm:interaction:write')
  const interaction = await held(ctx, of)
  interaction.deletedAt = ctx.now()
  await ctx.em.flush()
  await record(ctx, interactionDeleted, { clientId: of.clientId, interactionId: of.id })
}

/** Takes an interaction out of the trash; one that isn't in it stays as it is. Throws not_found, also while its client is in the trash. */
export async function restoreInteraction(ctx: WriteCtx, { clientId, id }: OfClient): Promise<InteractionRecord> {
  authorize(ctx, 'crm:interaction:write')
  await holdCurrentClient(ctx, clientId)
  const interaction = await ctx.em.findOne(
    ClientInteraction,
    { coachId: ctx.coachId, id, client: [ctx.coachId, clientId] },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  )
  if (!interaction) throw interactionNotFound()
  if (!interaction.deletedAt) return interactionRecord(interaction)

  interaction.deletedAt = null
  await ctx.em.flush()
  await record(ctx, interactionRestored, { clientId, interactionId: id })
  return interactionRecord(interaction)
}

/** As `restoreInteraction`, for the trash, which knows the interaction alone. */
export async function restoreInteractionAnywhere(ctx: WriteCtx, id: number): Promise<InteractionRecord> {
  const [found] = await ctx.rows<{ clientId: number }>({
    name: 'crm.interaction-client',
    text: 'select client_id as "clientId" from client_interaction where id = $1',
    values: [id],
  })
  if (!found) throw interactionNotFound()
  return restoreInteraction(ctx, { clientId: found.clientId, id })
}

/** The interaction, held until the transaction ends. */
async function held(ctx: WriteCtx, of: OfClient): Promise<ClientInteractionRow> {
  await interactionOf(ctx, of)
  const interaction = await ctx.em.findOne(
    ClientInteraction,
    { coachId: ctx.coachId, id: of.id, deletedAt: null },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  )
  if (!interaction) throw interactionNotFound()
  return interaction
}

/** Takes the session out of what was noted about it: it was erased for good. */
export async function forgetAppointment({ rows }: Pick<WriteCtx, 'rows'>, appointmentId: number): Promise<void> {
  await rows({
    name: 'crm.forget-appointment',
    text: 'update client_interaction set appointment_id = null where appointment_id = $1',
    values: [appointmentId],
  })
}
