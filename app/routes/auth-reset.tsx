import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { AuthLayout } from '#app/shell/auth-layout.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { FormError } from '#app/ui/forms/field.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { NewPasswordField } from '#app/ui/forms/password-field.tsx'
import { publicFormActions } from '#modules/core/form-actions.server.ts'
import { resetPasswordFields } from '#tenants/accounts/fields.ts'
import { ResetPassword } from '#tenants/accounts/forms.ts'
import { resetPassword } from '#tenants/auth/one-time-tokens.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'New password')

export function loader({ request }: LoaderFunctionArgs) {
  return { token: new URL(request.url).searchParams.get('token') ?? '' }
}

const messages = {
  reset: {
    done: { title: 'Password changed', text: 'Sign in with your new password.' },
    failed: 'The password was not changed. Please try again.',
  },
}

export const action = publicFormActions(
  messages,
  {
    reset: {
      schema: ResetPassword,
      run: ({ requestContext }, input) => resetPassword(requestContext.platform, input, requestContext),
      to: () => '/auth',
    },
  },
  { home: '/auth/reset' },
)

export const clientAction = formClientAction(messages)

export default function ResetPage() {
  const { token } = useLoaderData<typeof loader>()
  const { form, fields, busy } = useServerForm(resetPasswordFields, { id: 'reset', intent: 'reset' })
  const tokenErrors = fields.token.errors ?? (token ? undefined : ['This link is incomplete. Request a new one.'])
  return (
    <AuthLayout title="Choose a new password" description="You will be signed out everywhere else.">
      <Form method="post" {...form.props} className="grid gap-4">
        <input type="hidden" name="intent" value="reset" />
        <input type="hidden" name="token" value={token} />
        <FormError id={form.errorId} errors={form.errors ?? tokenErrors} />
        <NewPasswordField field={fields.password} className="!h-11" />
        <Button
          type="submit"
          variant="primary"
          size="lg"
          className="mt-1.5 w-full"
          busy={busy}
          busyLabel="Saving..."
          disabled={!token}
        >
          Save Password
        </Button>
      </Form>
      <p className="mt-6 text-ink-3">
        Link expired?{' '}
        <Link className="link" to="/auth/forgot">
          Request a new one
        </Link>
        .
      </p>
    </AuthLayout>
  )
}
