import { AppError } from '#app/lib/errors.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { inTenant, type Platform } from '#tenants/platform.ts'
import type { Place } from '#tenants/api/cursor.ts'
import type { HistoryAction } from '#tenants/schema.ts'
import type { Erased, FieldLabel, RecordKind } from './manifest.ts'
import { modules } from '../registry.ts'

/** Days that a deleted record can be restored. */
export const trashDays = 30

/** Every kind of record that can be deleted, of all modules, what others belong to first. */
export const recordKinds: RecordKind[] = modules.flatMap((module) => module.records ?? [])

const kindsFor = (ctx: Ctx): RecordKind[] => recordKinds.filter(({ permission }) => ctx.can(permission.read))
const notFound = ({ label }: RecordKind) => new AppError('not_found', `${label} not found`)

export function kindOf(name: string): RecordKind {
  const kind = recordKinds.find(({ kind: own }) => own === name)
  if (!kind) throw new AppError('not_found', 'There is no such record.')
  return kind
}

export type TrashedRecord = {
  kind: string
  label: string
  id: number
  title: string
  deletedAt: Date
  erasedAt: Date
  /** Its place among what was deleted at the same moment, of whatever kind. */
  place: number
}
export type TrashWanted = {
  /** One kind alone. */
  only?: string | null
  /** null: all of it. */
  rows?: number | null
  /** Behind this one. */
  after?: Place | null
}

const inTrash = (hidden = 'false'): string => `r.deleted_at is not null and not (${hidden})`

/** What lies in the trash, latest first; without what is hidden with something else that lies there. */
export async function trash(
  ctx: Ctx,
  { only, rows: wanted = null, after = null }: TrashWanted = {},
): Promise<TrashedRecord[]> {
  const kinds = kindsFor(ctx).filter(({ kind }) => !only || kind === only)
  const answers = await ctx.rowsOf(
    kinds.map((kind) => ({
      name: `trash.${kind.kind}`,
      text: `select r.id, ${kind.title} as title, r.deleted_at as "deletedAt", ${placeOf(kind)} as place from "${kind.kind}" r
        where ${inTrash(kind.hidden)} and ($1::timestamptz is null or (r.deleted_at, ${placeOf(kind)}) < ($1, $2::bigint)) order by r.deleted_at desc, r.id desc limit $3`,
      values: [after?.at ?? null, after?.id ?? null, wanted],
    })),
  )
  return answers
    .flatMap((rows, at) =>
      (rows as Pick<TrashedRecord, 'id' | 'title' | 'deletedAt' | 'place'>[]).map((row) => ({
        ...row,
        kind: kinds[at]!.kind,
        label: kinds[at]!.label,
        erasedAt: erasedAt(row.deletedAt),
      })),
    )
    .sort((a, b) => b.deletedAt.getTime() - a.deletedAt.getTime() || b.place - a.place)
    .slice(0, wanted ?? undefined)
}

/** SQL: no other row of any kind has this number. */
const placeOf = (kind: RecordKind): string => `(r.id * 100 + ${recordKinds.indexOf(kind)})`

/** The kinds of which something lies in the trash. */
export async function trashedKinds(ctx: Ctx): Promise<RecordKind[]> {
  const kinds = kindsFor(ctx)
  const answers = await ctx.rowsOf(
    kinds.map(({ kind, hidden }) => ({
      name: `trash.any.${kind}`,
      text: `select from "${kind}" r where ${inTrash(hidden)} limit 1`,
    })),
  )
  return kinds.filter((_, at) => answers[at]!.length > 0)
}

const erasedAt = (deletedAt: Date): Date => new Date(deletedAt.getTime() + trashDays * 86_400_000)

/** What a record in the trash is called; null when it is not there. */
export async function trashedTitle(ctx: Ctx, kind: RecordKind, id: number): Promise<string | null> {
  authorize(ctx, kind.permission.read)
  const [row] = await ctx.rows<{ title: string }>({
    name: `trash.title.${kind.kind}`,
    text: `select ${kind.title} as title from "${kind.kind}" r where r.id = $1 and r.deleted_at is not null`,
    values: [id],
  })
  return row?.title ?? null
}

/** Takes a record out of the trash, with what belongs to it. Throws not_found, and what its module has against it. */
export async function restoreRecord(ctx: WriteCtx, kind: RecordKind, id: number): Promise<void> {
  authorize(ctx, kind.permission.write)
  await kind.restore(ctx, id)
}

const erasedSql = 'id, deleted_at as "deletedAt"'

/** Erases a record that lies in the trash, for good, and its history with it. Throws not_found. */
export async function eraseRecord(ctx: WriteCtx, kind: RecordKind, id: number): Promise<void> {
  authorize(ctx, kind.permission.write)
  const [gone] = await ctx.rows<Erased>({
    name: `erase.one.${kind.kind}`,
    text: `delete from "${kind.kind}" where id = $1 and deleted_at is not null returning ${erasedSql}`,
    values: [id],
  })
  if (!gone) throw notFound(kind)
  await kind.erased?.(ctx, gone)
}

