import { Form } from '@remix-run/react'
import { Sparkles, Upload } from 'lucide-react'
import { pageHref } from '#app/lib/url.ts'
import { Button, ButtonLink } from '#app/ui/components/button.tsx'
import { Pagination } from '#app/ui/components/pagination.tsx'
import { Tabs } from '#app/ui/components/tabs.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { ImportStep } from '../import-loader.server.ts'
import type { PreviewFilter } from '../preview.ts'
import { ImportChoicesForm } from './import-choices.tsx'
import { outcomeLabels } from './import-rows.tsx'
import { useFetcher } from '#app/ui/forms/use-fetcher.ts'

type PreviewStep = Extract<ImportStep, { step: 'preview' }>

/** The form around the rows. */
const formId = 'choices'

export function PreviewActions({ step, submitting }: { step: PreviewStep; submitting: string | null }) {
  const count = step.counts.create
  const sent = useFetcher({ key: formId }).formData
  return (
    <>
      {/* The first button of its form: Enter in a field saves the choices, and doesn't start the import. */}
      <button type="submit" form={formId} hidden />
      <Form method="post">
        <input type="hidden" name="intent" value="cancel" />
        <Button type="submit" busy={submitting === 'cancel'}>
          Discard
        </Button>
      </Form>
      <ButtonLink to={`/clients/import/${step.id}?columns=`}>Change Columns</ButtonLink>
      {count > 0 && (
        <Button
          type="submit"
          form={formId}
          name="then"
          value="run"
          variant="primary"
          icon={Upload}
          busy={sent?.get('then') === 'run'}
          busyLabel="Starting..."
        >
          Import {count.toLocaleString('en-US')} {count === 1 ? 'Client' : 'Clients'}
        </Button>
      )}
    </>
  )
}

export function ImportPreview({ step }: { step: PreviewStep }) {
  const { id, show, counts, remaining, plan, page, pages, ignoredColumns } = step
  const overLimit = counts['left-out']
  const href = (filter: PreviewFilter, page = 1) =>
    pageHref(`/clients/import/${id}`, page, filter === 'all' ? {} : { show: filter })
  const tab = (filter: PreviewFilter, label: string) => ({
    label: `${label} (${counts[filter].toLocaleString('en-US')})`,
    to: href(filter),
    current: show === filter,
  })
  return (
    <>
      {remaining !== null && overLimit > 0 && <PlanLimitNote plan={plan} remaining={remaining} overLimit={overLimit} />}
      {counts.create + overLimit + counts.deselected === 0 && (
        <p className="mb-4 text-ink-2">Nothing to import. Everyone is already a client or needs fixing.</p>
      )}
      {ignoredColumns.length > 0 && (
        <p className="mb-4 text-ink-2 wrap-anywhere">
          {ignoredColumns.length === 1 ? 'This column' : 'These columns'} won’t be imported:{' '}
          {formatColumnList(ignoredColumns)}.
        </p>
      )}
      <Tabs
        label="Rows"
        tabs={[
          tab('all', 'All'),
          tab('create', outcomeLabels.create),
          ...(overLimit ? [tab('left-out', outcomeLabels['left-out'])] : []),
          ...(counts.deselected || show === 'deselected' ? [tab('deselected', outcomeLabels.deselected)] : []),
          tab('duplicate', outcomeLabels.duplicate),
          tab('error', outcomeLabels.error),
        ]}
      />
      <ImportChoicesForm id={formId} step={step} />
      {pages > 1 && (
        <Pagination
          previous={page > 1 ? href(show, page - 1) : undefined}
          next={page < pages ? href(show, page + 1) : undefined}
        >
          Page {page.toLocaleString('en-US')} of {pages.toLocaleString('en-US')}
        </Pagination>
      )}
    </>
  )
}

const maxListedColumns = 6

function formatColumnList(columns: string[]): string {
  const listed = columns.slice(0, maxListedColumns)
  const others = columns.length - listed.length
  return new Intl.ListFormat('en-US').format(others ? [...listed, `${others.toLocaleString('en-US')} more`] : listed)
}

const formatClientCount = (count: number): string =>
  `${count.toLocaleString('en-US')} more ${count === 1 ? 'client' : 'clients'}`

function PlanLimitNote({ plan, remaining, overLimit }: { plan: string; remaining: number; overLimit: number }) {
  const others = overLimit.toLocaleString('en-US')
  return (
    <p className="mb-4 flex gap-2.5 rounded-md bg-brand-soft px-3.5 py-2.5">
      <Sparkles className="i mt-0.5" />
      <span>
        {remaining === 0
          ? `Your ${plan} plan has no room for more clients. `
          : `Your ${plan} plan has room for ${formatClientCount(remaining)}. The other ${others} won’t be imported. `}
        <Link to="/upgrade" className="link">
          Upgrade
        </Link>
      </span>
    </p>
  )
}
