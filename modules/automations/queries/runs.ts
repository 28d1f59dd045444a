import { AppError } from '#app/lib/errors.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { ActionResult, EmailState, RunState } from '../fields.ts'

export type ListedRun = {
  id: number
  coachId: number
  automationId: number
  state: RunState
  problem: string | null
  title: string | null
  link: string | null
  personName: string | null
  results: ActionResult[]
  /** The names of the automations that led to it. */
  chain: string[]
  emails: { actionId: string; email: string; state: EmailState }[]
  createdAt: string
}

const select = `select r.id, r.coach_id as "coachId", r.automation_id as "automationId", r.state, r.problem, r.title, r.link,
    r.person_name as "personName", r.results,
    array(select coalesce(o.name, 'an erased one') from unnest(r.chain) with ordinality as each (id, position)
      left join automation o on o.coach_id = $1 and o.id = each.id order by each.position) as chain,
    coalesce((select jsonb_agg(jsonb_build_object('actionId', e.action_id, 'email', e.email, 'state', e.state))
      from automation_email e where e.coach_id = $1 and e.run_id = r.id), '[]') as emails,
    ${isoTimestamp('r.created_at')} as "createdAt"
  from automation_run r`

/** The runs of an automation, newest first, after the run `after`. */
export async function listRuns(
  ctx: Ctx,
  automationId: number,
  { rows, after = null, state = null }: { rows: number | null; after?: number | null; state?: RunState | null },
): Promise<ListedRun[]> {
  authorize(ctx, 'automations:automation:read')
  return ctx.query<ListedRun>({
    name: 'automations.runs',
    text: `${select}
      where r.coach_id = $1 and r.automation_id = $2 and ($3::bigint is null or r.id < $3)
        and ($4::text is null or r.state = $4)
      order by r.id desc limit $5`,
    values: [ctx.coachId, automationId, after, state, rows],
  })
}

/** Throws not_found. */
export async function getRun(ctx: Ctx, id: number): Promise<ListedRun> {
  authorize(ctx, 'automations:automation:read')
  const [run] = await ctx.query<ListedRun>({
    name: 'automations.run',
    text: `${select} where r.coach_id = $1 and r.id = $2`,
    values: [ctx.coachId, id],
  })
  if (!run) throw new AppError('not_found', 'Run not found', { subject: 'run' })
  return run
}
