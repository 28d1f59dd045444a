import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'
import { formId, requiredLine } from '#app/lib/zod-types.ts'
import { Login, secret } from '../accounts/forms.ts'
import { loginCodeFields, passkeyFields, passwordCheckFields, turnOffFields } from './fields.ts'

// Shared by screens, API and tests.

const code = requiredLine(loginCodeFields.code.required, 40)

export const LoginWithCode = Login.extend({ code: code.optional() })
export const LoginCode = z.object({ token: requiredLine(loginCodeFields.token.required, 100), code })
export const PasswordCheck = z.object({ currentPassword: secret(passwordCheckFields.currentPassword.required) })
export const SetupCode = z.object({ code })
export const TurnOff = z.object({ passwordOrCode: secret(turnOffFields.passwordOrCode.required) })

const unreadable = 'This passkey could not be read. Please try again.'
const encoded = z.string().regex(/^[\w-]*$/)

/** The JSON that the browser's passkey dialog returns; the service verifies its content. */
const credential = <T>(response: z.ZodType) =>
  z
    .string(unreadable)
    .max(20_000, unreadable)
    .transform((text, issues): unknown => {
      try {
        return JSON.parse(text)
      } catch {
        issues.addIssue(unreadable)
        return z.NEVER
      }
    })
    .pipe(
      z.custom<T>((value) => z.object({ id: encoded, rawId: encoded, response }).safeParse(value).success, unreadable),
    )

export const PasskeySignIn = z.object({
  response: credential<AuthenticationResponseJSON>(
    z.object({ clientDataJSON: encoded, authenticatorData: encoded, signature: encoded }),
  ),
})
export const NewPasskey = z.object({
  name: requiredLine(passkeyFields.name.required, 60),
  response: credential<RegistrationResponseJSON>(z.object({ clientDataJSON: encoded, attestationObject: encoded })),
})
export const PasswordCheckById = PasswordCheck.extend({ id: formId('This form is incomplete.') })
