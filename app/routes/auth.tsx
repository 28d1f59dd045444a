import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { Form, useLoaderData, useSearchParams } from '@remix-run/react'
import { useEffect, useState } from 'react'
import { safeRedirectPath } from '#app/lib/url.ts'
import { readForm, submit } from '#app/lib/form-submission.ts'
import { createAuthenticator, type SignedInSession } from '#app/server/pages/authenticator.ts'
import { AuthLayout } from '#app/shell/auth-layout.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { FormError, TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/form.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { PasswordField } from '#app/ui/forms/password-field.tsx'
import { Segmented } from '#app/ui/components/tabs.tsx'
import { keepFormOnFailure } from '#app/ui/forms/offline-action.ts'
import { Login, Register } from '#tenants/accounts/forms.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data }) =>
  pageTitle(matches, data?.tab === 'register' ? 'Create an account' : 'Sign in')

export function loader({ request, context }: LoaderFunctionArgs) {
  if (context.account) throw redirect('/')
  const { searchParams } = new URL(request.url)
  // Coaches register on the platform, not on another coach's host.
  const canRegister = context.tenant === null
  const tab = canRegister && searchParams.get('tab') === 'register' ? ('register' as const) : ('login' as const)
  return { canRegister, tab, plan: parsePlan(searchParams) }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { searchParams } = new URL(request.url)
  const plan = parsePlan(searchParams)
  const to = safeRedirectPath(searchParams.get('next')) ?? (plan === 'premium' ? '/upgrade?plan=premium' : '/')
  const [form, copy] = [request.clone(), request.clone()]
  const isRegistration = (await readForm(form)).get('intent') === 'register'
  const cookies = ({ token }: SignedInSession) => [context.sessionCookie(token)]
  if (isRegistration) {
    const welcome = `Welcome to ${context.config.platformName}!`
    return submit(request, Register, () => createAuthenticator(context.requestContext).authenticate('register', copy), {
      to,
      cookies,
      toast: {
        tone: 'success',
        title: 'Registration successful',
        text: plan === 'pro' ? `${welcome} Your 14-day Pro trial has started.` : welcome,
      },
      failed: 'Registration failed',
    })
  }
  return submit(request, Login, () => createAuthenticator(context.requestContext).authenticate('login', copy), {
    to,
    cookies,
    toast: { tone: 'success', title: 'Login successful', text: 'Welcome back!' },
    failed: 'Login failed',
  })
}

/** The paid plan chosen on the landing page. */
function parsePlan(params: URLSearchParams): 'pro' | 'premium' | null {
  const plan = params.get('plan')
  return plan === 'pro' || plan === 'premium' ? plan : null
}

const unreachable = 'The server could not be reached. Please try again.'

export const clientAction = keepFormOnFailure({
  login: { title: 'Login failed', text: unreachable },
  register: { title: 'Registration failed', text: unreachable },
})

export default function AuthPage() {
  const { canRegister, tab, plan } = useLoaderData<typeof loader>()
  const [search] = useSearchParams()
  const next = search.get('next')
  const tabHref = (tab: 'login' | 'register') => {
    const params = new URLSearchParams({
      ...(tab === 'register' ? { tab } : {}),
      ...(plan ? { plan } : {}),
      ...(next ? { next } : {}),
    }).toString()
    return params ? `/auth?${params}` : '/auth'
  }
  const isRegistering = tab === 'register'
  return (
    <AuthLayout
      title={isRegistering ? 'Create your account' : 'Welcome back'}
      description={isRegistering ? descriptions[plan ?? 'free'] : 'Sign in to your account.'}
    >
      {canRegister && (
        <Segmented
          label="Login or register"
          className="mb-6 !grid grid-cols-2"
          segments={[
            { label: 'Login', to: tabHref('login'), current: !isRegistering },
            { label: 'Register', to: tabHref('register'), current: isRegistering },
          ]}
        />
      )}
      {isRegistering ? <RegisterForm plan={plan} /> : <LoginForm />}
      {canRegister && (
        <p className="mt-6 text-ink-3">
          {isRegistering ? (
            <>
              Already have an account?{' '}
              <Link className="link" to={tabHref('login')}>
                Sign in
              </Link>
              .
            </>
          ) : (
            <>
              New here?{' '}
              <Link className="link" to={tabHref('register')}>
                Create an account
              </Link>
              . Your first client is free.
            </>
          )}
        </p>
      )}
    </AuthLayout>
  )
}

const descriptions = {
  free: 'Free for your first client. No credit card required.',
  pro: 'Try Pro free for 14 days. No credit card required.',
  premium: 'Create your account first. You can choose Premium next.',
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

function RegisterForm({ plan }: { plan: 'pro' | 'premium' | null }) {
  const { form, fields, busy } = useServerForm<Record<'firstName' | 'lastName' | 'email' | 'password', string>>({
    id: 'register',
    intent: 'register',
  })
  return (
    <Form method="post" {...form.props} className="grid gap-4">
      <input type="hidden" name="intent" value="register" />
      {plan && <input type="hidden" name="plan" value={plan} />}
      <BrowserTimezone />
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

/** Sends the browser's time zone. Empty without JavaScript: the account then gets the default one. */
function BrowserTimezone() {
  const [timezone, setTimezone] = useState('')
  useEffect(() => setTimezone(Intl.DateTimeFormat().resolvedOptions().timeZone), [])
  return <input type="hidden" name="timezone" value={timezone} readOnly />
}
