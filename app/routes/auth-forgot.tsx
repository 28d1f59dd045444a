import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { ArrowLeft, MailCheck } from 'lucide-react'
import { AuthLayout } from '#app/shell/auth-layout.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { FormError, TextField } from '#app/ui/forms/field.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { publicFormActions } from '#modules/core/form-actions.server.ts'
import { forgotPasswordFields } from '#tenants/accounts/fields.ts'
import { ForgotPassword } from '#tenants/accounts/forms.ts'
import { requestPasswordReset } from '#tenants/auth/one-time-tokens.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Forgot password')

export function loader({ request }: LoaderFunctionArgs) {
  return { sent: new URL(request.url).searchParams.has('sent') }
}

const messages = { send: { done: null, failed: 'Failed to send the link. Please try again.' } }

export const action = publicFormActions(
  messages,
  {
    send: {
      schema: ForgotPassword,
      run: ({ requestContext }, input) => requestPasswordReset(requestContext.platform, input, requestContext),
      to: () => '/auth/forgot?sent',
    },
  },
  { home: '/auth/forgot' },
)

export const clientAction = formClientAction(messages)

export default function ForgotPage() {
  const { sent } = useLoaderData<typeof loader>()
  return sent ? <EmailSent /> : <RequestForm />
}

function RequestForm() {
  const { form, fields, busy } = useServerForm(forgotPasswordFields, { id: 'forgot', intent: 'send' })
  return (
    <AuthLayout
      title="Forgot your password?"
      description="Enter your email and we will send you a link to choose a new one."
    >
      <Form method="post" {...form.props} className="grid gap-4">
        <input type="hidden" name="intent" value="send" />
        <FormError id={form.errorId} errors={form.errors} />
        <TextField field={fields.email} type="email" autoComplete="username" className="!h-11" />
        <Button type="submit" variant="primary" size="lg" className="mt-1.5 w-full" busy={busy} busyLabel="Sending...">
          Send Link
        </Button>
      </Form>
      <BackToSignIn />
    </AuthLayout>
  )
}

/** The same for known and unknown addresses, so it doesn't reveal who has an account. */
function EmailSent() {
  return (
    <AuthLayout
      title="Check your inbox"
      description="If an account uses this email, we've sent it a link to choose a new password."
    >
      <p className="note">
        <MailCheck className="i" />
        The link works for one hour. If it doesn't arrive, check your spam folder or try again.
      </p>
      <p className="mt-6">
        <Link className="link" to="/auth/forgot">
          Use another email
        </Link>
      </p>
      <BackToSignIn />
    </AuthLayout>
  )
}

function BackToSignIn() {
  return (
    <p className="mt-6">
      <Link className="link inline-flex items-center gap-1.5" to="/auth">
        <ArrowLeft className="i" />
        Back to sign in
      </Link>
    </p>
  )
}
