import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { Link2 } from 'lucide-react'
import type { Fields } from '#app/lib/fields.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { CopyButton } from '#app/ui/components/copy-button.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { FormError, SelectField, TextAreaField } from '#app/ui/forms/field.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { ById, formActions } from '#modules/core/form-actions.server.ts'
import { createBookingLink, revokeBookingLink } from '../booking-links/booking-links.ts'
import { linkFields } from '../booking-links/fields.ts'
import { AttendeeCombobox, FindAttendee } from '../components/attendee-combobox.tsx'
import { saveEmbedOrigins } from '../embedding/embed-origins.ts'
import { EmbedForm } from '../embedding/origins.ts'
import { LinkForm } from '../forms.ts'
import { loadSharing } from '../sharing-loader.server.ts'
import { sharingMessages } from '../sharing-messages.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Sharing')

export function loader({ request, context }: LoaderFunctionArgs) {
  return loadSharing(context.coach(), new URL(request.url))
}

const home = '/calendar/sharing'

export const action = formActions(
  sharingMessages,
  {
    'add-link': { schema: LinkForm, run: createBookingLink, to: () => home },
    embed: { schema: EmbedForm, run: (ctx, { origins }) => saveEmbedOrigins(ctx, origins) },
    'revoke-link': { schema: ById, run: (ctx, { id }) => revokeBookingLink(ctx, id) },
  },
  { home },
)

export const clientAction = formClientAction(sharingMessages)

type Data = ReturnType<typeof useLoaderData<typeof loader>>

const crumbs = [
  { label: 'Dashboard', to: '/dashboard' },
  { label: 'Availability', to: '/calendar/availability' },
  { label: 'Sharing' },
]

export default function SharingPage() {
  const { home: address, types, form, links, embed } = useLoaderData<typeof loader>()
  return (
    <Page title="Sharing" crumbs={crumbs} description="How people reach your booking page.">
      <div className="grid max-w-[48rem] gap-6">
        <Card title="Booking page">
          <Addresses address={address} types={types} />
        </Card>
        <Card title="Personal links">
          <div className="grid gap-5 border-t border-line-soft px-5 py-5">
            <p className="text-ink-2">
              Whoever has a personal link books one session for that person, also of a type that nobody else can book.
              It works once.
            </p>
            <NewLink key={links[0]?.id ?? 0} form={form} />
          </div>
          {links.length > 0 && <LinkList links={links} />}
        </Card>
        {embed && (
          <Card title="On your website">
            <Embedding key={embed.origins.join(' ')} embed={embed} />
          </Card>
        )}
      </div>
    </Page>
  )
}

const embedFields = {
  origins: { kind: 'text', label: 'Websites that may show it', max: 3000, optional: true },
} as const satisfies Fields

function Embedding({ embed: { origins, snippet } }: { embed: NonNullable<Data['embed']> }) {
  const { form, fields, busy } = useServerForm(embedFields, {
    id: 'embed',
    intent: 'embed',
    values: { origins: origins.join('\n') },
  })
  return (
    <div className="grid gap-5 border-t border-line-soft px-5 py-5">
      <p className="text-ink-2">Your website can show the booking page in a frame. Other websites can’t.</p>
      <Form method="post" {...form.props} className="grid gap-4" preventScrollReset>
        <input type="hidden" name="intent" value="embed" />
        <FormError id={form.errorId} errors={form.errors} />
        <TextAreaField
          field={fields.origins}
          rows={3}
          placeholder="https://www.example.com"
          hint="One on each line, with https://. Empty: none."
        />
        <Button type="submit" variant="primary" busy={busy} className="justify-self-start">
          Save
        </Button>
      </Form>
      {origins.length > 0 && (
        <div className="grid gap-1">
          <p className="font-medium">Put this where the booking page belongs</p>
          <Copyable label="HTML for your website" text={snippet} />
        </div>
      )}
    </div>
  )
}

function Addresses({ address, types }: { address: Data['home']; types: Data['types'] }) {
  if (!address)
    return (
      <p className="border-t border-line-soft px-5 py-5 text-ink-2">
        It needs an address of your own first: choose one on the{' '}
        <Link className="link" to="/branding">
          Branding page
        </Link>
        .
      </p>
    )
  return (
    <ul className="rows border-t border-line-soft" aria-label="Addresses">
      <AddressRow name="All public types" url={address} />
      {types.map(({ name, url }) => (
        <AddressRow key={url} name={name} url={url} />
      ))}
    </ul>
  )
}

function AddressRow({ name, url }: { name: string; url: string }) {
  return (
    <li className="grid items-center gap-x-4 gap-y-1 px-5 py-3 sm:grid-cols-[12rem_minmax(0,1fr)]">
      <span className="min-w-0 font-medium wrap-anywhere">{name}</span>
      <Copyable label={`Address of ${name}`} text={url} />
    </li>
  )
}

/** To copy by hand without scripts. */
function Copyable({ label, text }: { label: string; text: string }) {
  return (
    <span className="flex min-w-0 gap-2">
      <input
        className="input min-w-0 flex-1"
        readOnly
        aria-label={label}
        value={text}
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton text={text} />
    </span>
  )
}

function NewLink({ form: { choices, values } }: { form: Data['form'] }) {
  const { form, fields, busy } = useServerForm(linkFields, { id: 'link', intent: 'add-link', values })
  return (
    <div>
      <FindAttendee choices={choices} />
      <Form method="post" {...form.props} className="grid gap-4 sm:grid-cols-2" preventScrollReset>
        <input type="hidden" name="intent" value="add-link" />
        <div className="sm:col-span-2">
          <FormError id={form.errorId} errors={form.errors} />
          <AttendeeCombobox field={fields.attendee} choices={choices} />
        </div>
        <SelectField field={fields.type} choices={[{ value: '', label: 'Choose a type' }, ...choices.types]} />
        <SelectField field={fields.expires} />
        <Button type="submit" variant="primary" busy={busy} icon={Link2} className="justify-self-start">
          Make a link
        </Button>
      </Form>
    </div>
  )
}

function LinkList({ links }: { links: Data['links'] }) {
  return (
    <ul className="rows border-t border-line-soft" aria-label="Personal links">
      {links.map(({ id, attendeeName, typeName, state, url, isOpen }) => (
        <li key={id} className="grid gap-2 px-5 py-3">
          <div className="flex flex-wrap items-center justify-between gap-x-4">
            <p className="min-w-0 wrap-anywhere">
              <span className="font-medium">{attendeeName}</span>, {typeName}
              <span className="block text-sm text-ink-3">{state}</span>
            </p>
            {isOpen && (
              <Form method="post" preventScrollReset>
                <input type="hidden" name="intent" value="revoke-link" />
                <input type="hidden" name="id" value={id} />
                <Button type="submit" variant="danger-ghost" aria-label={`Revoke the link of ${attendeeName}`}>
                  Revoke
                </Button>
              </Form>
            )}
          </div>
          {url && <Copyable label={`Link of ${attendeeName}`} text={url} />}
        </li>
      ))}
    </ul>
  )
}
