import { dayMs } from '#app/lib/time.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { deleteFiles } from '#tenants/files/files.ts'
import { forEachCoach } from '#tenants/for-each-coach.ts'
import { withTenant, type Platform } from '#tenants/platform.ts'
import type { Cursor } from '#tenants/api/cursor.ts'
import type { EraseCtx, ErasedRecord, RecordKind } from './manifest.ts'
import { listOwnRecords, reportErasures } from './erasure-reports.ts'
import { recordNotFound } from './record-kinds.ts'

/** Days during which a deleted record can be restored. */
export const trashDays = 30
const trashPeriod = trashDays * dayMs

export type TrashedRecord = {
  kind: string
  label: string
  id: number
  title: string
  deletedAt: Date
  erasedAt: Date
  /** Unique over all kinds: orders what was deleted at the same moment. */
  position: number
}
export type TrashQuery = {
  /** One kind only. */
  only?: string | null
  /** null: all. */
  rows?: number | null
  after?: Cursor | null
}

/** The trash, newest first, without records that are hidden because their parent is in the trash too. */
export async function listTrash(
  ctx: Ctx,
  { only, rows: limit = null, after = null }: TrashQuery = {},
): Promise<TrashedRecord[]> {
  const kinds = readableKinds(ctx).filter(({ kind }) => !only || kind === only)
  const results = await ctx.queryAll(
    kinds.map((kind) => {
      const position = positionSql(ctx, kind)
      return {
        name: `trash.${kind.kind}`,
        text: `select r.id, ${kind.title} as title, r.deleted_at as "deletedAt", ${position} as position
          from "${kind.kind}" r
          where r.coach_id = $1 and ${inTrash(kind.hidden)}
            and ($2::timestamptz is null or (r.deleted_at, ${position}) < ($2, $3::bigint))
          order by r.deleted_at desc, r.id desc limit $4`,
        values: [ctx.coachId, after?.at ?? null, after?.id ?? null, limit],
      }
    }),
  )
  return results
    .flatMap((rows, index) =>
      (rows as Pick<TrashedRecord, 'id' | 'title' | 'deletedAt' | 'position'>[]).map((row) => ({
        ...row,
        kind: kinds[index]!.kind,
        label: kinds[index]!.label,
        erasedAt: new Date(row.deletedAt.getTime() + trashPeriod),
      })),
    )
    .sort((a, b) => b.deletedAt.getTime() - a.deletedAt.getTime() || b.position - a.position)
    .slice(0, limit ?? undefined)
}

const readableKinds = (ctx: Ctx): RecordKind[] =>
  ctx.extensions.recordKinds.filter(({ permission, restore }) => restore && ctx.can(permission.read))

const positionSql = (ctx: Ctx, kind: RecordKind): string =>
  `(r.id * 100 + ${ctx.platform.extensions.recordKinds.indexOf(kind)})`

const inTrash = (hidden = 'false'): string => `r.deleted_at is not null and not (${hidden})`

/** The kinds that have records in the trash. */
export async function listTrashedKinds(ctx: Ctx): Promise<RecordKind[]> {
  const kinds = readableKinds(ctx)
  const results = await ctx.queryAll(
    kinds.map(({ kind, hidden }) => ({
      name: `trash.any.${kind}`,
      text: `select 1 from "${kind}" r where r.coach_id = $1 and ${inTrash(hidden)} limit 1`,
      values: [ctx.coachId],
    })),
  )
  return kinds.filter((_, index) => results[index]!.length > 0)
}

/** The title of a record in the trash; null when it is not there. */
export async function getTrashedTitle(ctx: Ctx, kind: RecordKind, id: number): Promise<string | null> {
  authorize(ctx, kind.permission.read)
  if (!kind.restore) return null
  const [row] = await ctx.query<{ title: string }>({
    name: `trash.title.${kind.kind}`,
    text: `select ${kind.title} as title from "${kind.kind}" r
      where r.coach_id = $1 and r.id = $2 and r.deleted_at is not null`,
    values: [ctx.coachId, id],
  })
  return row?.title ?? null
}

/** Takes a record out of the trash, with what belongs to it. Throws not_found, and what its module objects to. */
export async function restoreRecord(ctx: WriteCtx, kind: RecordKind, id: number): Promise<void> {
  authorize(ctx, kind.permission.write)
  if (!kind.restore) throw recordNotFound(kind)
  await kind.restore(ctx, id)
}

const erasedColumns = 'id, deleted_at as "deletedAt"'

