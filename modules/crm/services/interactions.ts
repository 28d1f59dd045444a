import { localDate, noonIn } from '#app/lib/time.ts'
import { publish } from '#modules/core/events.ts'
import { lockRow } from '#modules/core/lock-row.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { assertStorage } from '#tenants/storage.ts'
import { interactionCreated, interactionDeleted, interactionUpdated, interactionRestored } from '../events.ts'
import type { InteractionEdit, InteractionEditOnDate, NewInteraction, NewInteractionOnDate } from '../forms.ts'
import { getInteraction } from '../queries/interactions.ts'
import { interaction, type InteractionRecord } from '../records.ts'
import { Client, ClientInteraction, type ClientInteractionRow } from '../schema.ts'
import { lockCurrentClient } from './clients.ts'
import { assertNotReadOnly } from './plan-limit.ts'

export type InteractionRef = { clientId: number; id: number }
/** Set by modules that log interactions. `source`: lower-case words with underscores. */
export type InteractionDetails = { source?: string; summary?: string | null; appointmentId?: number | null }

/** Throws not_found, also for a client in the trash. */
export async function createInteraction(
  ctx: WriteCtx,
  clientId: number,
  input: NewInteraction,
  details: InteractionDetails = {},
): Promise<InteractionRecord> {
  authorize(ctx, 'crm:interaction:write')
  await assertStorage(ctx)
  await lockCurrentClient(ctx, clientId)
  await assertNotReadOnly(ctx, clientId)
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
  await publish(ctx, interactionCreated, { clientId, interactionId: added.id })
  return toRecord(added)
}

/**
 * Changes the fields that are sent. Throws not_found, and conflict when the interaction was saved after
 * `expectedVersion` was loaded.
 */
export async function updateInteraction(
  ctx: WriteCtx,
  ref: InteractionRef,
  input: InteractionEdit,
  expectedVersion?: number,
): Promise<InteractionRecord> {
  authorize(ctx, 'crm:interaction:write')
  await assertStorage(ctx)
  const row = await lockInteraction(ctx, ref)
  interaction.assertVersion(row, expectedVersion)
  const changes = pickChanges(row, input)
  if (!Object.keys(changes).length) return toRecord(row)
  await assertNotReadOnly(ctx, ref.clientId)

  ctx.em.assign(row, { ...changes, version: row.version + 1, updatedAt: ctx.now() })
  await ctx.em.flush()
  await publish(ctx, interactionUpdated, { clientId: ref.clientId, interactionId: ref.id })
  return toRecord(row)
}

function pickChanges(row: ClientInteractionRow, { name, content, interactionDate }: InteractionEdit): InteractionEdit {
  return {
    ...(name !== undefined && name !== row.name ? { name } : {}),
    ...(content !== undefined && content !== (row.content ?? null) ? { content } : {}),
    ...(interactionDate && interactionDate.getTime() !== row.interactionDate.getTime() ? { interactionDate } : {}),
  }
}

/** Adds the interaction of a form, at noon in the coach's time zone. */
export function createInteractionOnDate(ctx: WriteCtx, clientId: number, input: NewInteractionOnDate) {
  const interactionDate = noonIn(input.interactionDate, ctx.account.timezone)
  return createInteraction(ctx, clientId, { ...input, interactionDate })
}

/** Changes an interaction with a form. An unchanged date keeps its time of day, which the API may have set. */
export async function updateInteractionOnDate(
  ctx: WriteCtx,
  ref: InteractionRef,
  { interactionDate: date, ...input }: InteractionEditOnDate,
  expectedVersion: number,
) {
  const { timezone } = ctx.account
  const saved = await getInteraction(ctx, ref)
  const isMoved = date !== undefined && date !== localDate(saved.interactionDate, timezone)
  const change = isMoved ? { interactionDate: noonIn(date, timezone) } : {}
  return updateInteraction(ctx, ref, { ...input, ...change }, expectedVersion)
}

/** Moves an interaction to the trash. Throws not_found, also for one in the trash. */
export async function deleteInteraction(ctx: WriteCtx, ref: InteractionRef): Promise<void> {
  authorize(ctx, 'crm:interaction:write')
  const row = await lockInteraction(ctx, ref)
  row.deletedAt = ctx.now()
  await ctx.em.flush()
  await publish(ctx, interactionDeleted, { clientId: ref.clientId, interactionId: ref.id })
}

