import type { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { refuseClosed } from '../accounts/closing.ts'
import type { Login } from '../accounts/forms.ts'
import type { Platform } from '../platform.ts'
import type { LoginCode, LoginWithCode } from './forms.ts'
import { createSignInToken, findSignInToken, redeemSignInToken } from './one-time-tokens.ts'
import { checkSecondFactor, needsCode } from './second-factor.ts'
import { replaceSession, type SignInContext } from './sessions.ts'
import { checkCredentials } from './sign-in.ts'

/** The token of a session, or of the step that asks for the second factor's code. */
export type SignInStep = { coachId: number; token: string; needsCode: boolean }

/**
 * Signs in with everything at once, for the API. Throws as `checkCredentials`, second_factor_required, and
 * forbidden for an account that its owner has closed.
 */
export async function signIn(
  platform: Platform,
  { code, ...input }: z.infer<typeof LoginWithCode>,
  context: SignInContext,
): Promise<{ coachId: number; token: string }> {
  const coachId = await checkCredentials(platform, input, context)
  if (await needsCode(platform, coachId)) {
    if (!code) throw new AppError('second_factor_required', 'Send `code`, from your authenticator app, as well.')
    await checkSecondFactor(platform, coachId, code, context)
  }
  await refuseClosed(platform, coachId)
  return { coachId, token: await replaceSession(platform, coachId, context) }
}

/** The first step of the sign-in form, and the only one without a second factor. Throws as `checkCredentials`. */
export async function startSignIn(
  platform: Platform,
  input: z.infer<typeof Login>,
  context: SignInContext,
): Promise<SignInStep> {
  const coachId = await checkCredentials(platform, input, context)
  if (await needsCode(platform, coachId))
    return { coachId, token: await createSignInToken(platform, coachId), needsCode: true }
  return { coachId, token: await replaceSession(platform, coachId, context), needsCode: false }
}

/**
 * The second step: returns the token of the session. Throws as `checkSecondFactor`, and unauthorized after 5 minutes.
 */
export async function finishSignIn(
  platform: Platform,
  { token, code }: z.infer<typeof LoginCode>,
  context: SignInContext,
): Promise<string> {
  const coachId = await findSignInToken(platform, token)
  if (coachId === null || (context.tenant && context.tenant.id !== coachId)) throw expired()
  await checkSecondFactor(platform, coachId, code, context)
  if ((await redeemSignInToken(platform, token)) !== coachId) throw expired()
  return replaceSession(platform, coachId, context)
}

const expired = (): AppError =>
  new AppError('unauthorized', 'Your sign-in has expired. Enter your email and password again.', {
    subject: 'sign-in',
  })
