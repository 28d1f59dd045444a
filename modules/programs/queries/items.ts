import { isoTimestamp } from '#db/read-pool.ts'
import { dayStart } from '#app/lib/time.ts'
import type { ProgramRecordState } from '#modules/core/manifest.ts'
import type { Ctx } from '#tenants/context.ts'
import type { ItemKind, ItemOwner } from '../fields.ts'
import { findPart } from '../parts.ts'
import type { CountedItem } from '../progress.ts'
import { authorizeRead } from './programs.ts'

export type Milestone = {
  id: number
  programId: number
  title: string
  description: string | null
  startDate: string
}
type ItemRow = {
  id: number
  programId: number
  clientId: number
  milestoneId: number
  kind: ItemKind
  title: string
  owner: ItemOwner
  dueDate: string | null
  choiceId: number | null
  recordId: number | null
  startedAt: string | null
  doneAt: string | null
  createdAt: string
  since: string
}
/**
 * `doneAt`: when it was ticked, or done in its own module. `isCounted`: for the progress, which is the client's. `isTicked`: it is ticked here,
 * since no other module says whether it is done.
 */
export type Item = Omit<ItemRow, 'since'> &
  Pick<ProgramRecordState, 'to' | 'toggle'> & { isCounted: boolean; isTicked: boolean }

/** The milestones of programs with their items, in order, and how these are. */
export async function listItems(ctx: Ctx, programIds: number[]): Promise<{ milestones: Milestone[]; items: Item[] }> {
  authorizeRead(ctx)
  if (!programIds.length) return { milestones: [], items: [] }
  const [milestones, rows] = (await ctx.queryAll([
    {
      name: 'programs.milestones',
      text: `select id, program_id as "programId", title, description, start_date::text as "startDate"
        from program_milestone where coach_id = $1 and program_id = any($2::bigint[])
        order by program_id, position, id`,
      values: [ctx.coachId, programIds],
    },
    {
      name: 'programs.items',
      text: `select i.id, i.program_id as "programId", i.client_id as "clientId", i.milestone_id as "milestoneId", i.kind,
          i.title, i.owner, i.due_date::text as "dueDate", i.choice_id as "choiceId", i.record_id as "recordId",
          ${isoTimestamp('i.started_at')} as "startedAt", ${isoTimestamp('i.done_at')} as "doneAt",
          ${isoTimestamp('i.created_at')} as "createdAt", p.start_date::text as since
        from program_item i join program_milestone m on m.coach_id = $1 and m.id = i.milestone_id
          join program p on p.coach_id = $1 and p.id = i.program_id
        where i.coach_id = $1 and i.program_id = any($2::bigint[])
        order by i.program_id, m.position, m.id, i.position, i.id`,
      values: [ctx.coachId, programIds],
    },
  ])) as [Milestone[], ItemRow[]]
  const states = await loadStates(ctx, rows)
  return { milestones, items: rows.map((row) => toItem(ctx, row, states[row.id])) }
}

async function loadStates(ctx: Ctx, rows: ItemRow[]): Promise<Record<number, ProgramRecordState>> {
  const byKind = Map.groupBy(rows, ({ kind }) => kind)
  const loaded = await Promise.all(
    [...byKind].map(([kind, items]) =>
      findPart(ctx, kind)?.load(
        ctx,
        items.map(({ since, ...item }) => ({ ...item, since: dayStart(since, ctx.account.timezone) })),
      ),
    ),
  )
  return Object.assign({}, ...loaded)
}

/** An item whose record is missing, because it was deleted or its module is, is ticked by hand. */
function toItem(ctx: Ctx, { since: _since, ...row }: ItemRow, state: ProgramRecordState | undefined): Item {
  const part = findPart(ctx, row.kind)
  const isWaiting = part !== undefined && row.startedAt === null && part.start !== undefined
  return {
    ...row,
    doneAt: state?.doneAt ?? row.doneAt,
    to: state?.to ?? null,
    toggle: state?.toggle ?? null,
    isCounted: row.owner === 'client' && (part?.isCounted ?? row.kind !== 'resource'),
    isTicked: !state && !isWaiting && row.kind !== 'resource',
  }
}

export const toCounted = (items: Item[]): CountedItem[] => items.filter(({ isCounted }) => isCounted)

/** The items that were ticked in the programs of a client, the latest first; at most `rows`. */
export async function listTicked(
  ctx: Ctx,
  clientId: number,
  rows: number,
): Promise<{ id: number; programId: number; title: string; doneAt: string }[]> {
  authorizeRead(ctx)
  return ctx.query({
    name: 'programs.ticked',
    text: `select i.id, i.program_id as "programId", i.title, ${isoTimestamp('i.done_at')} as "doneAt"
      from program_item i join program p on p.coach_id = $1 and p.id = i.program_id and p.deleted_at is null
      where i.coach_id = $1 and i.client_id = $2 and i.done_at is not null
      order by i.done_at desc, i.id desc limit $3`,
    values: [ctx.coachId, clientId, rows],
  })
}
