import { ButtonLink } from '#app/ui/components/button.tsx'
import { Dialog, DialogActions, DialogBody, DialogClose } from '#app/ui/components/dialog.tsx'
import type { CoachOverview } from '../output.ts'
import { formatJoined, formatName, formatPlan } from '../format.ts'
import { openSupportPath } from '../list-state.ts'

/**
 * `facts`: more of the coach, by label. `isOpenToSupport`: the administrator may read the practice.
 * `deliveriesHref`: null without webhooks.
 */
export function CoachDetailsDialog({
  coach,
  facts,
  isOpenToSupport,
  planHref,
  modulesHref,
  deliveriesHref,
  closeTo,
}: {
  coach: CoachOverview
  facts: Record<string, string>
  isOpenToSupport: boolean
  planHref: string
  modulesHref: string
  deliveriesHref: string | null
  closeTo: string
}) {
  const details = {
    Email: coach.email,
    Business: coach.businessName ?? '–',
    Plan: formatPlan(coach),
    Clients: coach.clients.toLocaleString('en-US'),
    'Two-step sign-in': coach.twoStep ? 'On' : 'Off',
    Joined: formatJoined(coach.createdAt),
    ...facts,
  }
  return (
    <Dialog title={formatName(coach)} closeTo={closeTo}>
      <DialogBody>
        <dl className="rows">
          {Object.entries(details).map(([label, value]) => (
            <div key={label} className="flex justify-between gap-4 py-2.5">
              <dt className="text-ink-3">{label}</dt>
              <dd className="min-w-0 text-right wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
        <DialogActions>
          <DialogClose>Close</DialogClose>
          {isOpenToSupport && (
            // All of the next page is another account's: submit natively, without Remix.
            <form method="post" action={openSupportPath}>
              <input type="hidden" name="coach" value={coach.id} />
              <button type="submit" className="btn btn-secondary">
                Open as Support
              </button>
            </form>
          )}
          {deliveriesHref && <ButtonLink to={deliveriesHref}>Webhook Deliveries</ButtonLink>}
          <ButtonLink to={modulesHref}>Modules</ButtonLink>
          <ButtonLink to={planHref} replace preventScrollReset>
            Change Plan
          </ButtonLink>
        </DialogActions>
      </DialogBody>
    </Dialog>
  )
}
