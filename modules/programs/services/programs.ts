import { AppError } from '#app/lib/errors.ts'
import { addDays } from '#app/lib/time.ts'
import { insertRows } from '#db/insert-rows.ts'
import { publish } from '#modules/core/events.ts'
import { lockRow } from '#modules/core/lock-row.ts'
import { assertNotReadOnly, lockClient, lockCurrentClient } from '#modules/crm/index.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { assertStorage } from '#tenants/storage.ts'
import {
  programAssigned,
  programCompleted,
  programDeleted,
  programReopened,
  programRestored,
  programUpdated,
} from '../events.ts'
import { limits, type TemplateMilestone } from '../fields.ts'
import { ProgramDate, type NewProgram, type ProgramEdit } from '../forms.ts'
import { assertKey } from '../parts.ts'
import { getProgram } from '../queries/programs.ts'
import { program, type ProgramRecord } from '../records.ts'
import { getTemplate } from '../queries/templates.ts'
import { Program, type ProgramRow } from '../schema.ts'
import { startItems } from './start-items.ts'

/**
 * Gives a client a copy of a template that begins on a date, and the items of what has begun. Throws not_found, plan_limit,
 * validation_failed for a template without milestones, conflict for one that they have and haven't completed, and forbidden
 * for an API key without the scopes for its forms, appointment types and resources.
 */
export async function assignProgram(
  ctx: WriteCtx,
  { templateId, clientId, startDate }: NewProgram,
): Promise<ProgramRecord> {
  authorize(ctx, 'programs:program:write')
  await lockClient(ctx, clientId)
  await lockCurrentClient(ctx, clientId)
  const { name, description, milestones } = await getTemplate(ctx, templateId)
  if (!milestones.length)
    throw new AppError('validation_failed', 'Add a milestone to the template first', { field: 'templateId' })
  // Assigning gives the client what was chosen in other parts.
  assertKey(
    ctx,
    milestones.flatMap(({ items }) => items),
  )
  assertInRange(startDate, milestones)
  await assertStorage(ctx)
  await assertNotReadOnly(ctx, clientId)
  if (await isFull(ctx, clientId)) throw new AppError('validation_failed', `${mostRunning}.`)
  const [added] = await ctx.query<{ id: number }>({
    name: 'programs.insert',
    text: `insert into program (coach_id, client_id, template_id, name, description, start_date, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $7, $7)
      on conflict (coach_id, client_id, template_id)
        where template_id is not null and completed_at is null and deleted_at is null do nothing
      returning id`,
    values: [ctx.coachId, clientId, templateId, name, description, startDate, ctx.now()],
  })
  if (!added) throw alreadyRunning()
  await copyMilestones(ctx, { programId: added.id, clientId, startDate, milestones })
  await publish(ctx, programAssigned, { programId: added.id })
  await startItems(ctx, added.id)
  return getProgram(ctx, added.id)
}

const alreadyRunning = () =>
  new AppError('conflict', 'This client has this program already. Complete or delete it first.', {
    field: 'templateId',
  })

/** Dates are from 1900 to 2200, as those that are entered. */
function assertInRange(startDate: string, milestones: TemplateMilestone[]): void {
  const dates = milestones.flatMap((milestone) => {
    const begins = toBeginning(startDate, milestone)
    return [begins, ...milestone.items.flatMap(({ days }) => (days === null ? [] : addDays(begins, days)))]
  })
  if (dates.some((date) => !ProgramDate.safeParse(date).success))
    throw new AppError('validation_failed', 'Choose an earlier date: the program would go on after 2200', {
      field: 'startDate',
    })
}

const toBeginning = (startDate: string, { week }: TemplateMilestone): string => addDays(startDate, (week - 1) * 7)

const mostRunning = `A client has at most ${limits.running} programs at a time`

/** Whether the client, whom the caller has locked, has no room for another running program. */
async function isFull(ctx: WriteCtx, clientId: number): Promise<boolean> {
  const [row] = await ctx.query<{ count: number }>({
    name: 'programs.count-running',
    text: `select count(*)::int as count from program
      where coach_id = $1 and client_id = $2 and completed_at is null and deleted_at is null`,
    values: [ctx.coachId, clientId],
  })
  return row!.count >= limits.running
}

type Copied = { programId: number; clientId: number; startDate: string; milestones: TemplateMilestone[] }

/** Two statements, however many items there are. */
async function copyMilestones(ctx: WriteCtx, { programId, clientId, startDate, milestones }: Copied): Promise<void> {
  const common = { coach_id: ctx.coachId, client_id: clientId, program_id: programId }
  const rows = milestones.map((milestone, position) => ({
    ...common,
    position,
    title: milestone.title,
    description: milestone.description,
    start_date: toBeginning(startDate, milestone),
  }))
  const added = await ctx.query<{ id: number; position: number }>(
    insertRows('program_milestone', rows, { returning: 'id, position' }),
  )
  const ids = new Map(added.map(({ id, position }) => [position, id]))
  const now = ctx.now()
  const items = milestones.flatMap((milestone, index) =>
    milestone.items.map(({ kind, title, owner, days, choiceId }, position) => ({
      ...common,
      milestone_id: ids.get(index),
      position,
      kind,
      title,
      owner,
      due_date: days === null ? null : addDays(toBeginning(startDate, milestone), days),
      choice_id: choiceId,
      created_at: now,
      updated_at: now,
    })),
  )
  if (items.length) await ctx.query(insertRows('program_item', items))
}

