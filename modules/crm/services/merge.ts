import { AppError } from '#app/lib/errors.ts'
import { maxTags, withoutRepeats } from '#app/lib/tags.ts'
import { publish } from '#modules/core/events.ts'
import { runHook } from '#modules/core/hooks.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import type { EraseCtx } from '#modules/core/manifest.ts'
import { eraseWith } from '#modules/core/trash.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { isLapsed } from '#tenants/accounts/plans.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { forEachCoach } from '#tenants/for-each-coach.ts'
import type { Platform } from '#tenants/platform.ts'
import { clientDeleted, clientsMerged, clientUpdated } from '../events.ts'
import { clientFieldNames, clientFields, type ClientField } from '../fields.ts'
import { assertMerge, assertMergeUndo, recordsMoved } from '../hooks.ts'
import { client } from '../records.ts'
import { Client, type ClientRow, type MergedField, type MovedRecords } from '../schema.ts'
import { logActivity } from './activities.ts'
import { listLastIds, moveRecords, moveRecordsBack } from './merge-records.ts'
import { assertNotReadOnly } from './plan-limit.ts'

/** The value that the client who is kept gets: their own, the other one's, or both, of a text or tags. */
export type FieldSource = 'kept' | 'merged' | 'both'
/** Fields that aren't named keep their value. */
export type FieldSources = { [N in ClientField]?: FieldSource | undefined }

export type NewMerge = {
  keptId: number
  mergedId: number
  sources?: FieldSources
  /** As the form has shown them. */
  keptVersion?: number
  mergedVersion?: number
}

const maxText = 50_000

/**
 * Merges a client into another one, who gets all records; the merged one goes to the trash, and restoring it undoes
 * the merge. A second call returns the same. Throws not_found, plan_limit, validation_failed, and conflict if one of
 * them was changed since it was shown, or a module can't bring their records together. Lock order: the clients by id,
 * then their records.
 */
export async function mergeClients(
  ctx: WriteCtx,
  { keptId, mergedId, sources = {}, keptVersion, mergedVersion }: NewMerge,
): Promise<{ id: number }> {
  authorize(ctx, 'crm:client:write')
  if (keptId === mergedId) throw new AppError('validation_failed', 'Choose another client', { field: 'with' })
  await lockClientsById(ctx, [keptId, mergedId])
  const rows = await ctx.em.find(Client, { coachId: ctx.coachId, id: { $in: [keptId, mergedId] }, deletedAt: null })
  const kept = rows.find(({ id }) => id === keptId)
  const merged = rows.find(({ id }) => id === mergedId)
  if (!kept || !merged) {
    const done = await findMerge(ctx, mergedId)
    if (kept && done?.keptId === keptId) return { id: done.id }
    throw new AppError('not_found', 'One of these clients is in the trash by now, or was merged already.', {
      subject: 'client',
    })
  }
  assertUnchanged(kept, keptVersion)
  assertUnchanged(merged, mergedVersion)
  if (kept.archivedAt && !merged.archivedAt)
    throw new AppError('conflict', `${kept.name} is archived. Unarchive them first, or swap the two.`, {
      subject: 'client',
    })
  for (const row of [kept, merged]) if (row.archivedAt || isLapsed(ctx)) await assertNotReadOnly(ctx, row.id)
  await runHook(ctx, assertMerge, { keptId, mergedId })

  const now = ctx.now()
  const fields = mergeFields(kept, merged, sources)
  // Before the rows move: triggers of rows that never change look for it.
  const id = await insertRow(ctx, {
    table: 'client_merge',
    name: 'crm.insert-merge',
    row: {
      keptId,
      mergedId,
      moved: '{}',
      lastIds: JSON.stringify(await listLastIds(ctx)),
      fields: JSON.stringify(fields),
      createdAt: now,
      updatedAt: now,
    },
  })
  const move = { fromId: mergedId, toId: keptId }
  const moved = await moveRecords(ctx, move)
  await storeMoved(ctx, id, moved)
  ctx.em.assign(kept, {
    ...Object.fromEntries(Object.entries(fields).map(([name, { to }]) => [name, to])),
    mergedWithId: mergedId,
    version: kept.version + 1,
    updatedAt: now,
  })
  ctx.em.assign(merged, { mergedWithId: keptId, deletedAt: now })
  await ctx.em.flush()
  await runHook(ctx, recordsMoved, { ...move, moved })
  await logActivity(ctx, {
    type: 'client_merged',
    title: 'Client merged',
    description: `${merged.name} (${merged.email})`,
    clientId: keptId,
  })
  if (Object.keys(fields).length) await publish(ctx, clientUpdated, { clientId: keptId, fields: Object.keys(fields) })
  await publish(ctx, clientDeleted, { clientId: mergedId })
  await publish(ctx, clientsMerged, { clientId: keptId, mergedClientId: mergedId })
  return { id }
}

