import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { Form, useLoaderData, useSearchParams } from '@remix-run/react'
import { ownPath } from '#app/lib/safe-redirect.ts'
import { formOf, submit } from '#app/lib/form-submission.ts'
import { authenticator, type SignedIn } from '#app/server/pages/authenticator.ts'
import { Entrance } from '#app/shell/auth-layout.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { FormError, TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/form.ts'
import { titled } from '#app/ui/components/branding.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { PasswordField } from '#app/ui/forms/password-field.tsx'
import { Segmented } from '#app/ui/components/tabs.tsx'
import { keepTyped } from '#app/ui/forms/offline-action.ts'
import { Login, Register } from '#tenants/accounts/forms.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data }) =>
  titled(matches, data?.tab === 'register' ? 'Create an account' : 'Sign in')

export function loader({ request, context }: LoaderFunctionArgs) {
  if (context.account) throw redirect('/')
  const { searchParams } = new URL(request.url)
  // Only the platform takes new coaches: on a coach's own host there is nothing to register for.
  const open = context.tenant === null
  return { open, tab: open && searchParams.get('tab') === 'register' ? ('register' as const) : ('login' as const) }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const to = nextOf(request)
  const [form, copy] = [request.clone(), request.clone()]
  const registering = (await formOf(form)).get('intent') === 'register'
  const cookies = ({ token }: SignedIn) => [context.sessionCookie(token)]
  if (registering) {
    return submit(request, Register, () => authenticator(context.visit).authenticate('register', copy), {
      to,
      cookies,
      toast: { tone: 'success', title: 'Registration successful', text: `Welcome to ${context.config.platformName}!` },
      failed: 'Registration failed',
    })
  }
  return submit(request, Login, () => authenticator(context.visit).authenticate('login', copy), {
    to,
    cookies,
    toast: { tone: 'success', title: 'Login successful', text: 'Welcome back!' },
    failed: 'Login failed',
  })
}

const again = 'The server could not be reached. Please try again.'

export const clientAction = keepTyped({
  login: { title: 'Login failed', text: again },
  register: { title: 'Registration failed', text: again },
})

export default function AuthPage() {
  const { open, tab } = useLoaderData<typeof loader>()
  const [search] = useSearchParams()
  const next = search.get('next')
  const addressOf = (which: 'login' | 'register') => {
    const params = new URLSearchParams({
      ...(which === 'register' ? { tab: which } : {}),
      ...(next ? { next } : {}),
    }).toString()
    return params ? `/auth?${params}` : '/auth'
  }
  const registering = tab === 'register'
  return (
    <Entrance
      title={registering ? 'Create your account' : 'Welcome back'}
      sentence={
        registering ? 'Free for your first client. No credit card required.' : 'Your clients are where you left them.'
      }
    >
      {open && (
        <Segmented
          label="Login or register"
          className="mb-6 !grid grid-cols-2"
          segments={[
            { label: 'Login', to: addressOf('login'), current: !registering },
            { label: 'Register', to: addressOf('register'), current: registering },
          ]}
        />
      )}
      {registering ? <RegisterForm /> : <LoginForm />}
      {open && (
        <p className="mt-6 text-ink-3">
          {registering ? (
            <>
              Already have an account?{' '}
              <Link className="link" to={addressOf('login')}>
                Sign in
              </Link>
              .
            </>
          ) : (
            <>
              New here?{' '}
              <Link className="link" to={addressOf('register')}>
                Create an account
              </Link>
              . The first client is free.
            </>
          )}
        </p>
      )}
    </Entrance>
  )
}

function LoginForm() {
  const { form, fields, busy } = useServerForm<{ email: string; password: string }>({ id: 'login', intent: 'login' })
  return (
    <Form method="post" {...form.props} className="grid gap-4">
      <input type="hidden" name="intent" value="login" />
      <FormError id={form.errorId} errors={form.errors} />
      <TextField
        field={{ ...fields.email, required: true }}
        label="Email"
        type="email"
        autoComplete="username"
        className="!h-11"
      />
      <PasswordField
        field={{ ...fields.password, required: true }}
        label="Password"
        autoComplete="current-password"
        className="!h-11"
        aside={
          <Link className="link text-sm" to="/auth/forgot">
            Forgot password?
          </Link>
        }
      />
      <Button type="submit" variant="primary" size="lg" className="mt-1.5 w-full" busy={busy} busyLabel="Signing in...">
        Sign In
      </Button>
    </Form>
  )
}

function RegisterForm() {
  const { form, fields, busy } = useServerForm<Record<'firstName' | 'lastName' | 'email' | 'password', string>>({
    id: 'register',
    intent: 'register',
  })
  return (
    <Form method="post" {...form.props} className="grid gap-4">
      <input type="hidden" name="intent" value="register" />
      <FormError id={form.errorId} errors={form.errors} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          field={{ ...fields.firstName, required: true }}
          label="First name"
          autoComplete="given-name"
          className="!h-11"
        />
        <TextField
          field={{ ...fields.lastName, required: true }}
          label="Last name"
          autoComplete="family-name"
          className="!h-11"
        />
      </div>
      <TextField
        field={{ ...fields.email, required: true }}
        label="Email"
        type="email"
        autoComplete="username"
        className="!h-11"
      />
      <PasswordField
        field={{ ...fields.password, required: true }}
        label="Password"
        hint="At least 6 characters"
        autoComplete="new-password"
        className="!h-11"
      />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        className="mt-1.5 w-full"
        busy={busy}
        busyLabel="Creating account..."
      >
        Create Account
      </Button>
    </Form>
  )
}

/** Where to go after signing in: the page that asked for it, if it is one of ours. */
function nextOf(request: Request): string {
  return ownPath(new URL(request.url).searchParams.get('next')) ?? '/'
}