/** Restores an interaction from the trash. Idempotent. Throws not_found, also while its client is in the trash. */
export async function restoreInteraction(ctx: WriteCtx, { clientId, id }: InteractionRef): Promise<InteractionRecord> {
  authorize(ctx, 'crm:interaction:write')
  await lockCurrentClient(ctx, clientId)
  const row = await lockRow(ctx, interaction, ClientInteraction, {
    coachId: ctx.coachId,
    id,
    client: [ctx.coachId, clientId],
  })
  if (!row.deletedAt) return toRecord(row)

  row.deletedAt = null
  await ctx.em.flush()
  await publish(ctx, interactionRestored, { clientId, interactionId: id })
  return toRecord(row)
}

/** As `restoreInteraction`, for the trash, which doesn't know the client. */
export async function restoreInteractionById(ctx: WriteCtx, id: number): Promise<InteractionRecord> {
  const [found] = await ctx.query<{ clientId: number }>({
    name: 'crm.interaction-client',
    text: 'select client_id as "clientId" from client_interaction where coach_id = $1 and id = $2',
    values: [ctx.coachId, id],
  })
  if (!found) throw interaction.notFound()
  return restoreInteraction(ctx, { clientId: found.clientId, id })
}

function toRecord(row: ClientInteractionRow): InteractionRecord {
  return { ...interaction.fromEntity(row), clientId: row.client.id }
}

async function lockInteraction(ctx: WriteCtx, ref: InteractionRef): Promise<ClientInteractionRow> {
  await getInteraction(ctx, ref)
  return lockRow(ctx, interaction, ClientInteraction, { coachId: ctx.coachId, id: ref.id, deletedAt: null })
}

/**
 * Changes an interaction that a module has logged, also one in the trash. Returns false if it was permanently deleted.
 */
export async function updateLoggedInteraction(
  ctx: WriteCtx,
  id: number,
  { name, content, summary }: { name: string; content: string | null; summary: string | null },
): Promise<boolean> {
  authorize(ctx, 'crm:interaction:write')
  const changed = await ctx.query({
    name: 'crm.update-logged-interaction',
    text: `update client_interaction set name = $3, content = $4, summary = $5, version = version + 1, updated_at = $6
      where coach_id = $1 and id = $2 returning id`,
    values: [ctx.coachId, id, name, content, summary, ctx.now()],
  })
  return changed.length > 0
}

/** Moves an interaction that a module has logged to the trash, unless it was edited: then it says something else. */
export async function trashLoggedInteraction(
  ctx: WriteCtx,
  id: number,
  logged: { name: string; content: string | null },
): Promise<void> {
  const [found] = await ctx.query<{ clientId: number }>({
    name: 'crm.logged-as-it-was',
    text: `select client_id as "clientId" from client_interaction where coach_id = $1 and id = $2 and deleted_at is null
      and (version = 1 or name = $3 and content is not distinct from $4) for update`,
    values: [ctx.coachId, id, logged.name, logged.content],
  })
  if (found) await deleteInteraction(ctx, { clientId: found.clientId, id })
}

/**
 * Permanently deletes what was logged with such a source about these appointments, or about any of the client, with its
 * history, also in the trash. What is left of an erased appointment is found by its client alone.
 */
export async function eraseLoggedInteractions(
  ctx: Pick<WriteCtx, 'query' | 'coachId'>,
  { appointmentIds, clientId, sources }: { appointmentIds: number[]; clientId: number | null; sources: string[] },
): Promise<void> {
  await ctx.query({
    name: 'crm.erase-logged-interactions',
    text: `delete from client_interaction
      where coach_id = $1 and source = any($3::text[]) and (appointment_id = any($2::bigint[]) or client_id = $4)`,
    values: [ctx.coachId, appointmentIds, sources, clientId],
  })
}

/** Removes the reference to an appointment that is permanently deleted. */
export async function unlinkAppointment(
  ctx: Pick<WriteCtx, 'query' | 'coachId'>,
  appointmentId: number,
): Promise<void> {
  await ctx.query({
    name: 'crm.unlink-appointment',
    text: 'update client_interaction set appointment_id = null where coach_id = $1 and appointment_id = $2',
    values: [ctx.coachId, appointmentId],
  })
}
