import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData, useNavigation } from '@remix-run/react'
import { formatDateTime } from '#app/lib/time.ts'
import { Badge } from '#app/ui/components/badge.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { EmptyState } from '#app/ui/components/empty-state.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { Pagination } from '#app/ui/components/pagination.tsx'
import { Table } from '#app/ui/components/table.tsx'
import { Tabs } from '#app/ui/components/tabs.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import type { Ctx } from '#tenants/context.ts'
import { formActions, success } from '#modules/core/form-actions.server.ts'
import { DeliveryList } from '../components/delivery-list.tsx'
import { jobFilters, jobKinds, type DeliveryFilter } from '../fields.ts'
import { formatQueue, formatWait } from '../format.ts'
import { RetryDelivery, RetryJob, RetryJobs } from '../forms.ts'
import { adminUrl, jobsUrl, pageSize } from '../list-state.ts'
import { hasDeliveries, listDeliveries } from '../queries/deliveries.ts'
import { listFailures, listQueues } from '../queries/jobs.ts'
import { requireAdmin } from '../require-admin.server.ts'
import { retryDelivery, retryJob, retryJobs } from '../services/jobs.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Jobs')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = requireAdmin(context)
  const { kind: shown, page, state, q, after } = jobsUrl.parse(request.url)
  const tabs = hasDeliveries(ctx) ? shownTabs : shownTabs.filter(({ kind }) => kind !== 'delivery')
  if (shown === 'delivery') {
    const log = await loadDeliveries(ctx, { state, q, after })
    return { kind: 'all' as const, tabs, log, page: 1, queues: [], hasMore: false, failures: [] }
  }
  const kind = shown
  const [queues, failures] = await Promise.all([
    listQueues(ctx, kind),
    listFailures(ctx, kind, { rows: pageSize + 1, skip: (page - 1) * pageSize }),
  ])
  return {
    kind,
    tabs,
    log: null,
    page,
    queues: queues.map((queue) => ({ ...queue, title: formatQueue(queue.queue) })),
    hasMore: failures.length > pageSize,
    failures: failures.slice(0, pageSize).map(({ createdAt, at, queue, ...job }) => ({
      ...job,
      title: formatQueue(queue),
      created: formatDateTime(createdAt, ctx.account),
      at: formatDateTime(at, ctx.account),
    })),
  }
}

const shownTabs = [
  ...jobFilters.map((kind) => ({ kind, label: jobKinds[kind] })),
  { kind: 'delivery' as const, label: 'Webhook deliveries' },
]

async function loadDeliveries(ctx: Ctx, filters: { state: DeliveryFilter; q: string; after: number | null }) {
  const rows = await listDeliveries(ctx, { ...filters, rows: pageSize + 1 })
  const page = rows.slice(0, pageSize)
  const { state, q } = filters
  return {
    state,
    q,
    older: rows.length > pageSize ? jobsUrl.href({ kind: 'delivery', state, q, after: page.at(-1)!.id }) : null,
    deliveries: page.map(({ createdAt, attemptedAt, nextAttemptAt, ...delivery }) => ({
      ...delivery,
      created: formatDateTime(createdAt, ctx.account),
      attempted: attemptedAt && formatDateTime(attemptedAt, ctx.account),
      next: nextAttemptAt && formatDateTime(nextAttemptAt, ctx.account),
    })),
  }
}

const messages = {
  'retry-delivery': { done: 'The delivery is sent again', failed: 'Failed to send it again. Please try again.' },
  retry: { done: 'The job runs again', failed: 'Failed to run the job again. Please try again.' },
  'retry-all': { done: null, failed: 'Failed to run the jobs again. Please try again.' },
}

export const action = formActions(
  messages,
  {
    retry: { schema: RetryJob, run: (ctx, { id }) => retryJob(ctx, id), isButton: true },
    'retry-delivery': {
      schema: RetryDelivery,
      run: (ctx, { id, coach }) => retryDelivery(ctx, { coachId: coach, id }),
      isButton: true,
    },
    'retry-all': {
      schema: RetryJobs,
      isButton: true,
      run: async (ctx, { kind }) => {
        const count = await retryJobs(ctx, kind)
        return success({ toast: { title: count === 1 ? 'One job runs again' : `${count} jobs run again` } })
      },
    },
  },
  { home: jobsUrl.href(), authorize: requireAdmin },
)

export const clientAction = formClientAction(messages)

const descriptions = {
  jobs: 'What the platform does in the background. A job that fails is tried again, after pauses that grow to 15 minutes.',
  deliveries: "Events that are sent to coaches' webhooks. A failed delivery is tried up to eight times in 28 hours.",
}

