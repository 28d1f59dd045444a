import { isoTimestamp } from '#db/read-pool.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { ErasureCount } from '#tenants/erasures/schema.ts'
import type { EraseCtx, ErasedRecord, RecordKind } from './manifest.ts'

// Reports for people who ask to be forgotten: what was permanently deleted with them, and what stayed in the books.

export type ErasureReportRow = {
  id: number
  kind: string
  /** The id that the record had. */
  recordNumber: number
  /** ISO instants: when it was moved to the trash, and when it was permanently deleted. */
  trashedAt: string
  erasedAt: string
  counts: ErasureCount[]
}

/** The records that refer to a person, before the person is deleted. */
type OwnRecords = { label: string; table: string; ids: number[] }[]

/** Finds the records that have a name for coaches and refer to `id` directly. */
export async function listOwnRecords(ctx: EraseCtx, kind: RecordKind, id: number): Promise<OwnRecords> {
  const references = await ctx.query<{ table: string; column: string }>({
    name: 'erasure.references',
    text: `select c.relname as table, a.attname as column
      from pg_constraint f join pg_class c on c.oid = f.conrelid
        join pg_attribute a on a.attrelid = f.conrelid and a.attnum = any(f.conkey) and a.attname <> 'coach_id'
      where f.contype = 'f' and f.confrelid = $1::text::regclass
      order by 1, 2`,
    values: [kind.kind],
  })
  const found: OwnRecords = []
  for (const { table, column } of references) {
    const label = getLabel(ctx, table)
    if (!label) continue
    const rows = await ctx.query<{ id: number }>({
      name: `erasure.records.${table}.${column}`,
      text: `select id from "${table}" where coach_id = $1 and "${column}" = $2`,
      values: [ctx.coachId, id],
    })
    if (rows.length) found.push({ label, table, ids: rows.map((row) => row.id) })
  }
  return found
}

function getLabel({ platform: { extensions } }: EraseCtx, table: string): string | undefined {
  const several = extensions.clientRecords.find((records) => records.table === table && records.label)?.label?.[1]
  return several ?? extensions.recordKinds.find(({ kind }) => kind === table)?.label.toLowerCase()
}

/** Stores what became of the records of a person who has been deleted. In the transaction that deletes. */
export async function reportErasure(
  ctx: EraseCtx,
  { kind, record, own }: { kind: RecordKind; record: ErasedRecord; own: OwnRecords },
): Promise<void> {
  const counts = new Map<string, ErasureCount>()
  for (const { label, table, ids } of own) {
    const [left] = await ctx.query<{ kept: number }>({
      name: `erasure.kept.${table}`,
      text: `select count(*)::int as kept from "${table}" where coach_id = $1 and id = any($2::bigint[])`,
      values: [ctx.coachId, ids],
    })
    const { deleted, kept } = counts.get(label) ?? { deleted: 0, kept: 0 }
    counts.set(label, { label, deleted: deleted + ids.length - left!.kept, kept: kept + left!.kept })
  }
  await ctx.query({
    name: 'erasure.report',
    text: `insert into erasure_report (coach_id, kind, record_number, trashed_at, erased_at, counts)
      values ($1, $2, $3, $4, $5, $6)`,
    values: [
      ctx.coachId,
      kind.kind,
      record.id,
      record.deletedAt,
      ctx.platform.now(),
      JSON.stringify([...counts.values()]),
    ],
  })
}

/** Newest first. `before`: the id of the last one on the page before. */
export async function listErasureReports(
  ctx: Ctx,
  { rows, before = null }: { rows: number; before?: number | null },
): Promise<ErasureReportRow[]> {
  authorize(ctx, 'core:trash:read')
  return ctx.query({
    name: 'erasure.list',
    text: `select id, kind, record_number as "recordNumber", ${isoTimestamp('trashed_at')} as "trashedAt",
        ${isoTimestamp('erased_at')} as "erasedAt", counts
      from erasure_report where coach_id = $1 and ($2::bigint is null or id < $2)
      order by id desc limit $3`,
    values: [ctx.coachId, before, rows],
  })
}
