import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { AuthLayout } from '#app/shell/auth-layout.tsx'
import { ResendVerification } from '#app/shell/verify-email-notice.tsx'
import { Button, ButtonLink } from '#app/ui/components/button.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { FormError } from '#app/ui/forms/field.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { NoInput, publicFormActions } from '#modules/core/form-actions.server.ts'
import { findVerification, resendVerification, verifyEmail } from '#tenants/accounts/email-verification.ts'
import { verificationFields } from '#tenants/accounts/fields.ts'
import { EmailLink } from '#tenants/accounts/forms.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Confirm your email')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const token = new URL(request.url).searchParams.get('token') ?? ''
  const { account, requestContext } = context
  return {
    token,
    isSignedIn: account !== null,
    link: await findVerification(requestContext.platform, token, account),
  }
}

const messages = {
  verify: {
    done: { title: 'Email address confirmed' },
    failed: 'Your email address was not confirmed. Please try again.',
  },
  resend: { done: 'A new link is on its way.', failed: 'Failed to send the link. Please try again.' },
}

export const action = publicFormActions(
  messages,
  {
    // A form and not the link itself, because some mail programs open every link.
    verify: {
      schema: EmailLink,
      run: ({ requestContext }, { token }) => verifyEmail(requestContext.platform, token, requestContext),
      to: ({ context }) => (context.account ? '/dashboard' : '/auth'),
      // The page then says why the link doesn't work.
      onError: ({ code }, { page }) => (code === 'validation_failed' ? { to: page } : undefined),
    },
    resend: {
      schema: NoInput,
      run: (context) => context.write(resendVerification),
    },
  },
  { home: '/dashboard' },
)

export const clientAction = formClientAction(messages)

export default function VerifyPage() {
  const { link, isSignedIn } = useLoaderData<typeof loader>()
  if (link === 'valid') return <ConfirmForm />
  return link === 'verified' ? (
    <AuthLayout title="Email address confirmed" description="Your email address is already confirmed.">
      <ButtonLink to="/dashboard" variant="primary" size="lg">
        Go to Dashboard
      </ButtonLink>
    </AuthLayout>
  ) : (
    <AuthLayout title="This link doesn't work" description="It has expired or was already used.">
      {isSignedIn ? (
        <ResendVerification size="lg" />
      ) : (
        <ButtonLink to="/auth" variant="primary" size="lg">
          Sign In
        </ButtonLink>
      )}
    </AuthLayout>
  )
}

function ConfirmForm() {
  const { token } = useLoaderData<typeof loader>()
  const { form, busy } = useServerForm(verificationFields, { id: 'verify', intent: 'verify' })
  return (
    <AuthLayout title="Confirm your email" description="One click, and this address is confirmed as yours.">
      <Form method="post" {...form.props} className="grid gap-4">
        <input type="hidden" name="intent" value="verify" />
        <input type="hidden" name="token" value={token} />
        <FormError id={form.errorId} errors={form.errors} />
        <Button type="submit" variant="primary" size="lg" className="w-full" busy={busy} busyLabel="Confirming...">
          Confirm Email
        </Button>
      </Form>
    </AuthLayout>
  )
}
