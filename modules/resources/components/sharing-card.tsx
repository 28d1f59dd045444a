import { Form } from '@remix-run/react'
import { Share2 } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '#app/ui/components/badge.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { CopyButton } from '#app/ui/components/copy-button.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { FieldNote, FormError, SelectField, TextField, type FieldState } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { audiences, type Audience } from '../fields.ts'

type Share = {
  id: number
  audience: Audience
  who: string
  state: 'open' | 'expired' | 'used'
  url: string | null
  details: string
}
type Props = {
  file: { id: number }
  shares: Share[]
  clients: { id: number; name: string }[]
  clientTags: { tag: string; count: number }[]
  values: { clientId: string }
  hasHost: boolean
  canEmail: boolean
}

/** Lists the people who may open the resource, with a form for more. */
export function SharingCard({ file, shares, clients, clientTags, values, hasHost, canEmail }: Props) {
  return (
    <Card title="Sharing">
      <div id="sharing" className="scroll-mt-6 border-t border-line-soft">
        {shares.length > 0 && (
          <ul className="rows border-b border-line-soft" aria-label="Shared with">
            {shares.map((share) => (
              <ShareRow key={share.id} share={share} canEmail={canEmail && hasHost} />
            ))}
          </ul>
        )}
        {hasHost ? (
          <NewShare
            file={file}
            clients={clients}
            clientTags={clientTags}
            clientId={values.clientId}
            canEmail={canEmail}
          />
        ) : (
          <p className="px-5 py-5 text-ink-2">
            Links need an address of your own first: choose one on the{' '}
            <Link className="link" to="/branding">
              Branding page
            </Link>
            .
          </p>
        )}
      </div>
    </Card>
  )
}

const stateLabels = { open: 'Shared', expired: 'Expired', used: 'Used up' }

function ShareRow({
  share: { id, audience, who, state, url, details },
  canEmail,
}: {
  share: Share
  canEmail: boolean
}) {
  return (
    <li className="grid gap-2 px-5 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 wrap-anywhere">
          <span className="font-medium">{who}</span>
          <span className="mt-1 flex flex-wrap items-center gap-2 text-sm text-ink-3">
            <Badge tone={state === 'open' ? 'success' : 'neutral'}>{stateLabels[state]}</Badge>
            {details}
          </span>
        </p>
        <Form method="post" preventScrollReset className="flex flex-wrap gap-2">
          <input type="hidden" name="id" value={id} />
          {audience !== 'link' && canEmail && state === 'open' && (
            <Button type="submit" name="intent" value="resend" aria-label={`Email ${who}`}>
              Email
            </Button>
          )}
          <Button
            type="submit"
            name="intent"
            value="revoke"
            variant="danger-ghost"
            aria-label={`Stop sharing with ${who}`}
          >
            Stop Sharing
          </Button>
        </Form>
      </div>
      {url && state === 'open' && (
        <span className="flex min-w-0 gap-2">
          <input
            className="input min-w-0 flex-1"
            readOnly
            aria-label={`Link for ${who}`}
            value={url}
            onFocus={(event) => event.currentTarget.select()}
          />
          <CopyButton text={url} />
        </span>
      )}
    </li>
  )
}

const fields = {
  audience: { kind: 'choice', label: 'Who may open it', choices: audiences, message: 'Choose who may open it' },
  clientIds: { kind: 'line', label: 'Clients' },
  tag: { kind: 'line', label: 'Tag' },
  expiresInDays: { kind: 'count', label: 'Days until it expires', max: 365 },
  maxOpens: { kind: 'count', label: 'How often it opens', max: 10_000 },
  password: { kind: 'line', label: 'Password', max: 200 },
} as const

const audienceOptions = [
  { value: 'client', label: 'Clients that you choose' },
  { value: 'tag', label: 'Clients with a tag' },
  { value: 'all', label: 'All clients' },
  { value: 'link', label: 'Anyone with the link' },
]

function NewShare({
  file,
  clients,
  clientTags,
  clientId,
  canEmail,
}: Pick<Props, 'file' | 'clients' | 'clientTags' | 'canEmail'> & { clientId: string }) {
  const {
    form,
    fields: inputs,
    busy,
    submitted,
  } = useServerForm(fields, {
    id: 'share',
    intent: 'share',
    values: { audience: clients.length ? 'client' : 'link' },
  })
  const [audience, setAudience] = useState(String(inputs.audience.initialValue))
  const chosen = submitted ? [submitted.clientIds].flat().map(String) : [clientId]
  return (
    <Form method="post" {...form.props} className="grid gap-4 p-5 sm:grid-cols-2" preventScrollReset>
      <input type="hidden" name="intent" value="share" />
      <input type="hidden" name="id" value={file.id} />
      <div className="sm:col-span-2">
        <FormError id={form.errorId} errors={form.errors} />
        <SelectField
          field={inputs.audience}
          choices={audienceOptions}
          onChange={(event) => setAudience(event.currentTarget.value)}
        />
      </div>
      {audience === 'client' && <ClientsField field={inputs.clientIds} clients={clients} chosen={chosen} />}
      {audience === 'tag' && <TagField field={inputs.tag} tags={clientTags} />}
      <TextField field={inputs.expiresInDays} inputMode="numeric" hint="Empty: it doesn’t expire" autoComplete="off" />
      <TextField
        field={inputs.maxOpens}
        inputMode="numeric"
        hint={
          audience === 'all' || audience === 'tag'
            ? 'For each client. Empty: as often as they like'
            : 'Empty: as often as they like'
        }
        autoComplete="off"
      />
      <TextField field={inputs.password} hint="Empty: none" autoComplete="off" />
      {canEmail && audience !== 'link' && (
        <label className="flex items-center gap-2.5 self-center">
          <input type="checkbox" name="sendEmail" value="yes" className="check" defaultChecked />
          Email them the link
        </label>
      )}
      <Button type="submit" variant="primary" busy={busy} icon={Share2} className="justify-self-start sm:col-span-2">
        Share
      </Button>
    </Form>
  )
}

function ClientsField(props: { field: FieldState; clients: Props['clients']; chosen: string[] }) {
  const { field, clients, chosen } = props
  return (
    <fieldset className="field sm:col-span-2">
      <legend className="label">Clients</legend>
      {clients.length ? (
        <div
          className="grid max-h-48 gap-1 overflow-y-auto rounded-md border border-line p-3"
          tabIndex={0}
          role="group"
          aria-label="Clients"
        >
          {clients.map(({ id, name }) => (
            <label key={id} className="flex min-w-0 items-center gap-2.5 py-1">
              <input
                type="checkbox"
                name="clientIds"
                value={id}
                className="check"
                defaultChecked={chosen.includes(String(id))}
              />
              <span className="truncate">{name}</span>
            </label>
          ))}
        </div>
      ) : (
        <p className="text-ink-2">There are no clients yet.</p>
      )}
      <FieldNote field={field} />
    </fieldset>
  )
}

function TagField({ field, tags }: { field: FieldState; tags: Props['clientTags'] }) {
  if (!tags.length) return <p className="text-ink-2 sm:col-span-2">No client has a tag yet.</p>
  return (
    <div className="sm:col-span-2">
      <SelectField
        field={field}
        choices={tags.map(({ tag, count }) => ({
          value: tag,
          label: `${tag} (${count === 1 ? '1 client' : `${count} clients`})`,
        }))}
        hint="A client who gets the tag later may open it, too: email them again then."
      />
    </div>
  )
}
