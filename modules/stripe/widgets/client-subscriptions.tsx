import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { subscriptionsUrl } from '../subscriptions/list-state.ts'
import type { SubscriptionsCardData } from '../subscriptions/loader.server.ts'
import { StateBadge } from '../subscriptions/state-badge.tsx'

/** The client's latest subscriptions; nothing without any. */
export default function ClientSubscriptionsCard({ data }: { data: SubscriptionsCardData }) {
  if (!data) return null
  const { clientId, rows, more } = data
  return (
    <Card title="Subscriptions">
      <ul aria-label="Subscriptions" className="rows border-t border-line-soft">
        {rows.map(({ id, product, state, progress, next }) => (
          <li key={id}>
            <Link
              to={subscriptionsUrl.href({ client: clientId, dialog: 'subscription', subscription: id })}
              className="grid gap-0.5 px-5 py-3 -outline-offset-2 hover:bg-hover"
            >
              <span className="flex items-start justify-between gap-3">
                <span className="min-w-0 truncate font-semibold">{product}</span>
                <StateBadge state={state} />
              </span>
              <span className="block text-sm text-ink-3">{progress}</span>
              <span className="block text-sm text-ink-3">{next}</span>
            </Link>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p className="border-t border-line px-5 py-3">
          <Link className="link hit text-sm" to={subscriptionsUrl.href({ client: clientId })}>
            {`+${more.toLocaleString('en-US')} more`}
          </Link>
        </p>
      )}
    </Card>
  )
}
