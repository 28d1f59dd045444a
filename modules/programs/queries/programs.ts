import { matchesSearch } from '#db/search-sql.ts'
import { clientIdsByName } from '#modules/crm/index.ts'
import { listNewest, type Page } from '#tenants/api/list-newest.ts'
import { authorize, requireClient, type Ctx } from '#tenants/context.ts'
import type { ProgressEntry } from '../fields.ts'
import { isVisible, programTables } from '../joins.ts'
import { pageSize, type View } from '../list-state.ts'
import { program, type ProgramRecord } from '../records.ts'

/** For the coach, or the client in the portal, whom row level security shows their own rows alone. */
export function authorizeRead(ctx: Ctx): void {
  if (ctx.client) requireClient(ctx, 'client:program:write')
  else authorize(ctx, 'programs:program:read')
}

/** Newest first. */
export async function listPrograms(
  ctx: Ctx,
  { clientId, status, ...page }: Page & { clientId?: number | undefined; status?: View | undefined } = {},
): Promise<ProgramRecord[]> {
  authorize(ctx, 'programs:program:read')
  return listNewest(ctx, {
    name: 'programs.list',
    select: program.select,
    from: programTables,
    where: {
      isVisible,
      client: clientId !== undefined && ['p.client_id = ?', clientId],
      running: status === 'running' && 'p.completed_at is null',
      completed: status === 'completed' && 'p.completed_at is not null',
    },
    time: 'p.created_at',
    id: 'p.id',
    ...page,
  })
}

/** Throws not_found, also for a program in the trash. */
export async function getProgram(ctx: Ctx, id: number): Promise<ProgramRecord> {
  authorize(ctx, 'programs:program:read')
  const [row] = await ctx.query<ProgramRecord>({
    name: 'programs.get',
    text: `select ${program.select} from ${programTables} where p.coach_id = $1 and p.id = $2 and ${isVisible}`,
    values: [ctx.coachId, id],
  })
  if (!row) throw program.notFound()
  return row
}

export type ProgramRow = ProgramRecord & { clientName: string; progress: ProgressEntry[]; version: number }
const rowColumns = `${program.select}, c.name as "clientName", p.progress, p.version`

/** A program as its page needs it. Throws not_found. */
export async function getProgramRow(ctx: Ctx, id: number): Promise<ProgramRow> {
  authorizeRead(ctx)
  const [row] = await ctx.query<ProgramRow>({
    name: 'programs.row',
    text: `select ${rowColumns} from ${programTables} where p.coach_id = $1 and p.id = $2 and ${isVisible}`,
    values: [ctx.coachId, id],
  })
  if (!row) throw program.notFound()
  return row
}

const filtered = `from ${programTables} where p.coach_id = $1 and ${isVisible}
  and (p.completed_at is null) = ($2 = 'running')
  and ($3::text = '' or ${matchesSearch('$3', 'p')} or p.client_id in (${clientIdsByName('$3')}))`

/** One page of the programs, the latest first; `count`: of all that match. */
export async function listProgramsPage(
  ctx: Ctx,
  { view, q, page }: { view: View; q: string; page: number },
): Promise<{ programs: ProgramRow[]; count: number }> {
  authorize(ctx, 'programs:program:read')
  const [programs, [found]] = (await ctx.queryAll([
    {
      name: 'programs.page',
      text: `select ${rowColumns} ${filtered}
        order by p.completed_at desc, p.start_date desc, p.id desc limit ${pageSize} offset $4`,
      values: [ctx.coachId, view, q, (page - 1) * pageSize],
    },
    {
      name: 'programs.count',
      text: `select count(*)::int as count ${filtered}`,
      values: [ctx.coachId, view, q],
    },
  ])) as [ProgramRow[], [{ count: number }]]
  return { programs, count: found.count }
}

/** The programs of a client, running ones first, then the latest; at most `rows`. */
export async function listProgramsOfClient(ctx: Ctx, clientId: number, rows: number): Promise<ProgramRow[]> {
  authorizeRead(ctx)
  return ctx.query<ProgramRow>({
    name: 'programs.of-client',
    text: `select ${rowColumns} from ${programTables} where p.coach_id = $1 and p.client_id = $2 and ${isVisible}
      order by p.completed_at is not null, p.start_date desc, p.id desc limit $3`,
    values: [ctx.coachId, clientId, rows],
  })
}

/** Whether the coach has any program or template, also in the trash. */
export async function hasTemplates(ctx: Ctx): Promise<boolean> {
  authorize(ctx, 'programs:template:read')
  const [row] = await ctx.query<{ found: boolean }>({
    name: 'programs.any',
    text: 'select exists (select 1 from program_template where coach_id = $1) as found',
    values: [ctx.coachId],
  })
  return row!.found
}
