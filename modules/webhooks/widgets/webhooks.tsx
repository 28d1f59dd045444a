import { Badge } from '#app/ui/components/badge.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { WebhooksCard } from '../contributions.ts'

/** Leads to the webhooks. */
export default function Webhooks({ data: { count, off, failing, lastSuccess } }: { data: WebhooksCard }) {
  return (
    <Card title="Webhooks">
      <div className="grid gap-2 border-t border-line-soft px-5 py-5 text-ink-2">
        <p>
          Let other programs know what happens in your practice, on the{' '}
          <Link className="link" to="/settings/webhooks">
            Webhooks page
          </Link>
          .
        </p>
        {count > 0 && (
          <p className="text-sm text-ink-3">
            {count === 1 ? 'One webhook' : `${count} webhooks`}
            {off > 0 && `, ${off === count && count === 1 ? 'switched' : `${off} switched`} off`}.
            {lastSuccess && ` Last delivered: ${lastSuccess}.`}
          </p>
        )}
        {failing > 0 && (
          <p className="flex flex-wrap items-center gap-2 text-sm">
            <Badge tone="warning">Needs attention</Badge>
            <span>
              {failing === 1 ? 'One webhook is' : `${failing} webhooks are`} failing. Open{' '}
              <Link className="link" to="/settings/webhooks">
                Webhooks
              </Link>{' '}
              to see the responses.
            </span>
          </p>
        )}
      </div>
    </Card>
  )
}
