import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { shouldRevalidateUnless } from '#app/lib/should-revalidate.ts'
import { submit } from '#app/lib/form-submission.ts'
import { commonTimezones, otherTimezones } from '#app/lib/timezones.ts'
import { ThemeChoice } from '#app/shell/account-menu.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { FormError, SelectField, TextAreaField, TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/form.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { keepFormOnFailure } from '#app/ui/forms/offline-action.ts'
import { fillSlot } from '#modules/core/slots.ts'
import { Slot, preloadWidgets } from '#modules/core/slot.tsx'
import { updateProfile, getUser } from '#tenants/accounts/accounts.ts'
import { Profile } from '#tenants/accounts/forms.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Settings')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const [{ email, businessName, bio, phone, timezone }, panes] = await Promise.all([
    getUser(ctx),
    fillSlot(ctx, 'settings.pane', Object.fromEntries(new URL(request.url).searchParams)).then(preloadWidgets),
  ])
  return { email, profile: { businessName, bio, phone, timezone }, zones: otherTimezones(timezone), panes }
}

export function action({ request, context }: ActionFunctionArgs) {
  context.coach()
  return submit(
    request,
    Profile.omit({ onboardingCompleted: true }),
    (input) => context.write((ctx) => updateProfile(ctx, input)),
    {
      toast: 'Profile saved.',
    },
  )
}

export const clientAction = keepFormOnFailure({ '': 'Failed to save profile.' })

export { shouldRevalidateUnless as shouldRevalidate }

export default function Settings() {
  const { email, profile, zones, panes } = useLoaderData<typeof loader>()
  return (
    <Page title="Settings" crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Settings' }]}>
      <div className="grid max-w-3xl gap-6">
        <Card title="Profile" aside={<span className="truncate text-sm text-ink-3">{email}</span>}>
          <ProfileForm profile={profile} zones={zones} />
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
        <Slot filled={panes} />
      </div>
    </Page>
  )
}

type Fields = { businessName: string; bio: string; phone: string; timezone: string }

function ProfileForm({
  profile,
  zones,
}: {
  profile: { [Name in keyof Fields]: string | null }
  zones: { value: string; label: string }[]
}) {
  const { form, fields, busy } = useServerForm<Fields>({ id: 'profile', values: profile })
  return (
    <Form method="post" {...form.props} className="grid gap-4 border-t border-line-soft px-5 py-5" preventScrollReset>
      <FormError id={form.errorId} errors={form.errors} />
      <TextField
        field={{ ...fields.businessName, required: true, maxLength: 255 }}
        label="Business name"
        hint="Shown to clients on your page and in emails."
        autoComplete="organization"
      />
      <TextAreaField
        field={fields.bio}
        label="Bio"
        hint="Who you are and who you work with. Shown on your public page."
        className="prose-serif"
        rows={5}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField field={{ ...fields.phone, maxLength: 255 }} label="Phone" type="tel" autoComplete="tel" />
        <SelectField
          field={fields.timezone}
          label="Time zone"
          choices={[
            { label: 'Common', choices: commonTimezones },
            { label: 'All time zones', choices: zones },
          ]}
        />
      </div>
      <div className="mt-2 flex justify-end">
        <Button type="submit" variant="primary" busy={busy} busyLabel="Saving...">
          Save Profile
        </Button>
      </div>
    </Form>
  )
}
