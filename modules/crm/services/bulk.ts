import { AppError } from '#app/lib/errors.ts'
import { isSameTag, maxTags } from '#app/lib/tags.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import { publishAll, type EventType } from '#modules/core/events.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { assertStorage } from '#tenants/storage.ts'
import { clientArchived, clientDeleted, clientRestored, clientUnarchived, clientUpdated } from '../events.ts'
import { clientFields, type ClientStatus } from '../fields.ts'
import { hasTag } from '../joins.ts'
import type { Scope } from '../list-state.ts'
import { conditionSql, loadConditions, type FilterState } from '../queries/filters.ts'
import type { BulkAction } from '../schema.ts'
import { client } from '../records.ts'
import { logActivity } from './activities.ts'
import { assertNoneReadOnly, assertRoomFor, lockAccount } from './plan-limit.ts'

/** The most clients that one change takes. */
export const maxBulkClients = 10_000
/** Rows per statement, so that none comes near the time limit of statements. */
const chunkSize = 1000

/** The clients of a list by their ids, or all that match. */
export type BulkTarget = { show: Scope } & ({ ids: number[] } | { filters: FilterState })
export type BulkChange =
  | { action: 'add-tag' | 'remove-tag'; tag: string }
  | { action: 'status'; status: ClientStatus }
  | { action: 'archive' | 'unarchive' | 'delete' }

type Row = { id: number; status: ClientStatus; tags: string[]; archivedAt: string | null }

/**
 * Changes many clients, and keeps what undoes it. Clients that have left the list since it was shown are left alone.
 * Throws not_found if all have, plan_limit, and validation_failed if a tag doesn't fit. `id`: null if there was nothing
 * to change.
 */
export async function changeClients(
  ctx: WriteCtx,
  target: BulkTarget,
  change: BulkChange,
): Promise<{ id: number | null; changed: number }> {
  authorize(ctx, 'crm:client:write')
  const isEdit = 'tag' in change || change.action === 'status'
  if (isEdit) await assertStorage(ctx)
  // The account first, as everywhere: unarchived clients count toward the plan.
  if (change.action === 'unarchive') await lockAccount(ctx)
  const found = await lockClients(ctx, target)
  if (!found.length) throw client.notFound()
  const rows = found.filter((row) => isChanged(row, change))
  if (!rows.length) return { id: null, changed: 0 }
  if (isEdit) await assertNoneReadOnly(ctx, rows)
  if (change.action === 'unarchive') await assertRoomFor(ctx, rows.length)

  const ids = rows.map(({ id }) => id)
  // One time for all: the undo finds by it what this change archived or deleted.
  const now = ctx.now()
  const { set, value, event, fields } = effects(change)
  await inChunks(ids, (chunk) => {
    const { values, bind } = binder([ctx.coachId, chunk])
    return ctx.query({
      name: `crm.bulk-${change.action}`,
      text: `update client set ${set(bind, now)} where coach_id = $1 and id = any($2::bigint[])`,
      values,
    })
  })
  await publishAll(
    ctx,
    event,
    ids.map((clientId) => (fields ? { clientId, fields } : { clientId })),
  )
  await logChange(ctx, change, ids.length)
  const id = await insertRow(ctx, {
    table: 'client_change',
    name: 'crm.insert-change',
    row: {
      action: change.action,
      value,
      before: JSON.stringify(rows.map((row) => [row.id, toBefore(row, change)])),
      createdAt: now,
      updatedAt: now,
    },
  })
  return { id, changed: ids.length }
}

async function lockClients(ctx: WriteCtx, target: BulkTarget): Promise<Row[]> {
  const byIds = 'ids' in target
  const conditions = byIds
    ? [{ name: 'ids', value: target.ids, sql: (placeholder: string) => `id = any(${placeholder}::bigint[])` }]
    : await loadConditions(ctx, target.filters)
  const { name, where, values } = conditionSql(target.show, conditions, 2)
  const rows = await ctx.query<Row>({
    name: `crm.lock-clients-${name}`,
    text: `select id, status, tags, ${isoTimestamp('archived_at')} as "archivedAt" from client where coach_id = $1 and ${where}
      order by id limit ${maxBulkClients + 1} for update`,
    values: [ctx.coachId, ...values],
  })
  if (rows.length <= maxBulkClients) return rows
  throw new AppError(
    'validation_failed',
    `Change at most ${maxBulkClients.toLocaleString('en-US')} clients at a time. Set a filter first.`,
  )
}

