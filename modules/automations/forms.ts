import { z } from 'zod'
import { formId, requiredLine, singleLine, version } from '#app/lib/zod-types.ts'
import { automationFields } from './fields.ts'

const incomplete = 'This form is incomplete.'
const name = () => requiredLine(automationFields.name.required, automationFields.name.max)
const trigger = () => requiredLine('Choose when it begins', 100)

export const NewAutomationForm = z.object({ name: name(), trigger: trigger() })

/** `days`: missing where the trigger has none. */
export const WhenForm = z.object({
  id: formId(incomplete),
  version: version(),
  name: name(),
  trigger: trigger(),
  days: z.preprocess(
    (value) => (value === '' || value === undefined ? undefined : Number(value)),
    z
      .int('Enter a whole number')
      .min(1, 'Enter a number from 1 to 365')
      .max(365, 'Enter a number from 1 to 365')
      .optional(),
  ),
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
