import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { ArrowLeft, MailCheck } from 'lucide-react'
import { submit } from '#app/lib/form-submission.ts'
import { Entrance } from '#app/shell/auth-layout.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { FormError, TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/form.ts'
import { titled } from '#app/ui/components/branding.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { keepTyped } from '#app/ui/forms/offline-action.ts'
import { ForgotPassword } from '#tenants/accounts/forms.ts'
import { forgotPassword } from '#tenants/auth/sign-in.ts'

export const meta: MetaFunction = ({ matches }) => titled(matches, 'Forgot password')

export function loader({ request }: LoaderFunctionArgs) {
  return { sent: new URL(request.url).searchParams.has('sent') }
}

export function action({ request, context }: ActionFunctionArgs) {
  return submit(request, ForgotPassword, ({ email }) => forgotPassword(context.visit.platform, email), {
    to: '/auth/forgot?sent',
  })
}

export const clientAction = keepTyped()

export default function ForgotPage() {
  const { sent } = useLoaderData<typeof loader>()
  return sent ? <Sent /> : <Ask />
}

function Ask() {
  const { form, fields, busy } = useServerForm<{ email: string }>({ id: 'forgot' })
  return (
    <Entrance
      title="Forgot your password?"
      sentence="Enter your email and we will send you a link to choose a new one."
    >
      <Form method="post" {...form.props} className="grid gap-4">
        <FormError id={form.errorId} errors={form.errors} />
        <TextField
          field={{ ...fields.email, required: true }}
          label="Email"
          type="email"
          autoComplete="username"
          className="!h-11"
        />
        <Button type="submit" variant="primary" size="lg" className="mt-1.5 w-full" busy={busy} busyLabel="Sending...">
          Send Link
        </Button>
      </Form>
      <BackToSignIn />
    </Entrance>
  )
}

/** The same for a known and an unknown address. */
function Sent() {
  return (
    <Entrance
      title="Check your inbox"
      sentence="If an account has this email, a link to choose a new password is on its way."
    >
      <p className="note">
        <MailCheck className="i" />
        The link works for one hour. If nothing arrives, look in your spam folder, or check the spelling and ask again.
      </p>
      <p className="mt-6">
        <Link className="link" to="/auth/forgot">
          Use another email
        </Link>
      </p>
      <BackToSignIn />
    </Entrance>
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