function isChanged({ tags, status, archivedAt }: Row, change: BulkChange): boolean {
  switch (change.action) {
    case 'add-tag':
      if (tags.some((tag) => isSameTag(tag, change.tag))) return false
      if (tags.length < maxTags) return true
      throw new AppError('validation_failed', `Some of these clients have ${maxTags} tags already.`)
    case 'remove-tag':
      return tags.some((tag) => isSameTag(tag, change.tag))
    case 'status':
      return status !== change.status
    case 'archive':
      return archivedAt === null
    case 'unarchive':
      return archivedAt !== null
    case 'delete':
      return true
  }
}

type Bind = (value: unknown, type: 'text' | 'timestamptz') => string

/** Collects the values of a statement after the `first` ones. */
function binder(first: unknown[]) {
  const values = [...first]
  const bind: Bind = (value, type) => `$${values.push(value)}::${type}`
  return { values, bind }
}

const edited = (bind: Bind, now: Date): string => `version = version + 1, updated_at = ${bind(now, 'timestamptz')}`
const withoutTag = (tag: string): string => `array(
  select tag from unnest(tags) with ordinality as each (tag, position) where lower(tag) <> lower(${tag}) order by position)`

type Effects = { set: (bind: Bind, now: Date) => string; value: string | null; event: EventType; fields?: string[] }

function effects(change: BulkChange): Effects {
  switch (change.action) {
    case 'add-tag':
      return {
        set: (bind, now) => `tags = array_append(tags, ${bind(change.tag, 'text')}), ${edited(bind, now)}`,
        value: change.tag,
        event: clientUpdated,
        fields: ['tags'],
      }
    case 'remove-tag':
      return {
        set: (bind, now) => `tags = ${withoutTag(bind(change.tag, 'text'))}, ${edited(bind, now)}`,
        value: change.tag,
        event: clientUpdated,
        fields: ['tags'],
      }
    case 'status':
      return {
        set: (bind, now) => `status = ${bind(change.status, 'text')}, ${edited(bind, now)}`,
        value: change.status,
        event: clientUpdated,
        fields: ['status'],
      }
    case 'archive':
      return { set: (bind, now) => `archived_at = ${bind(now, 'timestamptz')}`, value: null, event: clientArchived }
    case 'unarchive':
      return { set: () => 'archived_at = null', value: null, event: clientUnarchived }
    case 'delete':
      return { set: (bind, now) => `deleted_at = ${bind(now, 'timestamptz')}`, value: null, event: clientDeleted }
  }
}

/** The part of a client that the undo brings back. */
function toBefore({ tags, status, archivedAt }: Row, change: BulkChange): string | null {
  if (change.action === 'remove-tag') return tags.find((tag) => isSameTag(tag, change.tag)) ?? null
  if (change.action === 'status') return status
  return change.action === 'unarchive' ? archivedAt : null
}

/** One activity for the whole change: one per client would hide all others. */
async function logChange(ctx: WriteCtx, change: BulkChange, count: number): Promise<void> {
  const description = `${count.toLocaleString('en-US')} ${count === 1 ? 'client' : 'clients'}`
  if (change.action === 'archive')
    await logActivity(ctx, { type: 'client_archived', title: 'Clients archived', description })
  if (change.action === 'unarchive')
    await logActivity(ctx, { type: 'client_unarchived', title: 'Clients restored from archive', description })
  if (change.action === 'status') {
    const status = clientFields.status.choices[change.status]
    await logActivity(ctx, {
      type: 'client_status_changed',
      title: 'Status changed',
      description: `${description}: ${status}`,
    })
  }
}

async function inChunks<T>(items: T[], run: (chunk: T[]) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < items.length; start += chunkSize) await run(items.slice(start, start + chunkSize))
}

type StoredChange = {
  action: BulkAction
  value: string | null
  before: [id: number, before: string | null][]
  createdAt: string
  undoneAt: string | null
}

/**
 * Undoes a change of many clients, except for those that were changed in the same respect since. Idempotent. Throws
 * not_found, and plan_limit if the plan has no room for clients that come back.
 */
