import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import type { ComponentProps } from 'react'
import { AuthLayout } from '#app/shell/auth-layout.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button, ButtonLink } from '#app/ui/components/button.tsx'
import { FormError } from '#app/ui/forms/field.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { useServerForm, type ServerForm } from '#app/ui/forms/use-server-form.ts'
import { publicFormActions, success, type FormRequest } from '#modules/core/form-actions.server.ts'
import { confirmEmailChange, denyEmailChange, findEmailChangeLink } from '#tenants/accounts/email-change.ts'
import { verificationFields } from '#tenants/accounts/fields.ts'
import { EmailLink } from '#tenants/accounts/forms.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Change your email')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const token = new URL(request.url).searchParams.get('token') ?? ''
  const { platform } = context.requestContext
  return {
    token,
    link: await findEmailChangeLink(platform, token),
    platformName: context.tenant?.name ?? context.config.platformName,
  }
}

const messages = {
  confirm: { done: { title: 'Confirmed' }, failed: 'The change was not confirmed. Please try again.' },
  deny: { done: { title: 'The change was cancelled' }, failed: 'The change was not cancelled. Please try again.' },
}

export const action = publicFormActions(
  messages,
  {
    confirm: {
      schema: EmailLink,
      to: nextPage,
      run: async ({ requestContext }, { token }) => {
        const { isChanged } = await confirmEmailChange(requestContext.platform, token, requestContext)
        const text = isChanged
          ? 'Sign in with your new email address from now on.'
          : 'Now open the link that we sent to the other address.'
        return success({ toast: { title: isChanged ? 'Email address changed' : 'Confirmed', text } })
      },
    },
    deny: {
      schema: EmailLink,
      to: nextPage,
      run: ({ requestContext }, { token }) => denyEmailChange(requestContext.platform, token, requestContext),
    },
  },
  { home: '/auth' },
)

function nextPage({ context }: FormRequest): string {
  return context.account ? '/settings/account' : '/auth'
}

export const clientAction = formClientAction(messages)

export default function EmailChangePage() {
  const { link } = useLoaderData<typeof loader>()
  if (link) return <ConfirmForm {...link} />
  return (
    <AuthLayout title="This link doesn't work" description="It has expired, was already used, or was cancelled.">
      <ButtonLink to="/settings/account" variant="primary" size="lg">
        Go to Account
      </ButtonLink>
    </AuthLayout>
  )
}

function ConfirmForm({ side, newEmail }: { side: 'old' | 'new'; newEmail: string }) {
  const { platformName } = useLoaderData<typeof loader>()
  const confirm = useServerForm(verificationFields, { id: 'confirm', intent: 'confirm' })
  const deny = useServerForm(verificationFields, { id: 'deny', intent: 'deny' })
  return (
    <AuthLayout
      title={side === 'old' ? 'Change your email?' : 'Confirm your new email'}
      description={
        <span className="wrap-anywhere">
          {side === 'old'
            ? `Your account will use ${newEmail} instead of this address.`
            : `Use ${newEmail} to sign in to ${platformName}.`}
        </span>
      }
    >
      <div className="grid gap-3">
        <FormError id={confirm.form.errorId} errors={confirm.form.errors ?? deny.form.errors} />
        <AnswerForm state={confirm} intent="confirm" variant="primary" busyLabel="Confirming...">
          Confirm Change
        </AnswerForm>
        <AnswerForm state={deny} intent="deny" busyLabel="Cancelling...">
          Cancel Change
        </AnswerForm>
      </div>
    </AuthLayout>
  )
}

function AnswerForm({
  state: { form, busy },
  intent,
  ...button
}: { state: ServerForm<typeof verificationFields>; intent: string } & ComponentProps<typeof Button>) {
  const { token } = useLoaderData<typeof loader>()
  return (
    <Form method="post" {...form.props}>
      <input type="hidden" name="token" value={token} />
      <Button type="submit" name="intent" value={intent} size="lg" className="w-full" busy={busy} {...button} />
    </Form>
  )
}
