import { ignoreNotFound } from '#app/lib/errors.ts'
import { formatDateTime } from '#app/lib/time.ts'
import type { Ctx } from '#tenants/context.ts'
import { limits } from './fields.ts'
import { capitalize } from './format.ts'
import { automationsUrl } from './list-state.ts'
import { countRuns, getAutomation, hasAutomations, listAutomations } from './queries/automations.ts'
import { describeTrigger, findAction, findTrigger, lacksPart } from './services/catalog.ts'

export async function loadAutomations(ctx: Ctx, url: string) {
  const { dialog, automation: id } = automationsUrl.parse(url)
  const [automations, counts, selected] = await Promise.all([
    listAutomations(ctx),
    countRuns(ctx),
    dialog === 'delete' && id ? getAutomation(ctx, id).catch(ignoreNotFound) : null,
  ])
  return {
    dialog,
    hasPlan: hasAutomations(ctx),
    isFull: automations.length >= limits.automations,
    triggers: listTriggerChoices(ctx),
    automations: automations.map((automation) => {
      const trigger = findTrigger(ctx, automation.trigger)
      const { runs = 0, failed = 0, lastAt = null } = counts.find((own) => own.automationId === automation.id) ?? {}
      return {
        id: automation.id,
        name: automation.name,
        when: trigger ? `When ${describeTrigger(trigger, automation.days)}` : null,
        then: automation.actions.map(({ action }) => findAction(ctx, action)?.label ?? 'not available').join(', '),
        isOn: automation.enabledAt !== null,
        isBroken: lacksPart(ctx, automation),
        runs,
        failed,
        last: lastAt && formatDateTime(lastAt, ctx.account),
      }
    }),
    selected: selected && { id: selected.id, name: selected.name },
  }
}
export type AutomationsPage = Awaited<ReturnType<typeof loadAutomations>>

export const listTriggerChoices = ({ extensions }: Pick<Ctx, 'extensions'>) =>
  extensions.automationTriggers.map(({ name, label }) => ({ value: name, label: capitalize(label) }))