export async function undoChange(ctx: WriteCtx, id: number): Promise<number> {
  authorize(ctx, 'crm:client:write')
  await lockAccount(ctx)
  const [change] = await ctx.query<StoredChange>({
    name: 'crm.lock-change',
    text: `select action, value, before, ${isoTimestamp('created_at')} as "createdAt",
        undone_at as "undoneAt" from client_change
      where coach_id = $1 and id = $2 for update`,
    values: [ctx.coachId, id],
  })
  if (!change) throw new AppError('not_found', 'There is nothing left to undo.')
  if (change.undoneAt) return 0
  const restored = await restore(ctx, change)
  await ctx.query({
    name: 'crm.mark-undone',
    text: 'update client_change set undone_at = $3, updated_at = $3 where coach_id = $1 and id = $2',
    values: [ctx.coachId, id, ctx.now()],
  })
  return restored
}

async function restore(ctx: WriteCtx, { action, value, before, createdAt }: StoredChange): Promise<number> {
  const { statement, event, fields } = undoing[action]
  const restored: { id: number; archivedAt: string | null }[] = []
  await inChunks(before, async (chunk) => {
    const { values, bind } = binder([ctx.coachId, chunk.map(([id]) => id), chunk.map(([, was]) => was)])
    const { set, where } = statement(bind, { value, at: createdAt, now: ctx.now() })
    const rows = await ctx.query<{ id: number; archivedAt: string | null }>({
      name: `crm.undo-${action}`,
      text: `update client set ${set} from unnest($2::bigint[], $3::text[]) as earlier (id, was)
        where client.coach_id = $1 and client.id = earlier.id and ${where}
        returning client.id, client.archived_at as "archivedAt"`,
      values,
    })
    restored.push(...rows)
  })
  const comeBack = action === 'archive' || action === 'delete'
  if (comeBack && restored.some(({ archivedAt }) => archivedAt === null)) await assertRoomFor(ctx, 0)
  await publishAll(
    ctx,
    event,
    restored.map(({ id }) => (fields ? { clientId: id, fields } : { clientId: id })),
  )
  return restored.length
}

type Undo = {
  /** `at`: the time of the change. */
  statement: (bind: Bind, change: { value: string | null; at: string; now: Date }) => { set: string; where: string }
  event: EventType
  fields?: string[]
}
const current = 'client.deleted_at is null'
const undoing: Record<BulkAction, Undo> = {
  'add-tag': {
    statement: (bind, { value, now }) => {
      const tag = bind(value, 'text')
      return { set: `tags = ${withoutTag(tag)}, ${edited(bind, now)}`, where: `${current} and ${hasTag(tag)}` }
    },
    event: clientUpdated,
    fields: ['tags'],
  },
  'remove-tag': {
    statement: (bind, { value, now }) => ({
      set: `tags = array_append(tags, earlier.was), ${edited(bind, now)}`,
      where: `${current} and cardinality(tags) < ${maxTags} and not ${hasTag(bind(value, 'text'))}`,
    }),
    event: clientUpdated,
    fields: ['tags'],
  },
  status: {
    statement: (bind, { value, now }) => ({
      set: `status = earlier.was, ${edited(bind, now)}`,
      where: `${current} and status = ${bind(value, 'text')}`,
    }),
    event: clientUpdated,
    fields: ['status'],
  },
  archive: {
    statement: (bind, { at }) => ({
      set: 'archived_at = null',
      where: `${current} and archived_at = ${bind(at, 'timestamptz')}`,
    }),
    event: clientUnarchived,
  },
  unarchive: {
    statement: () => ({ set: 'archived_at = earlier.was::timestamptz', where: `${current} and archived_at is null` }),
    event: clientArchived,
  },
  delete: {
    statement: (bind, { at }) => ({
      set: 'deleted_at = null',
      // One that was merged since comes back with its records, by itself.
      where: `client.deleted_at = ${bind(at, 'timestamptz')} and not exists (select 1 from client_merge m
        where m.coach_id = $1 and m.merged_id = client.id and m.undone_at is null)`,
    }),
    event: clientRestored,
  },
}

/** Deletes the changes made until then; they can no longer be undone. */
export async function deleteChanges(ctx: Pick<WriteCtx, 'query' | 'coachId'>, until: Date): Promise<void> {
  await ctx.query({
    name: 'crm.delete-changes',
    text: 'delete from client_change where coach_id = $1 and created_at <= $2',
    values: [ctx.coachId, until],
  })
}
