import { z } from 'zod'
import { requiredLine } from '#app/lib/zod-types.ts'
import { PasskeySignIn } from '#tenants/auth/forms.ts'
import { signInFields } from './fields.ts'

/** The page to go on to, which a job keeps; none where it is longer than any page's. */
const next = z.string().max(500).optional().catch(undefined)

export const SignIn = z.object({
  email: requiredLine(signInFields.email.required, 254),
  next,
})
export const SignInByPasskey = PasskeySignIn.extend({ next })
