import { Authenticator } from 'remix-auth'
import { FormStrategy } from 'remix-auth-form'
import { AppError } from '#app/lib/errors.ts'
import { register } from '#tenants/accounts/accounts.ts'
import { Login, Register } from '#tenants/accounts/forms.ts'
import type { Visit } from '#tenants/api/operation.ts'
import { signIn } from '#tenants/auth/sign-in.ts'

export type SignedIn = { coachId: number; token: string }

/**
 * The ways in by a form: `login` and `register`. They call the services that answer /api/login and /api/register, and
 * throw what those throw. Only the platform takes new coaches: on a coach's own host there is nothing to register for.
 */
export function authenticator(visit: Visit): Authenticator<SignedIn> {
  return new Authenticator<SignedIn>()
    .use(new FormStrategy(({ form }) => signIn(visit.platform, Login.parse(Object.fromEntries(form)), visit)), 'login')
    .use(
      new FormStrategy(async ({ form }) => {
        if (visit.tenant) throw new AppError('not_found', 'There is no registration at this address.')
        return register(visit.platform, Register.parse(Object.fromEntries(form)))
      }),
      'register',
    )
}
