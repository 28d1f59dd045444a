import { AppError } from '#app/lib/errors.ts'
import type { ActionField, ActionSettings, AutomationAction, AutomationTrigger } from '#modules/core/automations.ts'
import type { Ctx } from '#tenants/context.ts'
import { commonPlaceholders, findPlaceholderProblem } from '../texts.ts'

/** The placeholders of a trigger's texts, each with what it stands for. */
export const listPlaceholders = ({
  placeholders,
}: Pick<AutomationTrigger, 'placeholders'>): Record<string, string> => ({
  ...commonPlaceholders,
  ...Object.fromEntries(Object.entries(placeholders).map(([name, { label }]) => [name, label])),
})

/** Checks the inputs of an action. `toPath` names each in errors. Throws validation_failed with a message for each. */
export async function parseSettings(
  ctx: Ctx,
  { fields }: AutomationAction,
  trigger: AutomationTrigger,
  input: ActionSettings,
  toPath: (name: string) => string,
): Promise<ActionSettings> {
  const names = Object.keys(listPlaceholders(trigger))
  const settings: ActionSettings = {}
  const issues: { path: string; message: string }[] = []
  for (const field of fields) {
    const value = clean(field, input[field.name] ?? '')
    const message = await findProblem(ctx, field, value, names)
    if (message) issues.push({ path: toPath(field.name), message })
    else if (value !== '') settings[field.name] = value
  }
  if (issues.length) throw new AppError('validation_failed', issues[0]!.message, { issues })
  return settings
}

function clean({ kind }: ActionField, value: string): string {
  // oxlint-disable-next-line no-control-regex -- Postgres stores no such characters
  const text = value.replaceAll('\r\n', '\n').replaceAll(/[\u0000-\u0008\u000b-\u001f]/g, '')
  return (kind === 'text' ? text : text.replaceAll(/\s+/g, ' ')).trim()
}

async function findProblem(
  ctx: Ctx,
  { kind, required, max, options, takesPlaceholders }: ActionField,
  value: string,
  placeholders: string[],
): Promise<string | null> {
  if (value === '') return required ?? null
  if (kind === 'days')
    return /^\d{1,4}$/.test(value) && Number(value) <= (max ?? 365) ? null : `Enter a number from 0 to ${max ?? 365}`
  if (max !== undefined && [...value].length > max) return `Use at most ${max} characters`
  if (options && !(await options(ctx)).some((option) => option.value === value))
    return required ?? 'Choose one of the list'
  return takesPlaceholders ? findPlaceholderProblem(value, placeholders) : null
}
