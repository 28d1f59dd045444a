import { z } from 'zod'
import { formId, multiLine, requiredLine, singleLine, version } from '#app/lib/zod-types.ts'
import { actionImpossible, automationFields, limits, runStates, type RunState } from './fields.ts'

const incomplete = 'This form is incomplete.'
const name = () => requiredLine(automationFields.name.required, automationFields.name.max)
const triggerMessage = 'Choose when it begins'
const trigger = () => requiredLine(triggerMessage, 100)
const days = () =>
  z.int('Enter a whole number').min(1, 'Enter a number from 1 to 365').max(365, 'Enter a number from 1 to 365')

export const NewAutomationForm = z.object({ name: name(), trigger: trigger() })

/** `days`: missing where the trigger has none. */
export const WhenForm = z.object({
  id: formId(incomplete),
  version: version(),
  name: name(),
  trigger: trigger(),
  days: z.preprocess((value) => (value === '' || value === undefined ? undefined : Number(value)), days().optional()),
})

/** The name of a trigger or an action. */
const partName = (message: string) => z.string(message).regex(/^[a-z-]{1,60}\.[a-z-]{1,60}$/, message)
/** Values by name: few and bounded, whatever the names are. */
const values = (maxLength: number) =>
  z
    .record(z.string().regex(/^[A-Za-z-]{1,40}$/, 'Send the name of a field'), multiLine(maxLength))
    .refine((entries) => Object.keys(entries).length <= 20, 'Send at most 20 fields')

const ActionInput = z.object({ action: partName(actionImpossible), settings: values(5000).default({}) })
const actionList = <S extends z.ZodType>(action: S) =>
  z
    .array(action)
    .max(limits.actions, `An automation has at most ${limits.actions} actions.`)
    .optional()
    .describe('All of them, in order')

/** POST /api/automations */
export const NewAutomation = z.object({
  name: name(),
  trigger: partName(triggerMessage),
  days: days().nullable().optional().describe('Of a trigger that has some. Null or left out: as the trigger begins'),
  filters: values(255).optional().describe('By the name of the filter; the others don’t apply'),
  actions: actionList(ActionInput),
})
/** PATCH /api/automations/{id} */
export const AutomationEdit = NewAutomation.extend({
  days: days().nullable().optional().describe('Of a trigger that has some. Null: as they are'),
  actions: actionList(
    ActionInput.extend({
      id: z
        .string()
        .regex(/^[a-z0-9]{1,40}$/, 'Send the id of an action')
        .optional()
        .describe('Of an action that stays. Left out: a new one'),
    }),
  ),
}).partial()
/** GET /api/automations/{id}/runs */
export const RunFilter = z.object({
  state: z.enum(Object.keys(runStates) as [RunState, ...RunState[]], 'Choose a state').optional(),
})

/** The chosen values are read from the form itself: their names are those of the trigger's filters. */
export const OnlyIfForm = z.object({ id: formId(incomplete), version: version() })

/** `action`: of one that it has. `kind`: the name of a new one. The settings are read from the form itself. */
export const ActionForm = z.object({
  id: formId(incomplete),
  version: version(),
  action: singleLine(40).optional(),
  kind: singleLine(100),
})
export const ByAction = z.object({ id: formId(incomplete), action: singleLine(40) })
