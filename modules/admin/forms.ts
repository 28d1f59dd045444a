import { z } from 'zod'
import { email, emptyAsNull, formId, singleLine } from '#app/lib/zod-types.ts'
import { coachFields, planNames } from './fields.ts'

const plan = z.enum(planNames, coachFields.subscriptionStatus.message)

/** Only the email is required: the coach can add a name after signing in. */
export const NewCoach = z.object({
  email: email(),
  firstName: emptyAsNull(singleLine()),
  lastName: emptyAsNull(singleLine()),
  businessName: emptyAsNull(singleLine()),
  subscriptionStatus: plan.default('free'),
})
export type NewCoach = z.output<typeof NewCoach>

export const SubscriptionChange = z.object({ status: plan })
export const SubscriptionForm = SubscriptionChange.extend({ id: formId('Coach not found') })
