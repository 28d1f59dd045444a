import { formatCalendarDate, formatDateTime, formatZone } from '#app/lib/time.ts'
import type { ActionSettings, AutomationAction, AutomationTrigger } from '#modules/core/automations.ts'
import type { Ctx } from '#tenants/context.ts'
import type { Occurrence } from '../queries/occurrences.ts'
import { fillLine, fillText } from '../texts.ts'

/** The values of a trigger's placeholders. Times are in the time zone of the person, or else in the coach's. */
export function toValues(
  { account }: Pick<Ctx, 'account'>,
  { placeholders }: AutomationTrigger,
  { person, timezone, facts }: Pick<Occurrence, 'person' | 'timezone' | 'facts'>,
): Map<string, string> {
  const format = (text: string, as: 'time' | 'date' | undefined): string => {
    if (as === 'date') return formatCalendarDate(text, { month: 'long', day: 'numeric', year: 'numeric' })
    if (as !== 'time') return text
    const zone = timezone || account.timezone
    const at = new Date(text)
    return `${formatDateTime(at, { ...account, timezone: zone })} (${formatZone(zone, at)})`
  }
  return new Map([
    ['client name', person.name],
    ['client first name', person.name.split(/\s/)[0] ?? ''],
    ['coach name', account.businessName ?? `${account.firstName} ${account.lastName}`],
    ...Object.entries(placeholders).map(([name, { as }]): [string, string] => {
      const fact = facts[name]
      return [name, fact ? format(fact, as) : '']
    }),
  ])
}

/** The settings of an action with the values of their placeholders. */
export function fillSettings(
  { fields }: AutomationAction,
  settings: ActionSettings,
  values: ReadonlyMap<string, string>,
): ActionSettings {
  const filled = fields
    .filter(({ name }) => settings[name] !== undefined)
    .map(({ name, kind, takesPlaceholders }) => {
      const text = settings[name]!
      if (!takesPlaceholders) return [name, text]
      return [name, kind === 'text' ? fillText(text, values) : fillLine(text, values)]
    })
  return Object.fromEntries(filled) as ActionSettings
}