/** Locks them one after the other, so that two merges of the same clients can't deadlock. */
async function lockClientsById(ctx: WriteCtx, ids: number[]): Promise<void> {
  await ctx.query({
    name: 'crm.lock-clients-by-id',
    text: 'select id from client where coach_id = $1 and id = any($2::bigint[]) order by id for update',
    values: [ctx.coachId, ids],
  })
}

function assertUnchanged({ name, version }: ClientRow, seen: number | undefined): void {
  if (seen === undefined || seen === version) return
  throw new AppError('conflict', `${name} was changed in another tab. Check the values below, then merge again.`, {
    subject: 'client',
  })
}

/** The fields of the kept client that change. */
function mergeFields(kept: ClientRow, merged: ClientRow, sources: FieldSources): Record<string, MergedField> {
  const changes: Record<string, MergedField> = {}
  for (const name of clientFieldNames) {
    const [from, other] = [kept[name] ?? null, merged[name] ?? null]
    const source = sources[name] ?? 'kept'
    const to = source === 'kept' ? from : source === 'merged' ? other : joinValues(name, from, other)
    if (JSON.stringify(from) !== JSON.stringify(to)) changes[name] = { from, to }
  }
  return changes
}

function joinValues(name: ClientField, kept: unknown, merged: unknown): unknown {
  const { label } = clientFields[name]
  if (Array.isArray(kept) && Array.isArray(merged)) {
    const tags = withoutRepeats([...kept, ...merged])
    if (tags.length <= maxTags) return tags
    throw new AppError('validation_failed', `Together they have more than ${maxTags} tags. Choose those of one.`, {
      field: name,
    })
  }
  const texts = [kept, merged].filter((text) => typeof text === 'string' && text !== '')
  const text = [...new Set(texts)].join('\n\n')
  if ([...text].length <= maxText) return text || null
  throw new AppError('validation_failed', `${label}: both together are too long. Choose one, and shorten it.`, {
    field: name,
  })
}

async function storeMoved(ctx: WriteCtx, id: number, moved: MovedRecords): Promise<void> {
  await ctx.query({
    name: 'crm.store-moved',
    text: 'update client_merge set moved = $3, updated_at = $4 where coach_id = $1 and id = $2',
    values: [ctx.coachId, id, JSON.stringify(moved), ctx.now()],
  })
}

export type ActiveMerge = { id: number; keptId: number }

/** The merge of a client who is in the trash since; null without one. */
export async function findMerge(
  ctx: Pick<WriteCtx, 'coachId' | 'query'>,
  mergedId: number,
): Promise<ActiveMerge | null> {
  const [merge] = await ctx.query<ActiveMerge>({
    name: 'crm.active-merge',
    text: `select id, kept_id as "keptId" from client_merge
      where coach_id = $1 and merged_id = $2 and undone_at is null`,
    values: [ctx.coachId, mergedId],
  })
  return merge ?? null
}

/**
 * Locks a client who may come back from the trash, after the one into whom it was merged, in the order of their ids.
 * Returns the merge to undo.
 */
export async function lockWithMerge(ctx: WriteCtx, id: number): Promise<ActiveMerge | null> {
  const merge = await findMerge(ctx, id)
  await lockClientsById(ctx, merge ? [id, merge.keptId] : [id])
  const current = await findMerge(ctx, id)
  // It was undone in the meantime, or there never was one.
  if (!current) return null
  if (current.id === merge?.id) return merge
  throw new AppError('conflict', 'This client was merged by someone else at the same time. Please try again.')
}

type UndoneMerge = {
  moved: MovedRecords
  lastIds: Record<string, number>
  fields: Record<string, MergedField>
}

/**
 * Undoes a merge, after the merged client has come back. Records that were moved since, or changed fields of the one
 * who was kept, stay as they are. Throws conflict while the one who was kept is in the trash.
 */
export async function undoMerge(ctx: WriteCtx, merged: ClientRow, { id, keptId }: ActiveMerge): Promise<void> {
  const kept = await ctx.em.findOneOrFail(Client, { coachId: ctx.coachId, id: keptId })
  if (kept.deletedAt)
    throw new AppError(
      'conflict',
      `${merged.name} was merged into ${kept.name} (${kept.email}), who is in the trash. Restore them first.`,
    )
  const now = ctx.now()
  const [merge] = await ctx.query<UndoneMerge>({
    name: 'crm.merge-to-undo',
    text: 'select moved, last_ids as "lastIds", fields from client_merge where coach_id = $1 and id = $2',
    values: [ctx.coachId, id],
  })
  const { moved: former, lastIds } = merge!
  await runHook(ctx, assertMergeUndo, { keptId, mergedId: merged.id, moved: former, lastIds })
  await ctx.query({
    name: 'crm.mark-merge-undone',
    text: 'update client_merge set undone_at = $3, updated_at = $3 where coach_id = $1 and id = $2',
    values: [ctx.coachId, id, now],
  })
  const move = { fromId: keptId, toId: merged.id }
  const moved = await moveRecordsBack(ctx, move, merge!)
  const names = clientFieldNames.filter((name) => {
    const change = merge!.fields[name]
    return change && JSON.stringify(kept[name] ?? null) === JSON.stringify(change.to)
  })
  for (const name of clientFieldNames)
    if (merge!.fields[name] && !names.includes(name))
      await leaveOutOfLater(ctx, { id, keptId, name, ...merge!.fields[name] })
  ctx.em.assign(kept, {
    ...Object.fromEntries(names.map((name) => [name, merge!.fields[name]!.from])),
    mergedWithId: null,
    version: kept.version + 1,
    updatedAt: now,
  })
  merged.mergedWithId = null
  await ctx.em.flush()
  await runHook(ctx, recordsMoved, { ...move, moved })
  await logActivity(ctx, {
    type: 'client_merge_undone',
    title: 'Merge undone',
    description: `${merged.name} (${merged.email})`,
    clientId: keptId,
  })
  if (names.length) await publish(ctx, clientUpdated, { clientId: keptId, fields: names })
}

