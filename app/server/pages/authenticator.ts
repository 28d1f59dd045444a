import { Authenticator } from 'remix-auth'
import { FormStrategy } from 'remix-auth-form'
import { AppError } from '#app/lib/errors.ts'
import { register } from '#tenants/accounts/accounts.ts'
import { Login, RegistrationForm } from '#tenants/accounts/forms.ts'
import type { RequestContext } from '#tenants/api/operation.ts'
import { startSignIn, type SignInStep } from '#tenants/auth/sign-in-steps.ts'

/**
 * The strategies of the sign-in form: `login` and `register`. They call the same services as /api/login and
 * /api/register and throw the same errors. Registration exists on the platform host only.
 */
export function createAuthenticator(requestContext: RequestContext): Authenticator<SignInStep> {
  return new Authenticator<SignInStep>()
    .use(
      new FormStrategy(({ form }) =>
        startSignIn(requestContext.platform, Login.parse(Object.fromEntries(form)), requestContext),
      ),
      'login',
    )
    .use(
      new FormStrategy(async ({ form }) => {
        if (requestContext.tenant) throw new AppError('not_found', 'There is no registration at this address.')
        const { plan, timezone, ...input } = RegistrationForm.parse(Object.fromEntries(form))
        const options = { timezone, startsTrial: plan === 'pro' }
        return { ...(await register(requestContext.platform, input, requestContext, options)), needsCode: false }
      }),
      'register',
    )
}
