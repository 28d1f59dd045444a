import type { z } from 'zod'
import type { Choice } from '#app/lib/fields.ts'
import type { Ctx, PermissionName, WriteCtx } from '#tenants/context.ts'
import type { EventType } from './events.ts'

/** The kinds of people that automations are about. Each is a record kind. */
export type PersonKind = 'client' | 'prospect'

/** Something that happens in a practice, and can begin an automation. */
export type AutomationTrigger = {
  /** `<module>.<name>`: letters and hyphens, no other trigger's. */
  name: string
  /** After "When": `a session is booked`. */
  label: string
  order: number
  permission: PermissionName
  people: PersonKind[]
  /** The event that it follows. Without one, a job looks for what has happened since it ran last. */
  on?: AutomationEvent
  /** A number of days that the coach chooses. */
  days?: { label: string; initial: number; max: number }
  filters: AutomationFilter[]
  /** By name, such as `session title`, what texts can contain besides the names of the client and the coach. */
  placeholders: Record<string, AutomationPlaceholder>
  /** `days`: the coach's choice, a whole number, or 0. */
  rows: (days: number) => TriggerRows
}

/** `where`: SQL with $2 and so on for `values`, which finds the row of a payload. Null: this one begins nothing. */
export type AutomationEvent = {
  event: EventType
  match: (payload: unknown) => { where: string; values: unknown[] } | null
}

/** An event of a trigger with its payload's type. */
export const onEvent = <S extends z.ZodType>(
  event: EventType<S>,
  match: (payload: z.output<S>) => { where: string; values: unknown[] } | null,
): AutomationEvent => ({ event, match: (payload) => match(event.payload.parse(payload)) })

/**
 * SQL fragments that select what has happened, all of the tenant's tables with `coach_id = $1`; conditions are added with
 * `and`. Both a run and the dry run read them, so that they agree.
 */
export type TriggerRows = {
  /** From `from` to the end of `where`, in parentheses where it has an `or`. */
  from: string
  /** A text that is the same as long as it is the same thing that happened. */
  key: string
  at: string
  title: string
  /** The page that shows it, or null. */
  to: string
  /** One of them is not null. */
  clientId: string
  prospectId: string
  /** The person's. */
  name: string
  email: string
  timezone: string
  /** Whether there is still a reason to act when the run begins or goes on: not asked by the dry run. */
  stillTrue?: string
}

/** A condition: the row has the value that the coach chooses, or with `excludes` doesn't have it. */
export type AutomationFilter = {
  name: string
  label: string
  /** SQL: the values of a row, a text[]. */
  values: string
  excludes?: true
  options: (ctx: Ctx) => Promise<Choice[]>
}

/** `sql`: a text or null. `as: 'time'`: a timestamptz, shown in the recipient's time zone; `date`: a date as text. */
export type AutomationPlaceholder = { label: string; sql: string; as?: 'time' | 'date' }

/** Something that an automation can do. */
export type AutomationAction = {
  /** `<module>.<name>`, as a trigger's. */
  name: string
  /** A command: `Create a task`. */
  label: string
  order: number
  permission: PermissionName
  /** The people that it can be done for. */
  people: PersonKind[]
  fields: ActionField[]
  /** The triggers that it can set off, with the values of their filters where it sets them. */
  causes?: (settings: ActionSettings) => { trigger: string; filters: Record<string, string> }[]
  /** In the imperative, such as `Create the task “Call Ada”`. `labels`: of the chosen options. */
  describe: (settings: ActionSettings, labels: ActionSettings) => string
  /** Why it can't be done for somebody, as a sentence. */
  refuses?: (person: Person) => string | null
  /**
   * In the transaction that also records it as done, so that it happens once: what reaches beyond the database is a job.
   * An AppError is shown in the log and not tried again.
   */
  run: (ctx: WriteCtx, settings: ActionSettings, occasion: ActionOccasion) => Promise<void>
}
export type ActionSettings = Record<string, string>
/** The reason for an action. Its run and its own id are the same if it is tried again. */
export type ActionOccasion = {
  runId: number
  actionId: string
  trigger: string
  automation: { id: number; name: string }
  person: Person
}
export type Person = { kind: PersonKind; id: number; name: string; email: string | null }

/** An input of an action. `options`: a choice. `takesPlaceholders`: `run` gets the text with their values. */
export type ActionField = {
  name: string
  label: string
  kind: 'line' | 'text' | 'choice' | 'days'
  /** The message when it is empty. */
  required?: string
  max?: number
  initial?: string
  hint?: string
  takesPlaceholders?: true
  options?: (ctx: Ctx) => Promise<Choice[]>
}