/** Locks a program that is going to be changed. Throws not_found, and plan_limit for a client who is read-only. */
export async function lockProgram(ctx: WriteCtx, id: number): Promise<ProgramRow> {
  authorize(ctx, 'programs:program:write')
  // One of a client in the trash is not found.
  const { clientId } = await getProgram(ctx, id)
  await assertNotReadOnly(ctx, clientId)
  return lockRow(ctx, program, Program, { coachId: ctx.coachId, id, deletedAt: null })
}

async function change(ctx: WriteCtx, row: ProgramRow, fields: Partial<ProgramRow>): Promise<void> {
  ctx.em.assign(row, { ...fields, updatedAt: ctx.now() })
  await ctx.em.flush()
}

/** Changes the fields that are sent. Throws not_found, plan_limit, and conflict after `expectedVersion`. */
export async function updateProgram(
  ctx: WriteCtx,
  id: number,
  input: ProgramEdit,
  expectedVersion?: number,
): Promise<ProgramRecord> {
  authorize(ctx, 'programs:program:write')
  if (!Object.keys(input).length) return getProgram(ctx, id)
  const row = await lockProgram(ctx, id)
  await assertStorage(ctx)
  program.assertVersion(row, expectedVersion)
  ctx.em.assign(row, { ...input, version: row.version + 1, updatedAt: ctx.now() })
  await ctx.em.flush()
  await publish(ctx, programUpdated, { programId: id })
  return getProgram(ctx, id)
}

/**
 * Sets the progress by hand, or with null counts it again. Throws not_found, plan_limit, and validation_failed once it was
 * set 500 times.
 */
export async function setProgress(ctx: WriteCtx, id: number, percent: number | null): Promise<void> {
  const row = await lockProgram(ctx, id)
  const last = row.progress.at(-1)
  if ((last?.percent ?? null) === percent) return
  if (row.progress.length >= limits.entries)
    throw new AppError('validation_failed', `The progress can be set ${limits.entries} times.`)
  await change(ctx, row, { progress: [...row.progress, { at: ctx.now().toISOString(), percent }] })
  await publish(ctx, programUpdated, { programId: id })
}

/** Idempotent: a second call keeps the time of the first. Throws not_found and plan_limit. */
export async function completeProgram(ctx: WriteCtx, id: number): Promise<ProgramRecord> {
  const row = await lockProgram(ctx, id)
  if (!row.completedAt) {
    await change(ctx, row, { completedAt: ctx.now() })
    await publish(ctx, programCompleted, { programId: id })
  }
  return getProgram(ctx, id)
}

/** Idempotent. Throws not_found, plan_limit, and conflict if the client has the same program again, or 20 others. */
export async function reopenProgram(ctx: WriteCtx, id: number): Promise<ProgramRecord> {
  authorize(ctx, 'programs:program:write')
  await lockProgramClient(ctx, id)
  const row = await lockProgram(ctx, id)
  if (row.completedAt) {
    await assertCanRun(ctx, id, row.client.id)
    await change(ctx, row, { completedAt: null })
    await publish(ctx, programReopened, { programId: id })
  }
  return getProgram(ctx, id)
}

/** The client before the program, as a merge locks them. Does nothing for a program that isn't there. */
async function lockProgramClient(ctx: WriteCtx, id: number): Promise<void> {
  const [found] = await ctx.query<{ clientId: number }>({
    name: 'programs.client-of',
    text: 'select client_id as "clientId" from program where coach_id = $1 and id = $2',
    values: [ctx.coachId, id],
  })
  if (found) await lockClient(ctx, found.clientId)
}

/** Two programs that run again at the same time must not get past the limit. */
async function assertCanRun(ctx: WriteCtx, id: number, clientId: number): Promise<void> {
  // Locked already, unless a merge came in between.
  await lockClient(ctx, clientId)
  await assertNotRunning(ctx, id)
  if (await isFull(ctx, clientId)) throw new AppError('conflict', `${mostRunning}. Complete or delete one first.`)
}

async function assertNotRunning(ctx: WriteCtx, id: number): Promise<void> {
  const [other] = await ctx.query({
    name: 'programs.other-running',
    text: `select 1 from program o join program p on p.coach_id = $1 and p.id = $2
      where o.coach_id = $1 and o.id <> p.id and o.client_id = p.client_id and o.template_id = p.template_id
        and o.completed_at is null and o.deleted_at is null limit 1`,
    values: [ctx.coachId, id],
  })
  if (other) throw new AppError('conflict', 'This client has this program again. Complete or delete it first.')
}

/** Moves a program to the trash. Its tasks and forms stay. Throws not_found, also the second time. */
export async function deleteProgram(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'programs:program:write')
  await getProgram(ctx, id)
  const current = { coachId: ctx.coachId, id, deletedAt: null }
  if (!(await ctx.em.nativeUpdate(Program, current, { deletedAt: ctx.now() }))) throw program.notFound()
  await publish(ctx, programDeleted, { programId: id })
}

/** Takes a program out of the trash. Does nothing if it isn't there. Throws not_found, and conflict as `reopenProgram`. */
export async function restoreProgram(ctx: WriteCtx, id: number): Promise<ProgramRecord> {
  authorize(ctx, 'programs:program:write')
  await lockProgramClient(ctx, id)
  const [trashed] = await ctx.query<{ clientId: number; completed: boolean }>({
    name: 'programs.trashed',
    text: `select client_id as "clientId", completed_at is not null as completed from program
      where coach_id = $1 and id = $2 and deleted_at is not null for update`,
    values: [ctx.coachId, id],
  })
  if (trashed) {
    if (!trashed.completed) await assertCanRun(ctx, id, trashed.clientId)
    await ctx.em.nativeUpdate(Program, { coachId: ctx.coachId, id }, { deletedAt: null })
    await publish(ctx, programRestored, { programId: id })
  }
  return getProgram(ctx, id)
}
