import { AppError } from '#app/lib/errors.ts'
import { dayMs } from '#app/lib/time.ts'
import type { AutomationAction, AutomationTrigger } from '#modules/core/automations.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import type { Platform } from '#tenants/platform.ts'
import { limits, type ActionResult, type RunState, type StoredAction } from '../fields.ts'
import { hasAutomations } from '../queries/automations.ts'
import { findByPayload, matchesFilters, type Occurrence } from '../queries/occurrences.ts'
import { actionMissing, findAction, findTrigger, loadLabels, triggerMissing } from './catalog.ts'
import { fillSettings, toValues } from './values.ts'

/** How often an action is tried that fails for an unknown reason. */
const maxAttempts = 5

type Run = {
  id: number
  automationId: number
  name: string
  trigger: string
  isSameTrigger: boolean
  days: number | null
  filters: Record<string, string>
  actions: StoredAction[]
  isOn: boolean
  payload: unknown
  chain: number[]
  isStarted: boolean
}
/** A run that may act now. */
type Started = Run & { source: AutomationTrigger; occurrence: Occurrence }

/**
 * Does what an automation says, each action in a transaction that also records it: a job that comes again, or goes on
 * after its worker was killed, does only what is left. Throws what may be over soon, so that the job is retried.
 */
export async function executeRun(
  platform: Platform,
  { coachId, runId }: { coachId: number; runId: number },
): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `automation-${runId}`)
  const run = await ctx?.write((tx) => startRun(tx, runId))
  if (!ctx || !run) return
  for (const stored of run.actions) await runAction(ctx, run, stored)
  await ctx.write((tx) => finishRun(tx, runId))
}

/** Null if there is nothing to do: it says so in the log. */
async function startRun(ctx: WriteCtx, id: number): Promise<Started | null> {
  // The account first, as everywhere: the runs of a day are counted one after the other.
  await ctx.query({
    name: 'automations.lock-account-for-run',
    text: 'select id from account where id = $1 for no key update',
    values: [ctx.coachId],
  })
  const [run] = await ctx.query<Run>({
    name: 'automations.lock-run',
    text: `select r.id, r.automation_id as "automationId", o.name, r.trigger, o.days, o.filters, o.actions, r.payload,
        to_jsonb(r.chain) as chain, r.trigger = o.trigger as "isSameTrigger",
        o.enabled_at is not null and o.deleted_at is null as "isOn", r.started_at is not null as "isStarted"
      from automation_run r join automation o on o.coach_id = $1 and o.id = r.automation_id
      where r.coach_id = $1 and r.id = $2 and r.state = 'waiting' for update of r`,
    values: [ctx.coachId, id],
  })
  if (!run) return null
  const end = async (state: RunState, problem: string, occurrence?: Occurrence): Promise<null> => {
    await endRun(ctx, id, { state, problem })
    if (occurrence) await describeRun(ctx, id, occurrence)
    return null
  }
  if (!run.isOn) return end('stopped', 'The automation was switched off.')
  if (!hasAutomations(ctx)) return end('stopped', 'Automations are part of the Pro and Premium plans.')
  // Its payload is of another event, and the actions are meant for the new one.
  if (!run.isSameTrigger) return end('stopped', 'The automation begins when something else happens by now.')
  const source = findTrigger(ctx, run.trigger)
  if (!source) return end('stopped', triggerMissing)
  const occurrence = await findByPayload(ctx, source, run)
  if (!occurrence) return end('skipped', 'It was deleted in the meantime, or does not count.')
  const started = { ...run, source, occurrence }
  // Also of a run that is tried again, which may be weeks later.
  if (!occurrence.stillTrue) return end('skipped', 'It was no longer so when the automation ran.', occurrence)
  if (run.isStarted) return started

  if (!matchesFilters(source, run.filters, occurrence)) return end('skipped', 'A condition did not apply.', occurrence)
  const limit = findLimit(run)
  if (limit) return end('stopped', limit, occurrence)
  if ((await countStarted(ctx)) >= limits.runsPerDay)
    return end(
      'stopped',
      `Your automations have run ${limits.runsPerDay} times within 24 hours, as often as possible.`,
      occurrence,
    )
  await describeRun(ctx, id, occurrence)
  await ctx.query({
    name: 'automations.start-run',
    text: 'update automation_run set started_at = $3 where coach_id = $1 and id = $2',
    values: [ctx.coachId, id, ctx.now()],
  })
  return started
}

/** Why an automation is stopped that others have led to, or null. */
function findLimit({ chain, automationId }: Run): string | null {
  if (chain.includes(automationId)) return 'This automation set itself off again, so it was stopped.'
  if (chain.length < limits.chain) return null
  return `${limits.chain} automations have set each other off already, so this one was stopped.`
}

