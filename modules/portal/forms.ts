import { z } from 'zod'
import { requiredLine } from '#app/lib/zod-types.ts'
import { signInFields } from './fields.ts'

export const SignIn = z.object({ email: requiredLine(signInFields.email.required, 254), next: z.string().optional() })
