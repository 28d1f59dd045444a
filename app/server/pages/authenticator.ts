import { Authenticator } from 'remix-auth'
import { FormStrategy } from 'remix-auth-form'
import { AppError } from '#app/lib/errors.ts'
import { register } from '#tenants/accounts/accounts.ts'
import { Login, RegistrationForm } from '#tenants/accounts/forms.ts'
import type { RequestContext } from '#tenants/api/operation.ts'
import { signIn } from '#tenants/auth/sign-in.ts'

export type SignedInSession = { coachId: number; token: string }

/**
 * The strategies of the sign-in form: `login` and `register`. They call the same services as /api/login and
 * /api/register and throw the same errors. Registration exists on the platform host only.
 */
export function createAuthenticator(requestContext: RequestContext): Authenticator<SignedInSession> {
  return new Authenticator<SignedInSession>()
    .use(
      new FormStrategy(({ form }) =>
        signIn(requestContext.platform, Login.parse(Object.fromEntries(form)), requestContext),
      ),
      'login',
    )
    .use(
      new FormStrategy(async ({ form }) => {
        if (requestContext.tenant) throw new AppError('not_found', 'There is no registration at this address.')
        const { plan, timezone, ...input } = RegistrationForm.parse(Object.fromEntries(form))
        const { platform, address } = requestContext
        return register(platform, input, { address, timezone, startsTrial: plan === 'pro' })
      }),
      'register',
    )
}
