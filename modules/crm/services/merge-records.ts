import type { ClientRecords } from '#modules/core/client-records.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import type { MovedRecords } from '../schema.ts'

// The rows of a client are those that modules declare as `clientRecords`. Only their names are known here.

type Clients = { fromId: number; toId: number }

const getColumn = ({ column = 'client_id' }: ClientRecords): string => column
const getCondition = ({ where }: ClientRecords): string => (where ? ` and ${where}` : '')

const canMove = ({ onMerge = 'move' }: ClientRecords): boolean => onMerge === 'move' || onMerge === 'keep-one'

/** Tables before those whose rows belong to theirs. */
function listRecords(ctx: Ctx): ClientRecords[] {
  const left = [...ctx.platform.extensions.clientRecords]
  const ordered: ClientRecords[] = []
  while (left.length) {
    const next = left.findIndex(
      ({ table, parents = {} }) =>
        !Object.values(parents).some((parent) => parent !== table && left.some((other) => other.table === parent)),
    )
    // Tables that refer to each other, if there are any, stay in their order.
    ordered.push(...left.splice(Math.max(0, next), 1))
  }
  return ordered
}

/** The highest id in each table with parents: rows with a higher one were added later. */
export async function listLastIds(ctx: Ctx): Promise<Record<string, number>> {
  const tables = listRecords(ctx).filter((records) => records.parents && canMove(records))
  const results = await ctx.queryAll(
    tables.map(({ table }) => ({
      name: `crm.merge-last.${table}`,
      text: `select coalesce(max(id), 0)::bigint as id from "${table}" where coach_id = $1`,
      values: [ctx.coachId],
    })),
  )
  return Object.fromEntries(tables.map(({ table }, index) => [table, (results[index] as { id: number }[])[0]!.id]))
}

/** Moves all rows of a client to another one. Returns the ids of those that the undo of the merge moves back. */
export async function moveRecords(ctx: WriteCtx, { fromId, toId }: Clients): Promise<MovedRecords> {
  const moved: MovedRecords = {}
  for (const records of listRecords(ctx)) {
    const { table, onMerge = 'move' } = records
    const column = getColumn(records)
    if (onMerge === 'delete')
      await ctx.query({
        name: `crm.merge-delete.${table}`,
        text: `delete from "${table}" where coach_id = $1 and "${column}" = $2${getCondition(records)}`,
        values: [ctx.coachId, fromId],
      })
    if (!canMove(records)) continue
    const isFree = `not exists (select 1 from "${table}" k where k.coach_id = $1 and k."${column}" = $3)`
    const rows = await ctx.query<{ id: number }>({
      name: `crm.merge-move.${table}`,
      text: `update "${table}" set "${column}" = $3 where coach_id = $1 and "${column}" = $2${getCondition(records)}
        ${onMerge === 'keep-one' ? `and ${isFree}` : ''} returning id`,
      values: [ctx.coachId, fromId, toId],
    })
    if (rows.length) moved[table] = rows.map(({ id }) => id)
  }
  return moved
}

/**
 * Moves rows of a merge back, except for those that have another client by now. What was added to them since, such as
 * a refund of a payment, goes with them. Returns what was moved.
 */
export async function moveRecordsBack(
  ctx: WriteCtx,
  { fromId, toId }: Clients,
  merged: { moved: MovedRecords; lastIds: Record<string, number> },
): Promise<MovedRecords> {
  const moved: MovedRecords = {}
  for (const records of listRecords(ctx)) {
    const { table, parents = {} } = records
    if (!canMove(records)) continue
    const links = Object.entries(parents).map(([column, parent]) => ({
      column,
      ids: (parent === table ? merged.moved[parent] : moved[parent]) ?? [],
    }))
    const own = merged.moved[table] ?? []
    if (!own.length && links.every(({ ids }) => !ids.length)) continue
    const column = getColumn(records)
    const added = links.map((link, index) => `"${link.column}" = any($${index + 6}::bigint[])`)
    const rows = await ctx.query<{ id: number }>({
      name: `crm.merge-return.${table}`,
      text: `update "${table}" set "${column}" = $3 where coach_id = $1 and "${column}" = $2${getCondition(records)}
          and (id = any($4::bigint[]) or id > $5::bigint and (${added.join(' or ') || 'false'}))
        returning id`,
      values: [ctx.coachId, fromId, toId, own, merged.lastIds[table] ?? 0, ...links.map(({ ids }) => ids)],
    })
    if (rows.length) moved[table] = rows.map(({ id }) => id)
  }
  return moved
}

export type RecordCount = { table: string; count: number; label: string }

/** How many records of each kind a client has, without those in the trash, which move as well. */
export async function countRecords(ctx: Ctx, clientId: number): Promise<RecordCount[]> {
  const counted = ctx.platform.extensions.clientRecords.filter(({ label }) => label)
  const results = await ctx.queryAll(
    counted.map((records) => {
      const { table } = records
      const hasTrash = ctx.platform.extensions.recordKinds.some(({ kind, restore }) => kind === table && restore)
      return {
        name: `crm.merge-count.${table}`,
        text: `select count(*)::int as count from "${table}" where coach_id = $1 and "${getColumn(records)}" = $2${getCondition(records)}
          ${hasTrash ? 'and deleted_at is null' : ''}`,
        values: [ctx.coachId, clientId],
      }
    }),
  )
  return counted.flatMap(({ table, label }, index) => {
    const { count } = (results[index] as { count: number }[])[0]!
    const [one, many] = label!
    return count ? [{ table, count, label: count === 1 ? one : many }] : []
  })
}
