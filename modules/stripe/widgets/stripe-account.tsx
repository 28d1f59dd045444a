import { Form, useNavigation } from '@remix-run/react'
import { Badge } from '#app/ui/components/badge.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { Card } from '#app/ui/components/page.tsx'
import type { AccountCard } from '../contributions.ts'

/** Connects Stripe, shows whether clients can pay by card, and disconnects. */
export default function StripeAccountCard({ data }: { data: AccountCard }) {
  const { state, status, health, isNotified, isOnboarding } = data
  return (
    <Card title="Card payments">
      <div className="grid gap-4 border-t border-line-soft px-5 py-5">
        {state === 'unavailable' && (
          <p className="text-ink-2">
            Stripe is not connected on this platform. You can record payments that you receive in other ways.
          </p>
        )}
        {state === 'not_connected' && <Connect {...data} />}
        {data.differences.length > 0 && (
          <div className="grid gap-2" role="note" aria-label="Differences with Stripe">
            <p className="font-medium">Stripe and your books differ</p>
            <ul className="grid gap-1 text-sm text-ink-2">
              {data.differences.map(({ paymentIntentId, stripe, booked }) => (
                <li key={paymentIntentId} className="wrap-anywhere">
                  {paymentIntentId}: {stripe} at Stripe, {booked} in your books
                </li>
              ))}
            </ul>
          </div>
        )}
        {status && (
          <>
            <p className="flex flex-wrap items-center gap-2">
              <span className="font-medium">Stripe</span>
              <Badge tone={status.tone}>{status.label}</Badge>
              {health?.isFailing && <Badge tone="warning">Not reached</Badge>}
            </p>
            <p className="text-sm text-ink-2">{status.text}</p>
            {health && <p className="text-sm text-ink-2">{health.text}</p>}
            {!isNotified && (
              <p className="text-sm text-ink-2">
                This platform is not set up to receive payments from Stripe immediately. They appear the next morning.
              </p>
            )}
            <div className="flex flex-wrap items-center gap-2">
              {state === 'action_needed' && <GoToStripe label="Continue at Stripe" isOnboarding={isOnboarding} />}
              {(state !== 'ready' || health?.isFailing) && (
                <ActionButton intent="check" label="Check Again" busyLabel="Checking..." isOnboarding={isOnboarding} />
              )}
              <a className="btn btn-secondary" href="https://dashboard.stripe.com" target="_blank" rel="noreferrer">
                Stripe Dashboard
              </a>
              <ActionButton
                intent="disconnect"
                label="Disconnect"
                busyLabel="Disconnecting..."
                isDanger
                isOnboarding={isOnboarding}
              />
            </div>
          </>
        )}
      </div>
    </Card>
  )
}

function Connect({ isKnown, ended, countries, isOnboarding }: AccountCard) {
  return (
    <>
      {ended && <p className="note">{ended}</p>}
      <p className="text-ink-2">
        Let clients pay your invoices by card. The money goes to your own Stripe account; we never see their cards.
      </p>
      <GoToStripe label="Connect Stripe" isOnboarding={isOnboarding}>
        {!isKnown && (
          <div className="field">
            <label className="label" htmlFor="stripe-country">
              Country of your business
            </label>
            <select id="stripe-country" name="country" className="input select" defaultValue="US">
              {countries.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
            <p className="hint">It can’t be changed later.</p>
          </div>
        )}
      </GoToStripe>
    </>
  )
}

type GoToStripeProps = { label: string; isOnboarding: boolean; children?: React.ReactNode }

/** A document request, whose redirect leaves the site. */
function GoToStripe({ label, isOnboarding, children }: GoToStripeProps) {
  return (
    <Form method="post" action="/settings/payments" reloadDocument className="grid gap-4">
      <input type="hidden" name="intent" value="connect" />
      <Origin isOnboarding={isOnboarding} />
      {children}
      <div>
        <button type="submit" className="btn btn-primary">
          {label}
        </button>
      </div>
    </Form>
  )
}

/** The page that the form leads back to. */
const Origin = ({ isOnboarding }: { isOnboarding: boolean }) =>
  isOnboarding && <input type="hidden" name="from" value="onboarding" />

type ActionProps = {
  intent: 'check' | 'disconnect'
  label: string
  busyLabel: string
  isDanger?: boolean
  isOnboarding: boolean
}

function ActionButton({ intent, label, busyLabel, isDanger = false, isOnboarding }: ActionProps) {
  const { formData } = useNavigation()
  return (
    <Form method="post" action="/settings/payments" preventScrollReset>
      <input type="hidden" name="intent" value={intent} />
      <Origin isOnboarding={isOnboarding} />
      <Button
        type="submit"
        variant={isDanger ? 'danger-ghost' : 'secondary'}
        busy={formData?.get('intent') === intent}
        busyLabel={busyLabel}
      >
        {label}
      </Button>
    </Form>
  )
}
