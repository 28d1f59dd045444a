import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { Badge } from '#app/ui/components/badge.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { EmptyState } from '#app/ui/components/empty-state.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { TodayPart } from '#modules/core/manifest.ts'
import { fillSlot } from '#modules/core/slots.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Today')

export async function loader({ context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const filled = await fillSlot(ctx, 'today')
  return {
    date: new Intl.DateTimeFormat('en-US', {
      weekday: 'long',
      month: 'long',
      day: 'numeric',
      timeZone: ctx.account.timezone,
    }).format(ctx.now()),
    parts: filled.flatMap(({ data }) => (data as TodayPart | null) ?? []),
  }
}

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export default function Today() {
  const { date, parts } = useLoaderData<typeof loader>()
  return (
    <Page
      title="Today"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Today' }]}
      description={`What waits for you on ${date}.`}
    >
      {parts.length === 0 && (
        <div className="card max-w-3xl">
          <EmptyState title="Nothing waits for you">
            Today’s sessions, tasks, messages, answers, contracts, invoices and summaries appear here.
          </EmptyState>
        </div>
      )}
      <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-6">
        {parts.map(({ title, items, more }) => (
          <Card key={title} title={title}>
            <ul className="rows border-t border-line-soft" aria-label={title}>
              {items.map(({ key, title: name, detail, to, isLate }) => (
                <li key={key} className="relative flex items-center gap-3 px-5 py-2.5 hover:bg-hover">
                  <div className="min-w-0 flex-1">
                    <Link to={to} className="block truncate font-medium after:absolute after:inset-0">
                      {name}
                    </Link>
                    <p className="truncate text-sm text-ink-3">{detail}</p>
                  </div>
                  {isLate && <Badge tone="danger">Overdue</Badge>}
                </li>
              ))}
            </ul>
            {more && (
              <Link className="link block border-t border-line-soft px-5 py-3 text-sm" to={more.to}>
                {more.label}
              </Link>
            )}
          </Card>
        ))}
      </div>
    </Page>
  )
}
