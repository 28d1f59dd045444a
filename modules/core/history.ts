import { authorize, type Ctx } from '#tenants/context.ts'
import type { HistoryAction } from '#tenants/schema.ts'
import { getLabelText } from './format-field.ts'
import type { RecordKind } from './manifest.ts'
import { camelCase, recordNotFound } from './record-kinds.ts'

export type HistoryEntry = {
  id: number
  action: HistoryAction
  /** The account that made the change; null for the platform itself, such as a job. */
  by: { id: number; name: string } | null
  at: Date
  changes: { field: string; label: string; from: unknown; to: unknown }[]
}
export type RecordHistory = { title: string; to: string | null; entries: HistoryEntry[] }

/**
 * The changes of a record, newest first: `rows` entries (null: all) before the entry `before`. `to` is null while the
 * record is in the trash. Fields have the API's names, values are as the database keeps them (cents, ISO times). Throws
 * not_found.
 */
export async function getHistory(
  ctx: Ctx,
  kind: RecordKind,
  id: number,
  { rows: limit = null, before = null }: { rows?: number | null; before?: number | null } = {},
): Promise<RecordHistory> {
  authorize(ctx, kind.permission.read)
  const [[record], rows] = (await ctx.queryAll([
    {
      name: `history.record.${kind.kind}`,
      text: `select ${kind.title} as title, ${kind.restore ? `case when deleted_at is null then ${kind.to} end` : kind.to} as to
        from "${kind.kind}" r where r.coach_id = $1 and r.id = $2`,
      values: [ctx.coachId, id],
    },
    {
      name: 'history.entries',
      text: `select h.id, h.action, h.changes, h.created_at as at, h.actor_id as "actorId",
          a.first_name || ' ' || a.last_name as "actorName"
        from history h left join account a on a.id = $1 and a.id = h.actor_id
        where h.coach_id = $1 and h.kind = $2 and h.record_id = $3 and ($4::bigint is null or h.id < $4)
          and (h.action <> 'changed' or exists (
            select 1 from jsonb_array_elements(h.changes) change where change ->> 'field' = any($6)))
        order by h.id desc limit $5`,
      values: [ctx.coachId, kind.kind, id, before, limit, Object.keys(kind.fields)],
    },
  ])) as [{ title: string; to: string | null }[], HistoryRow[]]
  if (!record) throw recordNotFound(kind)
  return { ...record, entries: rows.map((row) => toEntry(kind, row)) }
}

type HistoryRow = {
  id: number
  action: HistoryAction
  changes: { field: string; from: unknown; to: unknown }[]
  at: Date
  actorId: number | null
  actorName: string | null
}

function toEntry(kind: RecordKind, { id, action, changes, at, actorId, actorName }: HistoryRow): HistoryEntry {
  return {
    id,
    action,
    at,
    // Under row level security a coach can't read the administrator's account.
    by: actorId === null ? null : { id: actorId, name: actorName ?? 'Administrator' },
    changes: changes.flatMap(({ field, from, to }) => {
      const label = kind.fields[field]
      return label ? [{ field: camelCase(field), label: getLabelText(label), from: from ?? null, to: to ?? null }] : []
    }),
  }
}

/** Titles of the records that a history refers to, also of those in the trash: `<kind> <id>` → title. */
export async function listTitles(ctx: Ctx, kind: RecordKind, { entries }: RecordHistory): Promise<Map<string, string>> {
  const references = Object.entries(kind.fields).flatMap(([column, label]) => {
    // The kind's module may not be installed.
    const target =
      typeof label === 'object' && 'of' in label
        ? ctx.extensions.recordKinds.find((own) => own.kind === label.of)
        : undefined
    return target ? [{ field: camelCase(column), target }] : []
  })
  const ids = (field: string) =>
    entries
      .flatMap(({ changes }) => changes.filter((change) => change.field === field))
      .flatMap(({ from, to }) => [from, to].filter((value) => value !== null))
  const results = await ctx.queryAll(
    references.map(({ field, target }) => ({
      name: `history.titles.${target.kind}`,
      text: `select r.id, ${target.title} as title from "${target.kind}" r where r.coach_id = $1 and r.id = any($2::bigint[])`,
      values: [ctx.coachId, ids(field)],
    })),
  )
  return new Map(
    results.flatMap((rows, index) =>
      (rows as { id: number; title: string }[]).map(
        ({ id, title }) => [`${references[index]!.target.kind} ${id}`, title] as const,
      ),
    ),
  )
}
