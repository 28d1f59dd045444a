import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { EmptyState } from '#app/ui/components/empty-state.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { PartCard } from '#app/ui/components/part-card.tsx'
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
        {parts.map((part) => (
          <PartCard key={part.title} {...part} />
        ))}
      </div>
    </Page>
  )
}
