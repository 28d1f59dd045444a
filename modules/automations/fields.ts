import type { Fields } from '#app/lib/fields.ts'

export const automationFields = {
  name: { kind: 'line', label: 'Name', required: 'Name is required', max: 120 },
} as const satisfies Fields

export const newAutomationFields = {
  ...automationFields,
  trigger: { kind: 'line', label: 'When', required: 'Choose when it begins' },
} as const satisfies Fields

/** An action as it is stored. `settings`: by the names of its fields. */
export type StoredAction = { id: string; action: string; settings: Record<string, string> }
/** The chosen values of a trigger's filters. */
export type StoredFilters = Record<string, string>

export const limits = {
  automations: 50,
  actions: 10,
  /** All automations of a coach together, within 24 hours. */
  runsPerDay: 500,
  /** Automations that set each other off, the first one included. */
  chain: 5,
}

export const actionImpossible = 'This action is not possible here.'

/** Days for which the log keeps runs, and that a dry run looks back. */
export const logDays = 90
export const dryRunDays = 30

/**
 * `skipped`: a condition did not apply, or there was no reason left. `stopped`: by a limit or a loop. `failed`: one of its
 * actions.
 */
export const runStates = {
  waiting: 'Waiting',
  done: 'Done',
  failed: 'Failed',
  skipped: 'Skipped',
  stopped: 'Stopped',
} as const
export type RunState = keyof typeof runStates

/** The result of one action. `text`: what it did, or why it didn't. */
export type ActionResult = { id: string; state: 'done' | 'failed' | 'skipped'; text: string }

export const emailStates = ['waiting', 'sending', 'sent', 'failed'] as const
export type EmailState = (typeof emailStates)[number]

const settingPrefix = 'setting-'
/** The name of an input for the field `name` of an action or a filter: never one of the form's own. */
export const settingName = (name: string): string => `${settingPrefix}${name}`

/** The settings in a form. */
export const readSettings = (form: FormData): Record<string, string> =>
  Object.fromEntries(
    [...form].flatMap(([name, value]) =>
      name.startsWith(settingPrefix) && typeof value === 'string' ? [[name.slice(settingPrefix.length), value]] : [],
    ),
  )