export default function Jobs() {
  const { kind, tabs, log, page, queues, hasMore } = useLoaderData<typeof loader>()
  const failed = queues.reduce((sum, queue) => sum + queue.failed, 0)
  return (
    <Page
      title="Jobs"
      crumbs={[
        { label: 'Dashboard', to: '/dashboard' },
        { label: 'Admin Console', to: adminUrl.href() },
        { label: 'Jobs' },
      ]}
      description={log ? descriptions.deliveries : descriptions.jobs}
    >
      <Tabs
        label="Kinds of jobs"
        tabs={tabs.map((tab) => ({
          label: tab.label,
          to: jobsUrl.href({ kind: tab.kind }),
          current: tab.kind === (log ? 'delivery' : kind),
        }))}
      />
      {log ? <DeliveryList {...log} /> : <JobLists failed={failed} />}
      {!log && (page > 1 || hasMore) && (
        <Pagination
          previous={page > 1 ? jobsUrl.href({ kind, page: page - 1 }) : undefined}
          next={hasMore ? jobsUrl.href({ kind, page: page + 1 }) : undefined}
        >
          Page {page}
        </Pagination>
      )}
    </Page>
  )
}

function JobLists({ failed }: { failed: number }) {
  const { queues, failures } = useLoaderData<typeof loader>()
  return (
    <>
      <div className="my-6">
        {queues.length ? (
          <QueueTable />
        ) : (
          <p className="text-ink-2">Nothing waits or runs, and nothing has failed in the last days.</p>
        )}
      </div>
      <Card title="Failed attempts" aside={failed > 0 && <RetryAll failed={failed} />}>
        {failures.length ? (
          <FailedJobs />
        ) : (
          <EmptyState title="No failed attempts">Jobs that fail appear here, with the reason.</EmptyState>
        )}
      </Card>
    </>
  )
}

function RetryAll({ failed }: { failed: number }) {
  const { kind } = useLoaderData<typeof loader>()
  const busy = useNavigation().formData?.get('intent') === 'retry-all'
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="intent" value="retry-all" />
      <input type="hidden" name="kind" value={kind} />
      <Button type="submit" size="sm" busy={busy}>
        {failed === 1 ? 'Retry the failed job' : `Retry ${Math.min(failed, 1000).toLocaleString('en-US')} failed jobs`}
      </Button>
    </Form>
  )
}

type QueueRow = ReturnType<typeof useLoaderData<typeof loader>>['queues'][number]

function QueueTable() {
  const { queues } = useLoaderData<typeof loader>()
  const count = (number: number) => number.toLocaleString('en-US')
  const wait = ({ waiting, overdue }: QueueRow) => (waiting && overdue >= 1 ? formatWait(overdue) : '–')
  return (
    <Table
      label="Queues"
      bordered
      rows={queues}
      getKey={({ queue }) => queue}
      columns={[
        { head: 'Queue', cell: ({ title }) => <span className="font-semibold">{title}</span> },
        { head: 'Waiting', alignRight: true, cell: ({ waiting }) => count(waiting) },
        { head: 'Late by', alignRight: true, cell: wait },
        { head: 'Running', alignRight: true, cell: ({ running }) => count(running) },
        { head: 'Failed', alignRight: true, cell: ({ failed }) => count(failed) },
      ]}
      renderListItem={(queue) => (
        <div className="px-4 py-3">
          <p className="font-semibold wrap-anywhere">{queue.title}</p>
          <p className="num text-sm text-ink-3">
            {count(queue.waiting)} waiting, {count(queue.running)} running, {count(queue.failed)} failed
          </p>
        </div>
      )}
    />
  )
}

function FailedJobs() {
  const { failures } = useLoaderData<typeof loader>()
  return (
    <ul className="rows border-t border-line-soft">
      {failures.map((job) => (
        <li key={job.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
          <div className="min-w-0 flex-1 basis-60">
            <p className="font-semibold wrap-anywhere">{job.title}</p>
            <p className="text-sm wrap-anywhere text-ink-2">{job.problem ?? 'No reason is known.'}</p>
            <p className="num text-sm wrap-anywhere text-ink-3">
              {job.coachEmail && `${job.coachEmail} · `}
              {job.attempts} of {job.maxAttempts} attempts · since {job.created} ·{' '}
              {job.state === 'failed' ? `failed ${job.at}` : `next attempt ${job.at}`}
            </p>
          </div>
          <Badge tone={job.state === 'failed' ? 'danger' : 'warning'}>
            {job.state === 'failed' ? 'Failed' : 'Retrying'}
          </Badge>
          {job.state === 'failed' && (
            <Form method="post" preventScrollReset>
              <input type="hidden" name="intent" value="retry" />
              <input type="hidden" name="id" value={job.id} />
              <Button type="submit" size="sm" aria-label={`Retry ${job.title}, since ${job.created}`}>
                Retry
              </Button>
            </Form>
          )}
        </li>
      ))}
    </ul>
  )
}