/** Deletes a record in the trash permanently, and its history with it. Throws not_found. */
export async function eraseRecord(ctx: WriteCtx, kind: RecordKind, id: number): Promise<void> {
  authorize(ctx, kind.permission.write)
  if (!kind.restore) throw recordNotFound(kind)
  const [record] = await ctx.query<ErasedRecord>({
    name: `trash.lock.${kind.kind}`,
    text: `select ${erasedColumns} from "${kind.kind}" where coach_id = $1 and id = $2 and deleted_at is not null
      for update`,
    values: [ctx.coachId, id],
  })
  if (!record) throw recordNotFound(kind)
  await eraseRecords(ctx, kind, [record])
}

/** Permanently deletes what has been in the trash for 30 days, coach by coach and kind by kind. */
export async function eraseTrash(platform: Platform): Promise<void> {
  const before = new Date(platform.now().getTime() - trashPeriod)
  await forEachCoach(platform, async ({ id }) => {
    for (const kind of platform.extensions.recordKinds) {
      if (!kind.restore) continue
      while ((await eraseExpired(platform, id, kind, before)) === eraseBatch);
    }
  })
}

/** Records that one transaction of the nightly job deletes. */
const eraseBatch = 500

/** Returns how many were deleted. */
function eraseExpired(platform: Platform, coachId: number, kind: RecordKind, before: Date): Promise<number> {
  return withTenant(platform, coachId, async (tx) => {
    const records = await tx.query<ErasedRecord>({
      name: `trash.lock-expired.${kind.kind}`,
      text: `select ${erasedColumns} from "${kind.kind}" where coach_id = $1 and deleted_at <= $2
        order by id limit $3 for update`,
      values: [coachId, before, eraseBatch],
    })
    if (records.length) await eraseRecords({ ...tx, platform, coachId }, kind, records)
    return records.length
  })
}

/** Permanently deletes records in the trash together with one that they belong to. In `beforeErase`. */
export async function eraseWith(ctx: EraseCtx, kind: string, ids: number[]): Promise<void> {
  if (!ids.length) return
  const records = await ctx.query<ErasedRecord>({
    name: `trash.lock-with.${kind}`,
    text: `select ${erasedColumns} from "${kind}" where coach_id = $1 and id = any($2::bigint[])
      and deleted_at is not null order by id for update`,
    values: [ctx.coachId, ids],
  })
  const own = ctx.platform.extensions.recordKinds.find((one) => one.kind === kind)!
  if (records.length) await eraseRecords(ctx, own, records)
}

async function eraseRecords(ctx: EraseCtx, kind: RecordKind, locked: ErasedRecord[]): Promise<void> {
  const parts = ctx.platform.extensions.eraseParts.filter((part) => part.kind === kind.kind)
  const ids = locked.map(({ id }) => id)
  const own = kind.isPerson && (await listOwnRecords(ctx, kind, ids))
  for (const record of locked) for (const { run } of parts) await run(ctx, record)
  const left = parts.length ? await listLeft(ctx, kind, ids) : ids
  const records = locked.filter(({ id }) => left.includes(id))
  const values = [ctx.coachId, left]
  for (const { table, column } of await listReferences(ctx, kind.kind)) {
    await ctx.query({
      name: `trash.clear-reference.${table}.${column}`,
      text: `update "${table}" set "${column}" = null where coach_id = $1 and "${column}" = any($2::bigint[])`,
      values,
    })
  }
  await ctx.query({
    name: `trash.erase.${kind.kind}`,
    text: `delete from "${kind.kind}" where coach_id = $1 and id = any($2::bigint[])`,
    values,
  })
  await deleteFiles(ctx, kind.kind, left)
  for (const record of records) await kind.onErase?.(ctx, record)
  if (own) await reportErasures(ctx, { kind, records, own })
}

/** Returns the ids that are still there: a part may have erased others with one of them. */
async function listLeft(ctx: EraseCtx, kind: RecordKind, ids: number[]): Promise<number[]> {
  const rows = await ctx.query<{ id: number }>({
    name: `trash.left.${kind.kind}`,
    text: `select id from "${kind.kind}" where coach_id = $1 and id = any($2::bigint[])`,
    values: [ctx.coachId, ids],
  })
  return rows.map(({ id }) => id)
}

/**
 * The nullable references to a table: rows that stay without the erased record (see `tenantReference`). Read from the
 * database, which also has the tables of modules that are no longer installed.
 */
function listReferences(ctx: EraseCtx, table: string): Promise<{ table: string; column: string }[]> {
  return ctx.query({
    name: 'trash.references',
    text: `select c.relname as table, a.attname as column
      from pg_constraint f join pg_class c on c.oid = f.conrelid
        join pg_attribute a on a.attrelid = f.conrelid and a.attnum = any(f.conkey) and a.attname <> 'coach_id'
      where f.contype = 'f' and f.confdeltype = 'a' and f.confrelid = $1::text::regclass`,
    values: [table],
  })
}
