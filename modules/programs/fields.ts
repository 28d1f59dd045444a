import type { Fields } from '#app/lib/fields.ts'
import type { ProgramPartKind } from '#modules/core/program-parts.ts'

/** Kinds of items: the client or the coach ticks a checklist item, the others are records of other modules. */
export type ItemKind = 'check' | ProgramPartKind
export const itemKinds: Record<ItemKind, string> = {
  check: 'Checklist item',
  task: 'Task',
  form: 'Form',
  session: 'Session',
  resource: 'Resource',
}

export const itemOwners = { client: 'The client', coach: 'Me' } as const
export type ItemOwner = keyof typeof itemOwners

/** `days`: after the milestone begins, on which the item is due. `choiceId`: of the form, appointment type or resource. */
export type TemplateItem = {
  id: string
  kind: ItemKind
  title: string
  owner: ItemOwner
  days: number | null
  choiceId: number | null
}
/** `week`: of the program, in which it begins. */
export type TemplateMilestone = {
  id: string
  title: string
  description: string | null
  week: number
  items: TemplateItem[]
}

/** Progress that the coach has set by hand; null: counted again. */
export type ProgressEntry = { at: string; percent: number | null }

export const limits = {
  milestones: 50,
  /** Items of one milestone. */
  items: 30,
  weeks: 104,
  days: 365,
  goals: 20,
  /** Values of one goal. */
  values: 1000,
  /** Times that the coach sets the progress of one program. */
  entries: 500,
  /** Programs that a client has at a time. */
  running: 20,
} as const

export const templateFields = {
  name: { kind: 'line', label: 'Name', required: 'Name is required' },
  description: { kind: 'text', label: 'Introduction', max: 2000, optional: true },
} as const satisfies Fields

export const programFields = {
  ...templateFields,
  clientId: { kind: 'reference', label: 'Client', to: 'client', readonly: true },
  startDate: { kind: 'date', label: 'Begins', readonly: true },
} as const satisfies Fields

export const goalFields = {
  title: { kind: 'line', label: 'Goal', required: 'Enter the goal' },
  unit: { kind: 'line', label: 'Unit', max: 40, optional: true },
} as const satisfies Fields

export const valueSetters = { coach: 'Coach', client: 'Client' } as const
export type ValueSetter = keyof typeof valueSetters
