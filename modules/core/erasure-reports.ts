import { insertRows } from '#db/insert-rows.ts'
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

/** The records that refer to persons, by table, before the persons are deleted. */
export type OwnRecords = { table: string; label: [one: string, many: string]; rows: { id: number; person: number }[] }[]

/** Finds the records that have a name for coaches and refer to one of `ids` directly. */
export async function listOwnRecords(ctx: EraseCtx, kind: RecordKind, ids: number[]): Promise<OwnRecords> {
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
    const label = ctx.platform.extensions.clientRecords.find((own) => own.table === table && own.label)?.label
    if (!label) continue
    const rows = await ctx.query<{ id: number; person: number }>({
      name: `erasure.records.${table}.${column}`,
      text: `select id, "${column}" as person from "${table}" where coach_id = $1 and "${column}" = any($2::bigint[])`,
      values: [ctx.coachId, ids],
    })
    if (rows.length) found.push({ label, table, rows })
  }
  return found
}

/** Stores a report for each of `records`, which were deleted in this transaction. */
export async function reportErasures(
  ctx: EraseCtx,
  { kind, records, own }: { kind: RecordKind; records: ErasedRecord[]; own: OwnRecords },
): Promise<void> {
  const counts = new Map<number, ErasureCount[]>(records.map(({ id }) => [id, []]))
  for (const { table, label, rows } of own) {
    const left = await ctx.query<{ id: number }>({
      name: `erasure.kept.${table}`,
      text: `select id from "${table}" where coach_id = $1 and id = any($2::bigint[])`,
      values: [ctx.coachId, rows.map(({ id }) => id)],
    })
    const kept = new Set(left.map(({ id }) => id))
    const byPerson = Map.groupBy(rows, ({ person }) => person)
    for (const [person, theirs] of byPerson) {
      const stayed = theirs.filter(({ id }) => kept.has(id)).length
      counts.get(person)?.push({ label, deleted: theirs.length - stayed, kept: stayed })
    }
  }
  const erasedAt = ctx.platform.now()
  await ctx.query(
    insertRows(
      'erasure_report',
      records.map(({ id, deletedAt }) => ({
        coach_id: ctx.coachId,
        kind: kind.kind,
        record_number: id,
        trashed_at: deletedAt,
        erased_at: erasedAt,
        counts: JSON.stringify(counts.get(id)),
      })),
    ),
  )
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
