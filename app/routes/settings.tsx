import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { formValues } from '#app/lib/fields.ts'
import { commonTimezones, otherTimezones } from '#app/lib/timezones.ts'
import { ThemeChoice } from '#app/shell/account-menu.tsx'
import { NotificationSettings } from '#app/shell/notification-settings.tsx'
import { Button, ButtonLink } from '#app/ui/components/button.tsx'
import { useEditConflict } from '#app/ui/forms/edit-conflict.tsx'
import { SelectField, TextAreaField, TextField } from '#app/ui/forms/field.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { formActions } from '#modules/core/form-actions.server.ts'
import { listNotifications, NotificationsForm, saveNotifications } from '#modules/core/notifications.ts'
import { fillSlot } from '#modules/core/slots.ts'
import { Slot, preloadWidgets } from '#modules/core/slot.tsx'
import { getUser, profileVersion, saveProfile } from '#tenants/accounts/accounts.ts'
import { profileFields } from '#tenants/accounts/profile-fields.ts'
import { ProfileForm } from '#tenants/accounts/forms.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Settings')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const [{ businessName, bio, phone, timezone }, choices, panes] = await Promise.all([
    getUser(ctx),
    listNotifications(ctx),
    fillSlot(ctx, 'settings.pane', Object.fromEntries(new URL(request.url).searchParams)).then(preloadWidgets),
  ])
  const { weekStart, timeFormat, email, emailVerified: isVerified } = ctx.account
  const profile = { businessName, bio, phone, timezone, weekStart, timeFormat }
  const version = profileVersion(profile)
  return { profile, version, zones: otherTimezones(timezone), notifications: { choices, email, isVerified }, panes }
}

const messages = {
  save: { done: 'Profile saved.', failed: 'Failed to save profile.' },
  notifications: { done: 'Notifications saved.', failed: 'Failed to save notifications. Please try again.' },
}

export const action = formActions(
  messages,
  {
    save: { schema: ProfileForm, run: saveProfile, to: () => '/settings' },
    notifications: { schema: NotificationsForm, run: saveNotifications, to: () => '/settings#notifications' },
  },
  { home: '/settings' },
)

export const clientAction = formClientAction(messages)

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export default function SettingsPage() {
  const { profile, version, zones, notifications, panes } = useLoaderData<typeof loader>()
  return (
    <Page title="Settings" crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Settings' }]}>
      <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="grid min-w-0 content-start gap-6">
          <Card title="Profile">
            <EditProfile profile={profile} version={version} zones={zones} />
          </Card>
          <NotificationSettings {...notifications} />
        </div>
        <div className="grid min-w-0 content-start gap-6">
          <Card title="Account">
            <p className="border-t border-line-soft px-5 py-5 text-ink-2">
              Change your name, photo, email address and password on the{' '}
              <Link className="link" to="/settings/account">
                Account page
              </Link>
              .
            </p>
          </Card>
          <Card title="Appearance">
            <div className="grid gap-3 border-t border-line-soft px-5 py-5">
              <ThemeChoice labelled />
              <p className="hint">
                Only affects this browser. Set your brand colors under{' '}
                <Link className="link" to="/branding">
                  Branding
                </Link>
                .
              </p>
            </div>
          </Card>
          <Card title="Security">
            <p className="border-t border-line-soft px-5 py-5 text-ink-2">
              Turn on two-step sign-in, add passkeys, and see which devices are signed in and what happened recently, on
              the{' '}
              <Link className="link" to="/security">
                Security page
              </Link>
              .
            </p>
          </Card>
          <Card title="API keys">
            <p className="border-t border-line-soft px-5 py-5 text-ink-2">
              Let other programs read or change your practice with keys of their own, on the{' '}
              <Link className="link" to="/settings/api-keys">
                API Keys page
              </Link>
              .
            </p>
          </Card>
          <Card title="Your data">
            <div className="grid gap-4 border-t border-line-soft px-5 py-5">
              <p className="text-ink-2">Get everything of your practice in one file: records, history and files.</p>
              <div>
                <ButtonLink to="/settings/export">Export Everything</ButtonLink>
              </div>
            </div>
          </Card>
          <Slot filled={panes} />
        </div>
      </div>
    </Page>
  )
}

function EditProfile({
  profile,
  version,
  zones,
}: {
  profile: ReturnType<typeof useLoaderData<typeof loader>>['profile']
  version: number
  zones: { value: string; label: string }[]
}) {
  const values = formValues(profileFields, profile)
  const state = useServerForm(profileFields, { id: 'profile', intent: 'save', values })
  const conflict = useEditConflict(state, { noun: 'profile', current: { version, values } })
  const { form, busy } = state
  const { fields } = conflict
  return (
    <Form
      key={conflict.key}
      method="post"
      {...form.props}
      className="grid gap-4 border-t border-line-soft px-5 py-5"
      preventScrollReset
    >
      <input type="hidden" name="intent" value="save" />
      {conflict.inputs}
      {conflict.notice}
      <TextField
        field={fields.businessName}
        hint="Shown to clients on your page and in emails."
        autoComplete="organization"
      />
      <TextAreaField
        field={fields.bio}
        hint="Who you are and who you work with. Shown on your public page."
        className="prose-serif"
        rows={5}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField field={fields.phone} type="tel" autoComplete="tel" />
        <SelectField
          field={fields.timezone}
          choices={[
            { label: 'Common', choices: commonTimezones },
            { label: 'All time zones', choices: zones },
          ]}
        />
        <SelectField field={fields.weekStart} />
        <SelectField field={fields.timeFormat} hint="For you, and for clients who book or get emails." />
      </div>
      <div className="mt-2 flex justify-end">
        <Button type="submit" variant="primary" busy={busy} busyLabel="Saving...">
          Save Profile
        </Button>
      </div>
    </Form>
  )
}
