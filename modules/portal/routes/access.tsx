import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { Send } from 'lucide-react'
import { formatDay } from '#app/lib/time.ts'
import { parseId } from '#app/lib/url.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { getClient } from '#modules/crm/index.ts'
import { ById, formActions } from '#modules/core/form-actions.server.ts'
import { endAccess, getAccess, inviteClient } from '../services/access.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data }) =>
  pageTitle(matches, data ? `Portal of ${data.client.name}` : 'Portal')

export async function loader({ params, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { id, name, email } = await getClient(ctx, parseId(params.id))
  const { address, invitedAt, devices, passkeys } = await getAccess(ctx, id)
  const toDay = (at: string) => formatDay(at, ctx.now(), ctx.account.timezone)
  return {
    client: { id, name, email },
    address,
    passkeys,
    invitedOn: invitedAt && toDay(invitedAt),
    devices: devices.map(({ id: deviceId, device, signedInAt, lastSeenAt }) => ({
      id: deviceId,
      device,
      signedInOn: toDay(signedInAt),
      lastSeenOn: toDay(lastSeenAt),
    })),
  }
}

const messages = {
  invite: { done: 'The email is on its way', failed: 'Failed to send the email.' },
  end: { done: 'Signed out everywhere', failed: 'Failed to sign the client out.' },
}

export const action = formActions(
  messages,
  {
    invite: { schema: ById, run: (ctx, { id }) => inviteClient(ctx, id) },
    end: { schema: ById, run: (ctx, { id }) => endAccess(ctx, id) },
  },
  {},
)

export const clientAction = formClientAction(messages)

export default function AccessPage() {
  const { client, address, invitedOn, devices, passkeys } = useLoaderData<typeof loader>()
  return (
    <Page
      title="Client portal"
      crumbs={[
        { label: 'Clients', to: '/clients' },
        { label: client.name, to: `/clients/${client.id}` },
        { label: 'Portal' },
      ]}
      description="Their sessions, tasks, messages and what you share, on your own address."
    >
      <div className="grid max-w-[44rem] gap-6">
        <Card title="Sign-in link">
          <div className="grid justify-items-start gap-4 px-5 pb-5">
            <p className="text-ink-2 wrap-anywhere">
              {client.name} signs in with a link that is sent to {client.email}.
              {invitedOn && ` The last one was sent: ${invitedOn}.`}
            </p>
            {address ? (
              <>
                <Form method="post">
                  <input type="hidden" name="intent" value="invite" />
                  <input type="hidden" name="id" value={client.id} />
                  <Button type="submit" variant="primary">
                    <Send className="i" />
                    Send Sign-In Link
                  </Button>
                </Form>
                <p className="text-sm text-ink-3 wrap-anywhere">
                  Anytime, clients can ask for a link themselves at {address}.
                </p>
              </>
            ) : (
              <p className="note">
                <span>
                  The portal is on the address of your practice.{' '}
                  <Link className="link" to="/branding">
                    Choose it first
                  </Link>
                  .
                </span>
              </p>
            )}
          </div>
        </Card>
        <Card title="Signed in">
          {devices.length > 0 && (
            <ul className="rows border-t border-line-soft">
              {devices.map(({ id, device, signedInOn, lastSeenOn }) => (
                <li key={id} className="flex flex-wrap justify-between gap-x-4 px-5 py-3">
                  <span className="font-medium">{device}</span>
                  <span className="text-ink-3">
                    Signed in: {signedInOn}. Last seen: {lastSeenOn}
                  </span>
                </li>
              ))}
            </ul>
          )}
          {devices.length > 0 || passkeys > 0 ? (
            <Form method="post" className="grid justify-items-start gap-3 border-t border-line-soft px-5 py-4">
              <input type="hidden" name="intent" value="end" />
              <input type="hidden" name="id" value={client.id} />
              {passkeys > 0 && (
                <p className="text-ink-2 wrap-anywhere">
                  {client.name} can sign in with {passkeys === 1 ? 'a passkey' : `${passkeys} passkeys`}. Signing out
                  everywhere removes {passkeys === 1 ? 'it' : 'them'}.
                </p>
              )}
              <Button type="submit">Sign Out Everywhere</Button>
            </Form>
          ) : (
            <p className="px-5 pb-4 text-ink-3">{client.name} isn’t signed in anywhere.</p>
          )}
        </Card>
      </div>
    </Page>
  )
}
