import { z } from 'zod'
import { email, line, optional } from '#app/lib/zod-types.ts'

const planNames = ['free', 'pro', 'premium'] as const

/** A coach whom the administrator adds. Names may follow when the coach signs in. */
export const NewCoach = z.object({
  email: email(),
  firstName: optional(line()),
  lastName: optional(line()),
  businessName: optional(line()),
  subscriptionStatus: z.enum(planNames, 'Choose free, pro or premium').default('free'),
})

export const NewSubscription = z.object({ status: z.enum(planNames, 'Choose free, pro or premium') })

/** Which coach a form is about. */
export const CoachId = z.object({ coach: z.coerce.number().int().positive() })
