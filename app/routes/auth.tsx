import { redirect, type AppLoadContext, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { Form, useActionData, useLoaderData, useSearchParams } from '@remix-run/react'
import { useEffect, useState } from 'react'
import { PasskeySignIn } from '#app/security/passkey-sign-in.tsx'
import { safeRedirectPath } from '#app/lib/url.ts'
import { createAuthenticator } from '#app/server/pages/authenticator.ts'
import { AuthLayout } from '#app/shell/auth-layout.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { FormError, TextField } from '#app/ui/forms/field.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { NewPasswordField, PasswordField } from '#app/ui/forms/password-field.tsx'
import { Segmented } from '#app/ui/components/tabs.tsx'
import { publicFormActions, success, type FormRequest } from '#modules/core/form-actions.server.ts'
import { loginFields, registrationFields } from '#tenants/accounts/fields.ts'
import { Login, Register } from '#tenants/accounts/forms.ts'
import { loginCodeFields } from '#tenants/auth/fields.ts'
import { LoginCode, PasskeySignIn as PasskeyForm } from '#tenants/auth/forms.ts'
import { getPasskeyDomain, signInWithPasskey } from '#tenants/auth/passkeys.ts'
import { finishSignIn } from '#tenants/auth/sign-in-steps.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data }) =>
  pageTitle(matches, data?.tab === 'register' ? 'Create an account' : 'Sign in')

export async function loader({ request, context }: LoaderFunctionArgs) {
  if (context.account) throw redirect('/')
  if (context.closedCoach()) throw redirect('/closed')
  const { searchParams } = new URL(request.url)
  // Coaches register on the platform, not on another coach's host.
  const canRegister = context.tenant === null
  const tab = canRegister && searchParams.get('tab') === 'register' ? ('register' as const) : ('login' as const)
  const hasPasskeys = getPasskeyDomain(context.config, context.tenant) !== null
  const clientSignIn = context.tenant && (await context.visitor([])).extensions.clientSignIn
  return {
    canRegister,
    tab,
    plan: parsePlan(searchParams),
    hasPasskeys,
    clientSignInPath: clientSignIn?.getSignInPath() ?? null,
  }
}

const unreachable = 'The server could not be reached. Please try again.'
const signInMessages = {
  done: { title: 'Login successful', text: 'Welcome back!' },
  failed: { title: 'Login failed', text: unreachable },
}
const messages = {
  login: signInMessages,
  code: signInMessages,
  passkey: signInMessages,
  register: {
    done: { title: 'Registration successful' },
    failed: { title: 'Registration failed', text: unreachable },
  },
}

export const action = publicFormActions(
  messages,
  {
    login: {
      schema: Login,
      to: nextPath,
      run: async (context, _input, { form }) => {
        const { token, needsCode } = await authenticate('login', context, form)
        return success(needsCode ? { data: { codeToken: token } } : { cookies: [context.cookies.session(token)] })
      },
    },
    code: {
      schema: LoginCode,
      to: nextPath,
      run: async ({ requestContext, cookies }, input) =>
        success({ cookies: [cookies.session(await finishSignIn(requestContext.platform, input, requestContext))] }),
      onError: ({ code, subject }, { page }) => {
        if (subject === 'sign-in') return { to: page }
        return code === 'unauthorized' ? { field: 'code' } : undefined
      },
    },
    passkey: {
      schema: PasskeyForm,
      to: nextPath,
      run: async ({ requestContext, cookies }, { response }) =>
        success({
          cookies: [cookies.session(await signInWithPasskey(requestContext.platform, response, requestContext))],
        }),
      onError: (_error, { page }) => ({ to: page }),
    },
    register: {
      schema: Register,
      to: nextPath,
      run: async (context, _input, { form }) => {
        const { token } = await authenticate('register', context, form)
        const welcome = `Welcome to ${context.config.platformName}!`
        const text = form.get('plan') === 'pro' ? `${welcome} Your 14-day Pro trial has started.` : welcome
        return success({ cookies: [context.cookies.session(token)], toast: { text } })
      },
    },
  },
  { home: '/auth' },
)

/** remix-auth reads the form from a request of its own. */
function authenticate(strategy: 'login' | 'register', context: AppLoadContext, form: FormData) {
  const request = new Request(context.config.origin, { method: 'POST', body: form })
  return createAuthenticator(context.requestContext).authenticate(strategy, request)
}

/** The page that required the sign-in, or the plan chosen on the landing page. */
function nextPath({ request }: FormRequest): string {
  const { searchParams } = new URL(request.url)
  const fallback = parsePlan(searchParams) === 'premium' ? '/upgrade?plan=premium' : '/'
  return safeRedirectPath(searchParams.get('next')) ?? fallback
}

/** The paid plan chosen on the landing page. */
function parsePlan(params: URLSearchParams): 'pro' | 'premium' | null {
  const plan = params.get('plan')
  return plan === 'pro' || plan === 'premium' ? plan : null
}

export const clientAction = formClientAction(messages)

export default function AuthPage() {
  const { canRegister, tab, plan, hasPasskeys, clientSignInPath } = useLoaderData<typeof loader>()
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
  const codeToken = useCodeToken()
  if (codeToken) return <CodeStep token={codeToken} />
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
      {!isRegistering && hasPasskeys && <PasskeySignIn />}
      {clientSignInPath && (
        <p className="mt-6 text-ink-3">
          Are you a client?{' '}
          <Link className="link" to={clientSignInPath}>
            Sign in with a link by email
          </Link>
          .
        </p>
      )}
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
  const { form, fields, busy } = useServerForm(loginFields, { id: 'login', intent: 'login' })
  return (
    <Form method="post" {...form.props} className="grid gap-4">
      <input type="hidden" name="intent" value="login" />
      <FormError id={form.errorId} errors={form.errors} />
      <TextField field={fields.email} type="email" autoComplete="username" className="!h-11" />
      <PasswordField
        field={fields.password}
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

/** The token of the step after the password, also when its code was wrong. */
function useCodeToken(): string | undefined {
  const actionData = useActionData<{ codeToken?: string; result?: { initialValue?: Record<string, unknown> | null } }>()
  const submitted = actionData?.result?.initialValue
  return actionData?.codeToken ?? (submitted?.intent === 'code' ? String(submitted.token) : undefined)
}

function CodeStep({ token }: { token: string }) {
  const { form, fields, busy } = useServerForm(loginCodeFields, { id: 'code', intent: 'code' })
  // The form replaces the one that had the focus.
  useEffect(() => document.getElementById(fields.code.id)?.focus(), [fields.code.id])
  return (
    <AuthLayout
      title="Enter your code"
      description="Open your authenticator app and enter the 6 digits it shows, or use a recovery code."
    >
      <Form method="post" {...form.props} className="grid gap-4">
        <input type="hidden" name="intent" value="code" />
        <input type="hidden" name="token" value={token} />
        <FormError id={form.errorId} errors={form.errors ?? fields.token.errors} />
        <TextField
          field={fields.code}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          className="!h-11"
        />
        <Button
          type="submit"
          variant="primary"
          size="lg"
          className="mt-1.5 w-full"
          busy={busy}
          busyLabel="Signing in..."
        >
          Continue
        </Button>
      </Form>
      <p className="mt-6 text-ink-3">
        <Link className="link" to="/auth" reloadDocument>
          Start again
        </Link>
      </p>
    </AuthLayout>
  )
}

function RegisterForm({ plan }: { plan: 'pro' | 'premium' | null }) {
  const { form, fields, busy } = useServerForm(registrationFields, { id: 'register', intent: 'register' })
  return (
    <Form method="post" {...form.props} className="grid gap-4">
      <input type="hidden" name="intent" value="register" />
      {plan && <input type="hidden" name="plan" value={plan} />}
      <BrowserTimezone />
      <FormError id={form.errorId} errors={form.errors} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField field={fields.firstName} autoComplete="given-name" className="!h-11" />
        <TextField field={fields.lastName} autoComplete="family-name" className="!h-11" />
      </div>
      <TextField field={fields.email} type="email" autoComplete="username" className="!h-11" />
      <NewPasswordField field={fields.password} className="!h-11" />
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
