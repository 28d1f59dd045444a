import { z } from 'zod'
import { isoTimestamp } from '#db/read-pool.ts'
import { defineRecord, timestamp } from '../core/define-record.ts'
import {
  automationFields,
  emailStates,
  runStates,
  type RunState,
  type StoredAction,
  type StoredFilters,
} from './fields.ts'

const StoredActionOut: z.ZodType<StoredAction> = z.object({
  id: z.string(),
  action: z.string(),
  settings: z.record(z.string(), z.string()),
})
const StoredFiltersOut: z.ZodType<StoredFilters> = z.record(z.string(), z.string())

export const automation = defineRecord({
  kind: 'automation',
  label: 'Automation',
  alias: 'o',
  fields: automationFields,
  computed: {
    trigger: { output: z.string(), sql: 'o.trigger' },
    days: { output: z.int().nullable(), sql: 'o.days' },
    filters: { output: StoredFiltersOut, sql: 'o.filters' },
    actions: { output: z.array(StoredActionOut), sql: 'o.actions' },
    enabledAt: { output: z.iso.datetime().nullable(), sql: isoTimestamp('o.enabled_at') },
    updatedAt: timestamp('o.updated_at'),
  },
})
export type AutomationRecord = z.output<typeof automation.output>

/** As the API has it. */
export const AutomationOut = automation.output.extend({
  loop: z
    .array(z.string())
    .nullable()
    .describe('The names of the automations on the way on which it sets itself off, or null. Such a run is stopped'),
})

/** A run as the log has it. */
export const RunOut = z.object({
  id: z.int(),
  coachId: z.int(),
  automationId: z.int(),
  state: z.enum(Object.keys(runStates) as [RunState, ...RunState[]]),
  problem: z.string().nullable().describe('Why it was skipped or stopped, or which failure is tried again'),
  title: z.string().nullable().describe('What happened'),
  link: z.string().nullable().describe('The page that shows it'),
  personName: z.string().nullable(),
  results: z.array(
    z.object({
      id: z.string().describe('Of the action'),
      state: z.enum(['done', 'failed', 'skipped']),
      text: z.string().describe('What it did, or why it didn’t'),
    }),
  ),
  chain: z.array(z.string()).describe('The names of the automations that led to it'),
  emails: z.array(z.object({ actionId: z.string(), email: z.string(), state: z.enum(emailStates) })),
  createdAt: z.iso.datetime(),
})

export const DryRunOut = z.object({
  events: z.int().describe('What happened in the last 30 days, at most 1,000'),
  matching: z.int().describe('Of these, those to which the conditions apply'),
  isCut: z.boolean().describe('Whether only the latest 1,000 were looked at'),
  rows: z.array(
    z.object({
      at: z.iso.datetime(),
      title: z.string().describe('What happened'),
      link: z.string().nullable().describe('The page that shows it'),
      personName: z.string(),
      actions: z.array(
        z.object({
          id: z.string(),
          text: z.string().describe('What would have been done'),
          body: z.string().nullable().describe('The text of an email'),
          problem: z.string().nullable().describe('Why it would not have been done'),
        }),
      ),
    }),
  ),
})

const Choices = z
  .array(z.object({ value: z.string(), label: z.string() }))
  .nullable()
  .describe('Null: free text, or the key has no scope for what can be chosen')

/** The parts that automations are put together from. */
export const PartsOut = z.object({
  triggers: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      days: z.object({ label: z.string(), initial: z.int(), max: z.int() }).nullable(),
      filters: z.array(z.object({ name: z.string(), label: z.string(), choices: Choices })),
      placeholders: z.array(z.string()).describe('In texts, such as {{client name}}'),
      actions: z.array(z.string()).describe('The names of the actions that are possible'),
    }),
  ),
  actions: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      settings: z.array(
        z.object({
          name: z.string(),
          label: z.string(),
          kind: z.enum(['line', 'text', 'choice', 'days']),
          isRequired: z.boolean(),
          max: z.int().nullable().describe('Characters, or days'),
          takesPlaceholders: z.boolean(),
          choices: Choices,
        }),
      ),
    }),
  ),
})
export type Parts = z.output<typeof PartsOut>
