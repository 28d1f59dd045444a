import { AppError } from '#app/lib/errors.ts'
import { publish } from '#modules/core/events.ts'
import { lockRow } from '#modules/core/lock-row.ts'
import { assertNotReadOnly, lockCurrentClient } from '#modules/crm/index.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { assertStorage } from '#tenants/storage.ts'
import { contractCreated, contractDeleted, contractRestored, contractUpdated } from '../events.ts'
import type { ContractSource } from '../fields.ts'
import type { ContractEdit, NewContract } from '../forms.ts'
import { getContract } from '../queries/contracts.ts'
import { getTemplate } from '../queries/templates.ts'
import { contract, type ContractRecord } from '../records.ts'
import { Contract, type ContractRow } from '../schema.ts'

const permission = 'contracts:contract:write'

/**
 * Adds a draft, from a template or with a text of its own. Throws not_found, plan_limit for a read-only client too, and
 * validation_failed without a title or a text.
 */
export async function createContract(ctx: WriteCtx, input: NewContract): Promise<ContractRecord> {
  authorize(ctx, permission)
  const { clientId, contractTemplateId, product, price, expiresInDays } = input
  await lockCurrentClient(ctx, clientId)
  await assertNotReadOnly(ctx, clientId)
  const base = contractTemplateId === undefined ? null : await getTemplate(ctx, contractTemplateId)
  const title = input.title || base?.name
  const body = input.body ?? base?.body
  if (!title) throw new AppError('validation_failed', 'Title is required', { field: 'title' })
  if (!body) throw new AppError('validation_failed', 'Write the text of the contract', { field: 'body' })
  const id = await addDraft(ctx, {
    clientId,
    contractTemplateId: contractTemplateId ?? null,
    title,
    body,
    product,
    price,
    expiresInDays,
    source: 'coach',
    appointmentId: null,
  })
  return getContract(ctx, id)
}

export type Draft = {
  clientId: number
  contractTemplateId: number | null
  title: string
  body: string
  product: string | null
  price: number | null
  expiresInDays: number
  source: ContractSource
  appointmentId: number | null
}

/** Returns the id. Throws plan_limit. */
export async function addDraft(ctx: WriteCtx, draft: Draft): Promise<number> {
  await assertStorage(ctx)
  const { clientId, contractTemplateId, appointmentId, ...fields } = draft
  const now = ctx.now()
  const [row] = await ctx.query<{ id: number }>({
    name: 'contracts.insert',
    text: `insert into contract (coach_id, client_id, template_id, appointment_id, source, state, title, body, product,
        price, expires_in_days, created_at, updated_at)
      values ($1, $2, $3, $4, $5, 'draft', $6, $7, $8, $9, $10, $11, $11) returning id`,
    values: [
      ctx.coachId,
      clientId,
      contractTemplateId,
      appointmentId,
      fields.source,
      fields.title,
      fields.body,
      fields.product,
      fields.price,
      fields.expiresInDays,
      now,
    ],
  })
  await publish(ctx, contractCreated, { contractId: row!.id })
  return row!.id
}

/**
 * Changes only the fields of a draft that are sent. Throws not_found, plan_limit, and conflict if it was saved after
 * `expectedVersion` or was sent.
 */
export async function updateContract(
  ctx: WriteCtx,
  id: number,
  input: ContractEdit,
  expectedVersion?: number,
): Promise<ContractRecord> {
  authorize(ctx, permission)
  await assertStorage(ctx)
  const row = await lockDraft(ctx, id)
  contract.assertVersion(row, expectedVersion)
  if (Object.keys(input).length) {
    ctx.em.assign(row, { ...input, version: row.version + 1, updatedAt: ctx.now() })
    await ctx.em.flush()
    await publish(ctx, contractUpdated, { contractId: id })
  }
  return getContract(ctx, id)
}

/** Throws not_found, and conflict for one that was sent. */
export async function lockDraft(ctx: WriteCtx, id: number): Promise<ContractRow> {
  await getContract(ctx, id)
  const row = await lockRow(ctx, contract, Contract, { coachId: ctx.coachId, id, deletedAt: null })
  if (row.state !== 'draft') throw wasSent()
  return row
}

const wasSent = (): AppError =>
  new AppError('conflict', 'This contract was sent and can’t be changed. Void it and send a new version instead.', {
    subject: 'sent',
  })

/** A draft with the text of a contract that was sent, for its client. Throws not_found, plan_limit, conflict. */
export async function copyContract(ctx: WriteCtx, id: number): Promise<ContractRecord> {
  authorize(ctx, permission)
  const { clientId, contractTemplateId, title, body, product, price, expiresInDays } = await getContract(ctx, id)
  if (clientId === null) throw new AppError('conflict', 'The client of this contract was deleted.')
  await lockCurrentClient(ctx, clientId)
  await assertNotReadOnly(ctx, clientId)
  const draft = { clientId, contractTemplateId, title, body, product, price, expiresInDays }
  return getContract(ctx, await addDraft(ctx, { ...draft, source: 'coach', appointmentId: null }))
}

/** Moves a draft to the trash. Throws not_found, also the second time, and conflict for one that was sent. */
export async function deleteContract(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, permission)
  const row = await lockDraft(ctx, id)
  row.deletedAt = ctx.now()
  await ctx.em.flush()
  await publish(ctx, contractDeleted, { contractId: id })
}

/** Takes a draft out of the trash. Does nothing if it isn't there. Throws not_found. */
export async function restoreContract(ctx: WriteCtx, id: number): Promise<ContractRecord> {
  authorize(ctx, permission)
  const trashed = { coachId: ctx.coachId, id, deletedAt: { $ne: null } }
  if (await ctx.em.nativeUpdate(Contract, trashed, { deletedAt: null }))
    await publish(ctx, contractRestored, { contractId: id })
  return getContract(ctx, id)
}
