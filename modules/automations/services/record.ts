import { randomUUID } from 'node:crypto'
import { insertRows } from '#db/insert-rows.ts'
import type { EventRecorder } from '#modules/core/events.ts'
import { enqueueRuns } from './queues.ts'

/**
 * Adds a run of each automation that an event begins, if and only if its transaction commits. Nothing is looked up yet:
 * the change must not wait for it, or fail with it.
 */
export const recordRuns: EventRecorder = async (ctx, event, payloads) => {
  const triggers = (ctx.extensions ?? ctx.platform.extensions).automationTriggers.filter(
    ({ on }) => on?.event.name === event,
  )
  if (!triggers.length) return
  // One that is being erased must not make the change fail.
  const automations = await ctx.query<{ id: number; trigger: string }>({
    name: 'automations.of-event',
    text: `select id, trigger from automation
      where coach_id = $1 and trigger = any($2) and enabled_at is not null and deleted_at is null
      order by id for key share`,
    values: [ctx.coachId, triggers.map(({ name }) => name)],
  })
  const now = ctx.platform.now()
  const chain = ctx.automationRun?.chain ?? []
  const rows = automations.flatMap(({ id, trigger: name }) => {
    const trigger = triggers.find((own) => own.name === name)!
    return payloads
      .filter((payload) => trigger.on!.match(payload) !== null)
      .map((payload) => ({
        coach_id: ctx.coachId,
        automation_id: id,
        trigger: name,
        event_key: randomUUID(),
        payload: JSON.stringify(payload),
        chain,
        created_at: now,
      }))
  })
  for (let from = 0; from < rows.length; from += maxRows) {
    const added = await ctx.query<{ id: number }>(
      insertRows('automation_run', rows.slice(from, from + maxRows), { returning: 'id' }),
    )
    await enqueueRuns(
      ctx,
      added.map(({ id }) => id),
    )
  }
}

/** Rows of one statement. */
const maxRows = 1000
