import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { MailQuestion } from 'lucide-react'
import { formValues } from '#app/lib/fields.ts'
import { getImageLimit } from '#app/shell/image-upload.server.ts'
import { Avatar } from '#app/ui/components/avatar.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Badge } from '#app/ui/components/badge.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { FormError, TextField } from '#app/ui/forms/field.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { ImageField } from '#app/ui/forms/image-field.tsx'
import { NewPasswordField, PasswordField } from '#app/ui/forms/password-field.tsx'
import { useResetAfterSuccess } from '#app/ui/forms/use-reset-after-success.ts'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { NoInput, publicFormActions, success } from '#modules/core/form-actions.server.ts'
import { updateName } from '#tenants/accounts/accounts.ts'
import { cancelEmailChange, findEmailChange, requestEmailChange } from '#tenants/accounts/email-change.ts'
import { emailChangeFields, nameFields, passwordChangeFields } from '#tenants/accounts/fields.ts'
import { AccountName, EmailChange, PasswordChange } from '#tenants/accounts/forms.ts'
import { deleteImage } from '#tenants/accounts/images.ts'
import { changePassword } from '#tenants/accounts/password-change.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Account')

export async function loader({ context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { firstName, lastName, email, emailVerified, profileImageUrl } = ctx.account
  return {
    name: { firstName, lastName },
    photoUrl: profileImageUrl,
    photoLimit: getImageLimit('photo'),
    email,
    emailVerified,
    emailChange: await findEmailChange(ctx),
  }
}

const messages = {
  'save-name': { done: 'Name saved.', failed: 'Failed to save your name.' },
  'remove-photo': { done: 'Photo removed', failed: 'Failed to remove the photo.' },
  'change-email': {
    done: { title: 'Check your inbox', text: 'Open the links that we sent to confirm the change.' },
    failed: 'Failed to change your email address.',
  },
  'cancel-email-change': { done: 'The change was cancelled', failed: 'Failed to cancel the change.' },
  'change-password': {
    done: { title: 'Password changed', text: 'You are signed out on all other devices.' },
    failed: 'Failed to change your password.',
  },
}

/** Without a transaction of the route: checking a password takes long, and must not hold one open. */
export const action = publicFormActions(
  messages,
  {
    'save-name': { schema: AccountName, run: ({ write }, input) => write((ctx) => updateName(ctx, input)) },
    'remove-photo': { schema: NoInput, run: ({ write }) => write((ctx) => deleteImage(ctx, 'photo')) },
    'change-email': { schema: EmailChange, run: ({ coach }, input) => requestEmailChange(coach(), input) },
    'cancel-email-change': { schema: NoInput, run: ({ write }) => write(cancelEmailChange) },
    'change-password': {
      schema: PasswordChange,
      run: async ({ coach, cookies, requestContext }, input) =>
        success({ cookies: [cookies.session(await changePassword(coach(), input, requestContext))] }),
    },
  },
  { home: '/settings/account', authorize: (context) => void context.coach() },
)

export const clientAction = formClientAction(messages)

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

const bodyClass = 'grid gap-4 border-t border-line-soft px-5 py-5'

export default function AccountPage() {
  return (
    <Page
      title="Account"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Settings', to: '/settings' }, { label: 'Account' }]}
      description="Your name, photo, email address and password."
    >
      <div className="grid max-w-2xl gap-6">
        <Card title="Name and photo">
          <Photo />
          <EditName />
        </Card>
        <Card title="Email">
          <EditEmail />
        </Card>
        <Card title="Password">
          <EditPassword />
        </Card>
      </div>
    </Page>
  )
}

function Photo() {
  const { name, photoUrl, photoLimit } = useLoaderData<typeof loader>()
  return (
    <div className="border-t border-line-soft px-5 pt-5">
      <ImageField
        preview={<Avatar name={`${name.firstName} ${name.lastName}`} image={photoUrl} size="xl" />}
        url={photoUrl}
        removeIntent="remove-photo"
        name="photo"
        label="Photo"
        hint="PNG, JPG or SVG, up to 5 MB. Without a photo, we show your initials."
        action="/settings/account/photo"
        {...photoLimit}
      />
    </div>
  )
}

function EditName() {
  const { name } = useLoaderData<typeof loader>()
  const { form, fields, busy } = useServerForm(nameFields, {
    id: 'name',
    intent: 'save-name',
    values: formValues(nameFields, name),
  })
  return (
    <Form method="post" {...form.props} className="grid gap-4 px-5 py-5" preventScrollReset>
      <input type="hidden" name="intent" value="save-name" />
      <FormError id={form.errorId} errors={form.errors} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField field={fields.firstName} autoComplete="given-name" />
        <TextField field={fields.lastName} autoComplete="family-name" />
      </div>
      <div className="flex justify-end">
        <Button type="submit" variant="primary" busy={busy} busyLabel="Saving...">
          Save Name
        </Button>
      </div>
    </Form>
  )
}

function EditEmail() {
  const { email, emailVerified, emailChange } = useLoaderData<typeof loader>()
  const { form, fields, busy } = useServerForm(emailChangeFields, { id: 'email', intent: 'change-email' })
  useResetAfterSuccess(form.props.id, busy)
  return (
    <div className={bodyClass}>
      <p className="flex flex-wrap items-center gap-2">
        <span className="wrap-anywhere">{email}</span>
        <Badge tone={emailVerified ? 'success' : 'warning'}>{emailVerified ? 'Confirmed' : 'Not confirmed'}</Badge>
      </p>
      {emailChange && (
        <div className="note flex-wrap items-center">
          <MailQuestion className="i !mt-0" />
          <p className="min-w-0 flex-1 basis-60 wrap-anywhere">
            To change it to {emailChange.newEmail}, open the link that we sent to{' '}
            {emailChange.waitingFor.map((side) => (side === 'old' ? email : emailChange.newEmail)).join(' and to ')}.
          </p>
          <Form method="post" preventScrollReset>
            <Button type="submit" size="sm" name="intent" value="cancel-email-change">
              Cancel Change
            </Button>
          </Form>
        </div>
      )}
      <Form method="post" {...form.props} className="grid gap-4" preventScrollReset>
        <input type="hidden" name="intent" value="change-email" />
        <FormError id={form.errorId} errors={form.errors} />
        <TextField field={fields.email} type="email" autoComplete="email" />
        <PasswordField field={fields.currentPassword} autoComplete="current-password" />
        <div className="flex justify-end">
          <Button type="submit" busy={busy} busyLabel="Sending...">
            Change Email
          </Button>
        </div>
      </Form>
    </div>
  )
}

function EditPassword() {
  const { form, fields, busy } = useServerForm(passwordChangeFields, { id: 'password', intent: 'change-password' })
  useResetAfterSuccess(form.props.id, busy)
  return (
    <Form method="post" {...form.props} className={bodyClass} preventScrollReset>
      <input type="hidden" name="intent" value="change-password" />
      <FormError id={form.errorId} errors={form.errors} />
      <PasswordField field={fields.currentPassword} autoComplete="current-password" />
      <NewPasswordField field={fields.newPassword} />
      <div className="flex justify-end">
        <Button type="submit" busy={busy} busyLabel="Saving...">
          Change Password
        </Button>
      </div>
    </Form>
  )
}