/**
 * The undo of a later merge into the same client must not bring back what this one had brought: it brings back the
 * value of before.
 */
async function leaveOutOfLater(
  ctx: WriteCtx,
  { id, keptId, name, from, to }: ActiveMerge & { name: ClientField } & MergedField,
): Promise<void> {
  await ctx.query({
    name: 'crm.leave-out-of-later-merge',
    text: `update client_merge set fields = jsonb_set(fields, array[$4::text, 'from'], $5::jsonb), updated_at = $7
      where coach_id = $1 and id = (select min(id) from client_merge
        where coach_id = $1 and kept_id = $2 and id > $3 and undone_at is null
          and fields -> $4::text -> 'from' = $6::jsonb)`,
    values: [ctx.coachId, keptId, id, name, JSON.stringify(from), JSON.stringify(to), ctx.now()],
  })
}

/** Throws conflict if another client was merged into this one. Locks the client, so that none is until the end. */
export async function assertNotMerged(ctx: WriteCtx, id: number): Promise<void> {
  await lockClientsById(ctx, [id])
  const [merge] = await ctx.query({
    name: 'crm.merged-into',
    text: 'select id from client_merge where coach_id = $1 and kept_id = $2 and undone_at is null limit 1',
    values: [ctx.coachId, id],
  })
  if (merge)
    throw new AppError('conflict', 'Another client was merged into this one, so the conversion can’t be undone.', {
      subject: 'client',
    })
}

/**
 * Moves what was added to a merged client by requests that had begun before the merge, such as a payment. Idempotent.
 */
export async function followMerge(ctx: WriteCtx, mergedId: number): Promise<void> {
  const known = await findMerge(ctx, mergedId)
  if (!known) return
  await lockClientsById(ctx, [mergedId, known.keptId])
  const merge = await findMerge(ctx, mergedId)
  if (merge?.id !== known.id) return
  const move = { fromId: mergedId, toId: merge.keptId }
  const late = await moveRecords(ctx, move)
  if (!Object.keys(late).length) return
  const [stored] = await ctx.query<{ moved: MovedRecords }>({
    name: 'crm.moved-records',
    text: 'select moved from client_merge where coach_id = $1 and id = $2',
    values: [ctx.coachId, merge.id],
  })
  const tables = new Set([...Object.keys(stored!.moved), ...Object.keys(late)])
  const moved = Object.fromEntries(
    [...tables].map((table) => [table, [...(stored!.moved[table] ?? []), ...(late[table] ?? [])]]),
  )
  await storeMoved(ctx, merge.id, moved)
  await runHook(ctx, recordsMoved, { ...move, moved: late })
}

/** As `followMerge`, for all merged clients in the trash, the first merges first. */
export async function followMerges(platform: Platform): Promise<void> {
  await forEachCoach(platform, async ({ id: coachId }) => {
    const ctx = await loadCoachContext(platform, coachId, 'crm-follow-merges')
    if (!ctx) return
    const merges = await ctx.query<{ mergedId: number }>({
      name: 'crm.active-merges',
      text: `select merged_id as "mergedId" from client_merge
        where coach_id = $1 and merged_id is not null and undone_at is null order by id`,
      values: [coachId],
    })
    for (const { mergedId } of merges) await ctx.write((tx) => followMerge(tx, mergedId))
  })
}

/** Before a client is permanently deleted: those who were merged into it go with it, and nothing can be undone. */
export async function eraseMerged(ctx: EraseCtx, { id }: { id: number }): Promise<void> {
  const merged = await ctx.query<{ id: number }>({
    name: 'crm.merged-to-erase',
    text: `select merged_id as id from client_merge
      where coach_id = $1 and kept_id = $2 and merged_id is not null and undone_at is null order by merged_id`,
    values: [ctx.coachId, id],
  })
  await eraseWith(
    ctx,
    client.kind,
    merged.map((row) => row.id),
  )
  await ctx.query({
    name: 'crm.forget-merge',
    text: `update client_merge set moved = '{}', fields = '{}' where coach_id = $1 and merged_id = $2`,
    values: [ctx.coachId, id],
  })
}
