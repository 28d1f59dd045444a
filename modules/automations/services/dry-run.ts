import { dayMs } from '#app/lib/time.ts'
import type { Person } from '#modules/core/automations.ts'
import { authorize, ifAllowed, type Ctx } from '#tenants/context.ts'
import { dryRunDays } from '../fields.ts'
import { findOfPeriod, matchesFilters } from '../queries/occurrences.ts'
import type { AutomationRecord } from '../records.ts'
import { actionMissing, findAction, findTrigger, lacksLabel, loadLabels } from './catalog.ts'
import { findRefusal } from './run.ts'
import { fillSettings, toValues } from './values.ts'

/** Rows that are looked at, and those that are shown. */
const maxRows = 1000
const shownRows = 100

/** `body`: the text of an email. `problem`: why it would not be done. */
export type DryAction = { id: string; text: string; body: string | null; problem: string | null }
export type DryRun = {
  /** Events of the last 30 days, and those to which the conditions apply. `isCut`: only the latest were looked at. */
  events: number
  matching: number
  isCut: boolean
  rows: { key: string; at: string; title: string; to: string | null; person: Person; actions: DryAction[] }[]
}

/** Lists what an automation would have done within the last 30 days, newest first. Null without its trigger. */
export async function dryRun(
  ctx: Ctx,
  { trigger: name, days, filters, actions }: AutomationRecord,
): Promise<DryRun | null> {
  authorize(ctx, 'automations:automation:read')
  const trigger = findTrigger(ctx, name)
  if (!trigger) return null
  authorize(ctx, trigger.permission)
  const to = ctx.now()
  const from = new Date(to.getTime() - dryRunDays * dayMs)
  const found = await findOfPeriod(ctx, trigger, { days, from, to, rows: maxRows + 1 })
  const events = found.slice(0, maxRows)
  const matching = events.filter((occurrence) => matchesFilters(trigger, filters, occurrence))
  const known = await Promise.all(
    actions.map(async ({ id, action: actionName, settings }) => {
      const action = findAction(ctx, actionName)
      // Without those that an API key may not see.
      const labels = action ? await ifAllowed(ctx, (own) => loadLabels(own, action, settings)) : null
      return { id, action, settings, labels: labels ?? {} }
    }),
  )
  const rows = matching.slice(0, shownRows).map((occurrence) => {
    const values = toValues(ctx, trigger, occurrence)
    const { key, at, title, to: link, person } = occurrence
    const planned = known.map(({ id, action, settings, labels }): DryAction => {
      if (!action) return { id, text: 'An action', body: null, problem: actionMissing }
      const filled = fillSettings(action, settings, values)
      const body = action.fields.some((field) => field.kind === 'text') ? (filled.body ?? null) : null
      const text = lacksLabel(action, settings, labels) ? action.label : action.describe(filled, labels)
      return { id, text, body, problem: findRefusal(action, occurrence) }
    })
    return { key, at, title, to: link, person, actions: planned }
  })
  return { events: events.length, matching: matching.length, isCut: found.length > maxRows, rows }
}