/** Erases what lay 30 days in the trash, practice by practice and kind by kind. */
export async function eraseTrash(platform: Platform): Promise<void> {
  const before = new Date(platform.now().getTime() - trashDays * 86_400_000)
  const coaches = await platform.reads.look<{ id: number }>({
    name: 'trash.coaches',
    text: 'select id from every_coach()',
  })
  const failures: unknown[] = []
  for (const { id: coachId } of coaches) {
    for (const kind of recordKinds) {
      // What one practice's rows refuse must not keep the others' for ever; the job is tried again.
      await eraseOld(platform, coachId, kind, before).catch((error: unknown) => failures.push(error))
    }
  }
  if (failures.length)
    throw new AggregateError(failures, `The trash of ${failures.length} practices could not be emptied.`)
}

function eraseOld(platform: Platform, coachId: number, { kind, erased }: RecordKind, before: Date): Promise<void> {
  return inTenant(platform, coachId, async (tx) => {
    const gone = await tx.rows<Erased>({
      name: `erase.old.${kind}`,
      text: `delete from "${kind}" where deleted_at <= $1 returning ${erasedSql}`,
      values: [before],
    })
    for (const one of gone) await erased?.({ ...tx, platform, coachId }, one)
  })
}

export type HistoryEntry = {
  id: number
  action: HistoryAction
  /** The account that did it; null: the house itself, such as a job. */
  by: { id: number; name: string } | null
  at: Date
  changes: { field: string; label: string; from: unknown; to: unknown }[]
}
export type RecordHistory = { title: string; to: string | null; entries: HistoryEntry[] }

/**
 * What was done to a record, latest first, `rows` entries (null: all) before the entry `before`; `to` is null while the
 * record lies in the trash. Fields by the names of the API, values as the database keeps them (cents, ISO times). Throws
 * not_found.
 */
export async function historyOf(
  ctx: Ctx,
  kind: RecordKind,
  id: number,
  { rows: wanted = null, before = null }: { rows?: number | null; before?: number | null } = {},
): Promise<RecordHistory> {
  authorize(ctx, kind.permission.read)
  const [[record], rows] = (await ctx.rowsOf([
    {
      name: `history.record.${kind.kind}`,
      text: `select ${kind.title} as title, case when deleted_at is null then ${kind.to} end as to from "${kind.kind}" r where r.id = $1`,
      values: [id],
    },
    {
      name: 'history',
      text: `select h.id, h.action, h.changes, h.created_at as at, h.actor_id as "actorId", a.first_name || ' ' || a.last_name as "actorName"
        from history h left join account a on a.id = h.actor_id
        where h.kind = $1 and h.record_id = $2 and ($3::bigint is null or h.id < $3) and (h.action <> 'changed' or exists (
          select from jsonb_array_elements(h.changes) change where change ->> 'field' = any($5)))
        order by h.id desc limit $4`,
      values: [kind.kind, id, before, wanted, Object.keys(kind.fields)],
    },
  ])) as [{ title: string; to: string | null }[], HistoryRow[]]
  if (!record) throw notFound(kind)
  const entries = rows.map(({ id: entry, action, changes, at, actorId, actorName }) => ({
    id: entry,
    action,
    at,
    // Another account than the coach's own is not the coach's to read: it is the platform's administrator.
    by: actorId === null ? null : { id: actorId, name: actorName ?? 'Administrator' },
    changes: changes.flatMap(({ field, from, to }) => {
      const label = kind.fields[field]
      return label ? [{ field: camelCase(field), label: nameOf(label), from: from ?? null, to: to ?? null }] : []
    }),
  }))
  return { ...record, entries }
}

type HistoryRow = {
  id: number
  action: HistoryAction
  changes: { field: string; from: unknown; to: unknown }[]
  at: Date
  actorId: number | null
  actorName: string | null
}

const nameOf = (label: FieldLabel): string => (typeof label === 'string' ? label : label.label)
const camelCase = (column: string): string => column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** What the records that a history points to are called, those in the trash too: `<kind> <id>` → title. */
export async function titlesIn(ctx: Ctx, kind: RecordKind, { entries }: RecordHistory): Promise<Map<string, string>> {
  // A kind of a module that isn't there has no titles.
  const wanted = Object.entries(kind.fields).flatMap(([column, label]) => {
    const of =
      typeof label === 'object' && 'of' in label ? recordKinds.find(({ kind: own }) => own === label.of) : undefined
    return of ? [{ column: camelCase(column), of }] : []
  })
  const answers = await ctx.rowsOf(
    wanted.map(({ column, of }) => ({
      name: `history.titles.${of.kind}`,
      text: `select r.id, ${of.title} as title from "${of.kind}" r where r.id = any($1::bigint[])`,
      values: [
        entries.flatMap(({ changes }) =>
          changes.flatMap(({ field, from, to }) =>
            field === column ? [from, to].filter((value) => value !== null) : [],
          ),
        ),
      ],
    })),
  )
  return new Map(
    answers.flatMap((rows, at) =>
      (rows as { id: number; title: string }[]).map(
        ({ id, title }) => [`${wanted[at]!.of.kind} ${id}`, title] as const,
      ),
    ),
  )
}

/** How the values of a field are to be read. */
export function fieldOf(kind: RecordKind, field: string): FieldLabel {
  return Object.entries(kind.fields).find(([column]) => camelCase(column) === field)?.[1] ?? field
}