async function countStarted(ctx: Ctx): Promise<number> {
  const [row] = await ctx.query<{ count: number }>({
    name: 'automations.count-started',
    text: 'select count(*)::int as count from automation_run where coach_id = $1 and started_at > $2',
    values: [ctx.coachId, new Date(ctx.now().getTime() - dayMs)],
  })
  return row!.count
}

async function describeRun(ctx: WriteCtx, id: number, { title, to, person }: Occurrence): Promise<void> {
  await ctx.query({
    name: 'automations.describe-run',
    text: `update automation_run set title = left($3, 500), link = $4, person_kind = $5, person_id = $6, person_name = $7
      where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id, title, to, person.kind, person.id, person.name],
  })
}

async function endRun(
  ctx: WriteCtx,
  id: number,
  { state, problem }: { state: RunState; problem: string | null },
): Promise<void> {
  await ctx.query({
    name: 'automations.end-run',
    text: `update automation_run set state = $3, problem = $4, finished_at = $5 where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id, state, problem, ctx.now()],
  })
}

async function runAction(ctx: Ctx, run: Started, stored: StoredAction): Promise<void> {
  const action = findAction(ctx, stored.action)
  const { person } = run.occurrence
  const refusal = action ? findRefusal(action, run.occurrence) : null
  if (!action || refusal) {
    const result = { id: stored.id, state: action ? 'skipped' : 'failed', text: refusal ?? actionMissing } as const
    await ctx.write((tx) => addResult(tx, run.id, result))
    return
  }
  const settings = fillSettings(action, stored.settings, toValues(ctx, run.source, run.occurrence))
  const text = action.describe(settings, await loadLabels(ctx, action, stored.settings))
  try {
    await ctx.write(async (tx) => {
      if (!(await addResult(tx, run.id, { id: stored.id, state: 'done', text }))) return
      const own: WriteCtx = {
        ...tx,
        automationRun: { id: run.id, chain: [...run.chain, run.automationId] },
        write: (work) => work(own),
      }
      await action.run(own, settings, {
        runId: run.id,
        actionId: stored.id,
        trigger: run.trigger,
        automation: { id: run.automationId, name: run.name },
        person,
      })
    })
  } catch (error) {
    await recordFailure(ctx, run.id, { id: stored.id, text, error })
  }
}

/** Why an action can't be done for the person of an occurrence, or null. */
export function findRefusal(action: AutomationAction, { person }: Pick<Occurrence, 'person'>): string | null {
  if (!action.people.includes(person.kind))
    return person.kind === 'prospect' ? `${action.label}: for clients only.` : `${action.label}: for prospects only.`
  return action.refuses?.(person) ?? null
}

async function recordFailure(
  ctx: Ctx,
  runId: number,
  { id, text, error }: { id: string; text: string; error: unknown },
): Promise<void> {
  if (error instanceof AppError && error.status < 500) {
    await ctx.write((tx) => addResult(tx, runId, { id, state: 'failed', text: `${text}: ${error.message}` }))
    return
  }
  const [row] = await ctx.write((tx) =>
    tx.query<{ attempts: number }>({
      name: 'automations.record-attempt',
      text: `update automation_run set attempts = attempts + 1, problem = $3 where coach_id = $1 and id = $2 returning attempts`,
      values: [ctx.coachId, runId, 'An action failed, and is tried again.'],
    }),
  )
  if (row && row.attempts < maxAttempts) throw error
  ctx.platform.log.error({ err: error, account: ctx.coachId }, 'an action of an automation failed')
  await ctx.write((tx) =>
    addResult(tx, runId, { id, state: 'failed', text: `${text}: It failed ${maxAttempts} times.` }),
  )
}

/** False if the action has a result already. Locks the run until the transaction ends. */
async function addResult(ctx: WriteCtx, runId: number, result: ActionResult): Promise<boolean> {
  const rows = await ctx.query({
    name: 'automations.add-result',
    text: `update automation_run set results = results || $3::jsonb
      where coach_id = $1 and id = $2 and state = 'waiting' and not results @> $4::jsonb returning id`,
    values: [ctx.coachId, runId, JSON.stringify([result]), JSON.stringify([{ id: result.id }])],
  })
  return rows.length > 0
}

/** Once there is a result of each action. */
async function finishRun(ctx: WriteCtx, id: number): Promise<void> {
  await ctx.query({
    name: 'automations.finish-run',
    text: `update automation_run set finished_at = $3, problem = null,
        state = case when results @> '[{"state": "failed"}]' then 'failed' else 'done' end
      where coach_id = $1 and id = $2 and state = 'waiting'`,
    values: [ctx.coachId, id, ctx.now()],
  })
}
