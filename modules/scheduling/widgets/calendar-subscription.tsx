import type { ToastMessage } from '#app/lib/flash.ts'
import { Button } from '#app/ui/components/button.tsx'
import { CopyButton } from '#app/ui/components/copy-button.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { useResultToast } from '#app/ui/components/toast.tsx'
import type { SubscriptionPart } from '../contributions.ts'
import { useFetcher } from '#app/ui/forms/use-fetcher.ts'

/**
 * Makes the address to which calendar programs subscribe, in the onboarding. Without scripts, its own page shows it.
 */
export default function CalendarSubscription({ data: { done, createdAt } }: { data: SubscriptionPart }) {
  const fetcher = useFetcher<{ address?: string; toast?: ToastMessage }>()
  useResultToast(fetcher.data)
  const address = fetcher.data?.address
  return (
    <Card title="Apple Calendar and others (iCal)">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 border-t border-line-soft px-5 py-5">
        <p className="text-ink-2">
          Your phone and other calendars can show your sessions: subscribe to a secret address there. On an iPhone, open
          Calendar, Calendars, Add Calendar, Add Subscription Calendar.
        </p>
        {address ? (
          <div className="grid gap-2">
            <label className="grid gap-1">
              <span className="font-medium">Your address</span>
              <input className="input" readOnly value={address} onFocus={(event) => event.currentTarget.select()} />
              <span className="hint">
                Copy it now: it is not shown again. Anyone who has it can read this calendar.
              </span>
            </label>
            <div>
              <CopyButton text={address} label="Copy Address" />
            </div>
          </div>
        ) : (
          done && <p className="text-ink-2">You made an address on {createdAt}.</p>
        )}
        <fetcher.Form method="post" action="/settings/calendar" className="flex flex-wrap items-center gap-3">
          <input type="hidden" name="intent" value="renew-feed" />
          <Button type="submit" busy={fetcher.state !== 'idle'} busyLabel="Creating...">
            {done ? 'Make a New Address' : 'Set Up iCal'}
          </Button>
          {done && <p className="hint">The previous address stops working.</p>}
        </fetcher.Form>
      </div>
    </Card>
  )
}
