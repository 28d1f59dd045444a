import { Form } from '@remix-run/react'
import { Badge } from '#app/ui/components/badge.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { EmptyState } from '#app/ui/components/empty-state.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { LoadOlderLink } from '#app/ui/components/pagination.tsx'
import { Segmented } from '#app/ui/components/tabs.tsx'
import { FilterForm } from '#app/ui/forms/filter-form.tsx'
import { SearchField } from '#app/ui/forms/search-field.tsx'
import { deliveryFilterNames, deliveryFilters, type DeliveryFilter } from '../fields.ts'
import { jobsUrl } from '../list-state.ts'

type DeliveryRow = {
  id: number
  coachId: number
  coachEmail: string | null
  event: string
  host: string
  state: DeliveryFilter
  attempts: number
  responseStatus: number | null
  problem: string | null
  created: string
  attempted: string | null
  next: string | null
  canRetry: boolean
}

/** The webhook deliveries in one state, of all coaches or of those found with `q`, without what is sent. */
export function DeliveryList({
  state,
  q,
  deliveries,
  older,
}: {
  state: DeliveryFilter
  q: string
  deliveries: DeliveryRow[]
  older: string | null
}) {
  return (
    <div className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <FilterForm
          action={jobsUrl.href()}
          values={{ q }}
          className="flex w-full flex-wrap items-center gap-2 sm:w-auto"
        >
          <input type="hidden" name="kind" value="delivery" />
          <input type="hidden" name="state" value={state} />
          <SearchField
            label="Search deliveries by coach"
            placeholder="Search by coach’s name or email"
            value={q}
            className="flex-1 basis-48 sm:w-80"
          />
          <noscript>
            <button type="submit" className="btn btn-secondary">
              Filter
            </button>
          </noscript>
        </FilterForm>
        <Segmented
          label="State of the deliveries"
          className="w-fit"
          segments={deliveryFilterNames.map((name) => ({
            label: deliveryFilters[name],
            to: jobsUrl.href({ kind: 'delivery', state: name, q }),
            current: name === state,
          }))}
        />
      </div>
      <Card title={`${deliveryFilters[state]} deliveries`}>
        {deliveries.length ? (
          <ul className="rows border-t border-line-soft">
            {deliveries.map((delivery) => (
              <Delivery key={`${delivery.coachId}-${delivery.id}`} {...delivery} />
            ))}
          </ul>
        ) : (
          <EmptyState title="No such deliveries">
            {q ? `${deliveryFilters[state]} deliveries of coaches that match “${q}” appear here.` : emptyTexts[state]}
          </EmptyState>
        )}
      </Card>
      {older && <LoadOlderLink to={older} />}
    </div>
  )
}

const emptyTexts = {
  failed: 'Webhooks of coaches that could not be delivered appear here for 30 days, with the reason.',
  pending: 'Webhooks of coaches that wait for an attempt appear here.',
  delivered: 'Webhooks of coaches that were delivered appear here for 30 days.',
}
const tones = { failed: 'danger', pending: 'warning', delivered: 'success' } as const

function Delivery(delivery: DeliveryRow) {
  const { id, coachId, coachEmail, event, host, state, problem, created, canRetry } = delivery
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-semibold wrap-anywhere">
          {event} to {host}
        </p>
        {problem && <p className="text-sm wrap-anywhere text-ink-2">{problem}</p>}
        {state === 'failed' && !canRetry && (
          <p className="text-sm text-ink-2">
            {coachEmail === null ? 'The coach was removed.' : 'The webhook is switched off.'}
          </p>
        )}
        <p className="num text-sm wrap-anywhere text-ink-3">
          {coachEmail ?? 'A coach who was removed'} · {describeAttempts(delivery)}
        </p>
      </div>
      <Badge tone={tones[state]}>{deliveryFilters[state]}</Badge>
      {canRetry && (
        <Form method="post" preventScrollReset>
          <input type="hidden" name="intent" value="retry-delivery" />
          <input type="hidden" name="id" value={id} />
          <input type="hidden" name="coach" value={coachId} />
          <Button type="submit" size="sm" aria-label={`Retry ${event} to ${host}, since ${created}`}>
            Retry
          </Button>
        </Form>
      )}
    </li>
  )
}

function describeAttempts({ attempts, responseStatus, created, attempted, next }: DeliveryRow): string {
  return [
    attempts === 1 ? '1 attempt' : `${attempts} attempts`,
    responseStatus !== null && `status ${responseStatus}`,
    `since ${created}`,
    attempted && `last attempt ${attempted}`,
    next && `next attempt ${next}`,
  ]
    .filter(Boolean)
    .join(' · ')
}
