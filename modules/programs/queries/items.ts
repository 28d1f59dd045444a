import { isoTimestamp } from '#db/read-pool.ts'
import { AppError } from '#app/lib/errors.ts'
import { dayStart } from '#app/lib/time.ts'
import type { ProgramRecordState } from '#modules/core/program-parts.ts'
import { listNewest, type Page } from '#tenants/api/list-newest.ts'
import type { Ctx } from '#tenants/context.ts'
import type { ItemKind, ItemOwner } from '../fields.ts'
import { findPart } from '../parts.ts'
import type { CountedItem } from '../progress.ts'
import type { ItemRecord } from '../records.ts'
import { authorizeRead, getProgram } from './programs.ts'

export type Milestone = {
  id: number
  programId: number
  title: string
  description: string | null
  startDate: string
}
type ItemRow = {
  id: number
  coachId: number
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

const itemColumns = `i.id, i.coach_id as "coachId", i.program_id as "programId", i.client_id as "clientId",
  i.milestone_id as "milestoneId", i.kind, i.title, i.owner, i.due_date::text as "dueDate", i.choice_id as "choiceId",
  i.record_id as "recordId", ${isoTimestamp('i.started_at')} as "startedAt", ${isoTimestamp('i.done_at')} as "doneAt",
  ${isoTimestamp('i.created_at')} as "createdAt", p.start_date::text as since`

type ProgramParts = { milestones: Milestone[]; items: Item[] }

/** The milestones of programs with their items, in order, and how these are. */
export async function listItems(ctx: Ctx, programIds: number[]): Promise<ProgramParts> {
  authorizeRead(ctx)
  if (!programIds.length) return { milestones: [], items: [] }
  return readParts(ctx, { name: '', programs: 'any($2::bigint[])', value: programIds })
}

/** As `listItems`, for the running programs of a client. */
export function listItemsOfClient(ctx: Ctx, clientId: number): Promise<ProgramParts> {
  authorizeRead(ctx)
  const running = `select id from program
    where coach_id = $1 and client_id = $2 and completed_at is null and deleted_at is null`
  return readParts(ctx, { name: '-of-client', programs: `any(${running})`, value: clientId })
}

/** `programs`: SQL to compare a program's id with by `=`. `value` is its $2. */
async function readParts(
  ctx: Ctx,
  { name, programs, value }: { name: string; programs: string; value: unknown },
): Promise<ProgramParts> {
  const [milestones, rows] = (await ctx.queryAll([
    {
      name: `programs.milestones${name}`,
      text: `select id, program_id as "programId", title, description, start_date::text as "startDate"
        from program_milestone where coach_id = $1 and program_id = ${programs}
        order by program_id, position, id`,
      values: [ctx.coachId, value],
    },
    {
      name: `programs.items${name}`,
      text: `select ${itemColumns}
        from program_item i join program_milestone m on m.coach_id = $1 and m.id = i.milestone_id
          join program p on p.coach_id = $1 and p.id = i.program_id
        where i.coach_id = $1 and i.program_id = ${programs}
        order by i.program_id, m.position, m.id, i.position, i.id`,
      values: [ctx.coachId, value],
    },
  ])) as [Milestone[], ItemRow[]]
  const states = await loadStates(ctx, rows)
  return { milestones, items: rows.map((row) => toItem(ctx, row, states[row.id])) }
}

/** A page of the items of a program as the API returns them, newest first. Throws not_found. */
export async function listProgramItems(ctx: Ctx, programId: number, page: Page = {}): Promise<ItemRecord[]> {
  await getProgram(ctx, programId)
  const rows = await listNewest<{ id: number }>(ctx, {
    name: 'programs.item-ids',
    select: 'i.id',
    from: 'program_item i',
    where: { program: ['i.program_id = ?', programId] },
    time: 'i.created_at',
    id: 'i.id',
    ...page,
  })
  // Which session an item is done by depends on the items before it.
  const { items } = await listItems(ctx, [programId])
  const byId = new Map(items.map((item) => [item.id, item]))
  return rows.flatMap(({ id }) => {
    const item = byId.get(id)
    return item ? [toItemRecord(item)] : []
  })
}

/** Throws not_found, also for an item of another program. */
export async function getProgramItem(ctx: Ctx, programId: number, id: number): Promise<ItemRecord> {
  await getProgram(ctx, programId)
  const { items } = await listItems(ctx, [programId])
  const item = items.find((one) => one.id === id)
  if (!item) throw itemNotFound()
  return toItemRecord(item)
}

export const itemNotFound = () => new AppError('not_found', 'Item not found', { subject: 'item' })

export const toItemRecord = ({ to: _to, toggle: _toggle, isCounted: _counted, isTicked: _ticked, ...item }: Item) =>
  item satisfies ItemRecord

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
    doneAt: state ? state.doneAt : row.doneAt,
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
