import { dayMs, formatDateTime } from '#app/lib/time.ts'
import type { AutomationAction, AutomationTrigger } from '#modules/core/automations.ts'
import type { Ctx } from '#tenants/context.ts'
import { listTriggerChoices } from './automations-loader.server.ts'
import { limits, logDays } from './fields.ts'
import { automationUrl, pageSize } from './list-state.ts'
import { getAutomation, hasAutomations, listAutomations } from './queries/automations.ts'
import { findOfPeriod } from './queries/occurrences.ts'
import { listRuns } from './queries/runs.ts'
import type { AutomationRecord } from './records.ts'
import { describeAutomation, findAction, findTrigger, listActionsFor } from './services/catalog.ts'
import { dryRun } from './services/dry-run.ts'
import { findLoop } from './services/loops.ts'
import { listPlaceholders } from './services/settings.ts'
import { toValues } from './services/values.ts'

/** An automation with the view that is open. Throws not_found. */
export async function loadAutomation(ctx: Ctx, id: number, url: string) {
  const state = automationUrl(id).parse(url)
  const [automation, all] = await Promise.all([getAutomation(ctx, id), listAutomations(ctx)])
  const trigger = findTrigger(ctx, automation.trigger)
  const { name, days, filters, actions, enabledAt, version } = automation
  const [described, conditions, dialog, dry, log] = await Promise.all([
    describeAutomation(ctx, automation),
    trigger && !state.view ? loadConditions(ctx, trigger) : [],
    trigger && !state.view ? loadDialog(ctx, trigger, automation, state) : null,
    state.view === 'dry-run' ? loadDryRun(ctx, automation) : null,
    state.view === 'runs' ? loadLog(ctx, id, state) : null,
  ])
  return {
    id,
    name,
    version,
    days,
    filters,
    isOn: enabledAt !== null,
    hasPlan: hasAutomations(ctx),
    view: state.view,
    trigger: trigger && { name: trigger.name, days: trigger.days ?? null },
    triggers: listTriggerChoices(ctx),
    conditions,
    described,
    possible: trigger ? listActionsFor(ctx, trigger).map(({ name: value, label }) => ({ value, label })) : [],
    isFull: actions.length >= limits.actions,
    loop: findLoop(ctx, all, automation)?.map((link) => link.name) ?? null,
    dialog,
    removing:
      state.dialog === 'remove-action' ? (described.actions.find((own) => own.id === state.action) ?? null) : null,
    dry,
    log,
  }
}
export type AutomationPage = Awaited<ReturnType<typeof loadAutomation>>

/** The filters of a trigger that have something to choose. */
async function loadConditions(ctx: Ctx, trigger: AutomationTrigger) {
  return Promise.all(
    trigger.filters.map(async ({ name, label, options }) => ({ name, label, choices: await options(ctx) })),
  )
}

type State = ReturnType<ReturnType<typeof automationUrl>['parse']>

async function loadDialog(ctx: Ctx, trigger: AutomationTrigger, { days, actions }: AutomationRecord, state: State) {
  if (state.dialog !== 'action') return null
  const stored = actions.find(({ id }) => id === state.action)
  const action = findAction(ctx, stored?.action ?? state.kind ?? '')
  if (!action || (state.action && !stored)) return null
  return {
    id: stored?.id ?? null,
    kind: action.name,
    label: action.label,
    settings: stored?.settings ?? {},
    fields: await loadFields(ctx, action),
    placeholders: Object.entries(listPlaceholders(trigger)).map(([name, meaning]) => ({ name, meaning })),
    example: [...(await loadExample(ctx, trigger, days))],
  }
}

const loadFields = (ctx: Ctx, { fields }: AutomationAction) =>
  Promise.all(fields.map(async ({ options, ...field }) => ({ ...field, choices: options ? await options(ctx) : null })))

/** The values of placeholders for a preview: of what happened last, or else made up. */
async function loadExample(ctx: Ctx, trigger: AutomationTrigger, days: number | null): Promise<Map<string, string>> {
  const to = ctx.now()
  const from = new Date(to.getTime() - logDays * dayMs)
  const [latest] = await findOfPeriod(ctx, trigger, { days, from, to, rows: 1 })
  if (latest) return toValues(ctx, trigger, latest)
  const person = { kind: 'client', id: 0, name: 'Grace Hopper', email: null } as const
  const values = toValues(ctx, trigger, { person, timezone: null, facts: {} })
  for (const name of Object.keys(trigger.placeholders)) values.set(name, `[${name}]`)
  return values
}

async function loadDryRun(ctx: Ctx, automation: AutomationRecord) {
  const found = await dryRun(ctx, automation)
  return (
    found && {
      ...found,
      rows: found.rows.map(({ at, person, ...row }) => ({
        ...row,
        personName: person.name,
        when: formatDateTime(at, ctx.account),
      })),
    }
  )
}

async function loadLog(ctx: Ctx, id: number, { after, state }: State) {
  const rows = await listRuns(ctx, id, { rows: pageSize + 1, after, state })
  const page = rows.slice(0, pageSize)
  return {
    state,
    runs: page.map(({ createdAt, emails, results, ...run }) => ({
      ...run,
      when: formatDateTime(createdAt, ctx.account),
      results: results.map((result) => ({
        ...result,
        email: emails.find(({ actionId }) => actionId === result.id) ?? null,
      })),
    })),
    older: rows.length > pageSize ? automationUrl(id).href({ view: 'runs', state, after: page.at(-1)!.id }) : null,
  }
}
