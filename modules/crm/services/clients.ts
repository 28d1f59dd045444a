import { LockMode } from '@mikro-orm/core'
import { AppError } from '#app/lib/errors.ts'
import { include, record } from '#modules/core/events.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import {
  clientAdded,
  clientArchived,
  clientDeleted,
  clientEdited,
  clientRestored,
  clientUnarchived,
  productChosen,
  productWanted,
} from '../events.ts'
import { clientFields, type ClientEdit, type ClientField, type ClientStatus, type NewClient } from '../forms.ts'
import { clientNotFound, clientRecord, clientRecordSql, columnOf, type ClientRecord } from '../output.ts'
import { Client, type ClientRow } from '../schema.ts'
import { logActivity } from './activities.ts'
import { needRoom } from './plan-limit.ts'

/** Where a client came from, when it was a prospect. */
export type Origin = { convertedAt: Date; convertedFromProspectId: number }

/** Adds a client. Throws plan_limit, and not_found for a product that isn't there. */
export async function addClient(ctx: WriteCtx, input: NewClient, origin?: Origin): Promise<ClientRecord> {
  authorize(ctx, 'crm:client:write')
  // A product that isn't there is told before a plan that is full.
  if (input.productId !== null && !(await include(ctx, productWanted, { productId: input.productId }))) {
    // Nobody sells anything here, so there is no such product.
    throw new AppError('not_found', 'Product not found')
  }
  await needRoom(ctx)
  const client = await insertClient(ctx, input, origin)
  await record(ctx, clientAdded, { clientId: client.id })
  if (input.productId !== null) await include(ctx, productChosen, { clientId: client.id, productId: input.productId })
  return client
}

/** The client and its activity in one statement: as entities this call took three times as long. */
async function insertClient(ctx: WriteCtx, input: NewClient, origin?: Origin): Promise<ClientRecord> {
  const [client] = await ctx.rows<ClientRecord>({
    name: 'crm.add-client',
    text: insertSql,
    values: [
      ctx.coachId,
      ctx.now(),
      origin?.convertedAt ?? null,
      origin?.convertedFromProspectId ?? null,
      ...clientFields.map((field) => input[field]),
    ],
  })
  return client!
}

const insertSql = `with added as (
    insert into client (coach_id, created_at, updated_at, converted_at, converted_from_prospect_id, ${clientFields.map((field) => columnOf[field]).join(', ')})
    values ($1, $2, $2, $3, $4, ${clientFields.map((_, at) => `$${at + 5}`).join(', ')}) returning *
  ), noted as (
    insert into activity (coach_id, client_id, type, title, description, created_at)
    select coach_id, id, 'client_added', 'Client added', name, created_at from added
  ) select ${clientRecordSql} from added`

/**
 * Changes the fields that are sent. `seen` is the version that the screen showed: throws conflict when somebody saved
 * since. Throws not_found.
 */
export async function editClient(ctx: WriteCtx, id: number, input: ClientEdit, seen?: number): Promise<ClientRecord> {
  authorize(ctx, 'crm:client:write')
  const client = await held(ctx, id)
  if (seen !== undefined && seen !== client.version)
    throw new AppError('conflict', 'This client was changed in another tab meanwhile.')
  const fields = changed(client, input)
  if (!fields.length) return clientRecord(client)

  ctx.em.assign(client, {
    ...Object.fromEntries(fields.map((field) => [field, input[field]])),
    version: client.version + 1,
    updatedAt: ctx.now(),
  })
  await ctx.em.flush()
  if (input.status && fields.includes('status')) await logActivity(ctx, statusChanged(client, input.status))
  await record(ctx, clientEdited, { clientId: id, fields })
  return clientRecord(client)
}

function changed(client: ClientRow, input: ClientEdit): ClientField[] {
  return clientFields.filter((field) => input[field] !== undefined && input[field] !== (client[field] ?? null))
}

const nowIs: Record<ClientStatus, string> = {
  active: 'is active',
  inactive: 'is inactive',
  completed: 'completed the work',
  pending: 'is pending',
}

function statusChanged({ id, name }: ClientRow, status: ClientStatus) {
  return {
    type: 'client_status_changed',
    title: 'Status changed',
    description: `${name} ${nowIs[status]}`,
    clientId: id,
  }
}

/** Puts a client away: out of the list and of the plan's count. Archived already: the same answer. Throws not_found. */
export async function archiveClient(ctx: WriteCtx, id: number): Promise<ClientRecord> {
  authorize(ctx, 'crm:client:write')
  const client = await held(ctx, id)
  if (client.archivedAt) return clientRecord(client)

  client.archivedAt = ctx.now()
  await ctx.em.flush()
  await logActivity(ctx, { type: 'client_archived', title: 'Client archived', description: client.name, clientId: id })
  await record(ctx, clientArchived, { clientId: id })
  return clientRecord(client)
}

/** Brings an archived client back. Throws not_found, plan_limit. */
export async function unarchiveClient(ctx: WriteCtx, id: number): Promise<ClientRecord> {
  authorize(ctx, 'crm:client:write')
  const client = await held(ctx, id)
  if (!client.archivedAt) return clientRecord(client)

  await needRoom(ctx)
  client.archivedAt = null
  await ctx.em.flush()
  await logActivity(ctx, {
    type: 'client_unarchived',
    title: 'Client back from the archive',
    description: client.name,
    clientId: id,
  })
  await record(ctx, clientUnarchived, { clientId: id })
  return clientRecord(client)
}

/** Hides a client and what belongs to it, and keeps them in the trash for 30 days. Throws not_found, also the second time. */
export async function deleteClient(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'crm:client:write')
  const deleted = await ctx.em.nativeUpdate(
    Client,
    { coachId: ctx.coachId, id, deletedAt: null },
    { deletedAt: ctx.now() },
  )
  if (!deleted) throw clientNotFound()
  await record(ctx, clientDeleted, { clientId: id })
}

/** Takes a client out of the trash; one that isn't in it stays as it is. Throws not_found, plan_limit. */
export async function restoreClient(ctx: WriteCtx, id: number): Promise<ClientRecord> {
  authorize(ctx, 'crm:client:write')
  const client = await ctx.em.findOne(Client, { coachId: ctx.coachId, id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!client) throw clientNotFound()
  if (!client.deletedAt) return clientRecord(client)

  if (!client.archivedAt) await needRoom(ctx)
  client.deletedAt = null
  await ctx.em.flush()
  await record(ctx, clientRestored, { clientId: id })
  return clientRecord(client)
}

/** Nobody deletes the client until the transaction ends. Throws not_found, also for one in the trash. */
export async function holdCurrentClient(ctx: WriteCtx, id: number): Promise<void> {
  const [client] = await ctx.rows({
    name: 'crm.hold-client',
    text: 'select id from client where id = $1 and deleted_at is null for share',
    values: [id],
  })
  if (!client) throw clientNotFound()
}

/** The client, held until the transaction ends. */
async function held(ctx: WriteCtx, id: number): Promise<ClientRow> {
  const client = await ctx.em.findOne(
    Client,
    { coachId: ctx.coachId, id, deletedAt: null },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  )
  if (!client) throw clientNotFound()
  return client
}
