import { z } from 'zod'
import { requiredLine } from '#app/lib/zod-types.ts'
import { signInFields } from './fields.ts'

/** `next`: the page to go on to, which a job keeps; without one that is longer than any page's. */
export const SignIn = z.object({
  email: requiredLine(signInFields.email.required, 254),
  next: z.string().max(500).optional().catch(undefined),
})
