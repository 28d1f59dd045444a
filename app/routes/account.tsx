import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { MailQuestion } from 'lucide-react'
import { AppError } from '#app/lib/errors.ts'
import { formValues } from '#app/lib/fields.ts'
import { PasswordDialog } from '#app/security/password-dialog.tsx'
import { getImageLimit } from '#app/shell/image-upload.server.ts'
import { Avatar } from '#app/ui/components/avatar.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Badge } from '#app/ui/components/badge.tsx'
import { Button, ButtonLink } from '#app/ui/components/button.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { FormError, TextField } from '#app/ui/forms/field.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { ImageField } from '#app/ui/forms/image-field.tsx'
import { NewPasswordField, PasswordField } from '#app/ui/forms/password-field.tsx'
import { useResetAfterSuccess } from '#app/ui/forms/use-reset-after-success.ts'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { NoInput, publicFormActions, success } from '#modules/core/form-actions.server.ts'
import { updateName } from '#tenants/accounts/accounts.ts'
import { closeAccount, formatErasure } from '#tenants/accounts/closing.ts'
import { cancelEmailChange, findEmailChange, requestEmailChange } from '#tenants/accounts/email-change.ts'
import { emailChangeFields, nameFields, passwordChangeFields } from '#tenants/accounts/fields.ts'
import { AccountName, EmailChange, PasswordChange } from '#tenants/accounts/forms.ts'
import { deleteImage } from '#tenants/accounts/images.ts'
import { changePassword } from '#tenants/accounts/password-change.ts'
import { PasswordCheck } from '#tenants/auth/forms.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Account')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { firstName, lastName, email, emailVerified, profileImageUrl } = ctx.account
  return {
    name: { firstName, lastName },
    photoUrl: profileImageUrl,
    photoLimit: getImageLimit('photo'),
    email,
    emailVerified,
    emailChange: await findEmailChange(ctx),
    isAdmin: ctx.account.isAdmin,
    // The coach's own host ends with the account.
    closeAt: context.tenant ? `${context.config.origin}${page}` : null,
    isClosing: new URL(request.url).searchParams.get('dialog') === 'close',
    erasure: formatErasure(ctx.now(), ctx.account.timezone),
  }
}

const page = '/settings/account'

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
  'close-account': { done: { title: 'Account closed' }, failed: 'Failed to close your account.' },
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
    'close-account': {
      schema: PasswordCheck,
      run: ({ coach, config, requestContext, tenant }, { currentPassword }) => {
        if (tenant) throw new AppError('conflict', `Close your account at ${config.origin}.`)
        const { sessionHash: currentHash } = requestContext.viewer
        return closeAccount(coach(), currentPassword, { currentHash, device: requestContext })
      },
      to: () => '/closed',
    },
  },
  { home: page, authorize: (context) => void context.coach() },
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
        <Card title="Close account">
          <CloseAccount />
        </Card>
      </div>
      <CloseDialog />
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

function CloseAccount() {
  const { isAdmin, closeAt } = useLoaderData<typeof loader>()
  if (isAdmin)
    return <p className={bodyClass}>The administrator's account can't be closed. The operator can name another one.</p>
  return (
    <div className={bodyClass}>
      <p className="text-ink-2">
        You have 30 days to change your mind: sign in and reopen the account as it was. Then everything in it is deleted
        permanently: clients, sessions, files, invoices and settings.{' '}
        <Link className="link" to="/settings/export">
          Make an export
        </Link>{' '}
        first, or within the 30 days.
      </p>
      <ul className="grid list-disc gap-1.5 pl-5 text-ink-2">
        <li>Your pages, booking links and payment links stop at once. Clients see that there is no practice.</li>
        <li>Clients get no reminders and no other emails. Appointments are not cancelled: tell your clients.</li>
        <li>Your plan is cancelled at once and not charged again. Reopening does not bring a paid plan back.</li>
        <li>Subscriptions that clients pay into your own Stripe account go on there. Cancel them first.</li>
        <li>All other devices are signed out, and API keys are refused.</li>
      </ul>
      <div className="flex justify-end">
        {closeAt ? (
          <a className="btn btn-secondary" href={closeAt}>
            Close at {new URL(closeAt).host}
          </a>
        ) : (
          <ButtonLink to="?dialog=close" preventScrollReset>
            Close Account
          </ButtonLink>
        )}
      </div>
    </div>
  )
}

function CloseDialog() {
  const { isAdmin, closeAt, isClosing, erasure } = useLoaderData<typeof loader>()
  if (!isClosing || isAdmin || closeAt) return null
  return (
    <PasswordDialog
      title="Close your account?"
      intent="close-account"
      submit="Close Account"
      busyLabel="Closing..."
      danger
      closeTo={page}
    >
      It stops working now, and everything in it is deleted on {erasure}. Until then you can sign in and reopen it.
    </PasswordDialog>
  )
}
