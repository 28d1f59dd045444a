import { AppError } from '#app/lib/errors.ts'
import { localDate } from '#app/lib/time.ts'
import type { NewProgramRecord } from '#modules/core/program-parts.ts'
import { joinClient } from '#modules/crm/index.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { forEachCoach } from '#tenants/for-each-coach.ts'
import type { Platform } from '#tenants/platform.ts'
import type { ItemKind } from '../fields.ts'
import { findPart } from '../parts.ts'

export const startQueue = 'programs.start'

/** Puts coaches with milestones that have begun into the queue. Repeated runs change nothing. */
export async function planStarts(platform: Platform): Promise<void> {
  await forEachCoach(platform, async ({ id, removedAt }) => {
    const ctx = removedAt ? null : await loadCoachContext(platform, id, 'program-items')
    if (!ctx || !(await listToStart(ctx)).length) return
    await ctx.write((tx) => tx.enqueue(startQueue, { coachId: id }, { singletonKey: String(id) }))
  })
}

/** Gives clients the items of milestones that have begun, one program after the other. */
export async function startDue(platform: Platform, { coachId }: { coachId: number }): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `program-items-${coachId}`)
  if (!ctx) return
  const programs = new Set((await listToStart(ctx)).map(({ programId }) => programId))
  for (const programId of programs) await ctx.write((tx) => startItems(tx, programId))
}

type ToStart = NewProgramRecord & { id: number; programId: number; kind: ItemKind }

/** Items of running programs that the client is going to get and whose milestone begins today, or began before. */
async function listToStart(ctx: Ctx, programId: number | null = null): Promise<ToStart[]> {
  const kinds = ctx.extensions.programParts.filter(({ start }) => start).map(({ kind }) => kind)
  return ctx.query<ToStart>({
    name: 'programs.to-start',
    text: `select i.id, i.program_id as "programId", i.client_id as "clientId", i.kind, i.title, i.owner,
        i.due_date::text as "dueDate", i.choice_id as "choiceId"
      from program_item i join program_milestone m on m.coach_id = $1 and m.id = i.milestone_id
        join program p on p.coach_id = $1 and p.id = i.program_id
        ${joinClient('p')}
      where i.coach_id = $1 and i.started_at is null and i.kind = any($3::text[]) and m.start_date <= $2::date
        and p.completed_at is null and p.deleted_at is null and c.deleted_at is null and c.archived_at is null
        and ($4::bigint is null or p.id = $4)
      order by m.position, i.position, i.id limit 500`,
    values: [ctx.coachId, localDate(ctx.now(), ctx.account.timezone), kinds, programId],
  })
}

/** Gives the client what has begun of a program, each item once. */
export async function startItems(ctx: WriteCtx, programId: number): Promise<void> {
  // The job and the page may do it at once: one after the other.
  await ctx.query({
    name: 'programs.lock',
    text: 'select 1 from program where coach_id = $1 and id = $2 for update',
    values: [ctx.coachId, programId],
  })
  for (const { id, kind, programId: _program, ...item } of await listToStart(ctx, programId)) {
    const recordId = await start(ctx, kind, item)
    if (recordId === undefined) continue
    await ctx.query({
      name: 'programs.set-started',
      text: 'update program_item set started_at = $3, record_id = $4, updated_at = $3 where coach_id = $1 and id = $2',
      values: [ctx.coachId, id, ctx.now(), recordId],
    })
  }
}

/**
 * Null for what is deleted or refused: the coach ticks the item by hand. Undefined beyond a limit of the plan, which may be
 * over in an hour.
 */
async function start(ctx: WriteCtx, kind: ItemKind, item: NewProgramRecord): Promise<number | null | undefined> {
  try {
    return (await findPart(ctx, kind)?.start?.(ctx, item)) ?? null
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'rate_limited') throw error
    return error.code === 'plan_limit' ? undefined : null
  }
}
