import { Download } from 'lucide-react'
import { pageHref } from '#app/lib/url.ts'
import { ButtonLink } from '#app/ui/components/button.tsx'
import { Pagination } from '#app/ui/components/pagination.tsx'
import { Stats } from '#app/ui/components/stats.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { ImportStep } from '../import-loader.server.ts'
import { ImportRowTable, outcomeLabels } from './import-rows.tsx'
import { UndoButton } from './undo-button.tsx'

type ResultStep = Extract<ImportStep, { step: 'done' }>

export function ResultActions({ step: { id, created } }: { step: ResultStep }) {
  return (
    <>
      {created > 0 && <UndoButton id={id}>Undo Import</UndoButton>}
      <ButtonLink to="/clients/import">Import Another File</ButtonLink>
      <ButtonLink to="/clients" variant="primary">
        View Clients
      </ButtonLink>
    </>
  )
}

const formatNumber = (value: number): string => value.toLocaleString('en-US')

export function ImportResult({ step }: { step: ResultStep }) {
  const { created, duplicates, failed, leftOut, notSelected, tag, plan, hasFile, rejectedCount } = step
  return (
    <>
      <Stats
        stats={[
          { label: 'Added', value: formatNumber(created), detail: tag ? `Tagged “${tag}”` : 'New clients' },
          {
            label: outcomeLabels.duplicate,
            value: formatNumber(duplicates),
            detail: 'Already a client or duplicate',
          },
          {
            label: outcomeLabels.error,
            value: formatNumber(failed),
            detail: failed ? (hasFile ? 'Listed below' : 'Not added') : 'None',
          },
          {
            label: outcomeLabels['left-out'],
            value: formatNumber(leftOut),
            detail: leftOut ? `No room on your ${plan} plan` : 'None',
          },
        ]}
      />
      {notSelected > 0 && (
        <p className="mt-4 text-ink-2">
          {notSelected === 1 ? '1 row was' : `${formatNumber(notSelected)} rows were`} not selected.
        </p>
      )}
      {created > 0 && (
        <p className="mt-4 text-sm text-ink-3">
          You can undo this import for 30 days. Clients that were changed or used by then are kept.
        </p>
      )}
      {rejectedCount > 0 && <RejectedRows step={step} />}
      {!hasFile && failed + leftOut > 0 && (
        <p className="mt-4 text-sm text-ink-3">
          The file was deleted after newer imports, so the rows that were not imported can’t be listed any more.
        </p>
      )}
    </>
  )
}

function RejectedRows({ step }: { step: ResultStep }) {
  const { id, leftOut, rows, page, pages } = step
  const importUrl = `/clients/import/${id}`
  return (
    <section className="mt-8" aria-label="Rows that were not imported">
      <div className="mb-3 flex flex-wrap items-end justify-between gap-3">
        <div className="min-w-0 flex-1 basis-72">
          <h2 className="h2">Not imported</h2>
          <p className="mt-1 text-sm text-ink-3">
            Download these rows, correct them in a spreadsheet, and import the file again.
            {leftOut > 0 && (
              <>
                {' '}
                For those over your plan’s limit,{' '}
                <Link to="/upgrade" className="link">
                  upgrade your plan
                </Link>{' '}
                or archive clients first.
              </>
            )}
          </p>
        </div>
        <ButtonLink to={`${importUrl}/errors`} reloadDocument icon={Download}>
          Download Rows
        </ButtonLink>
      </div>
      <ImportRowTable label="Rows that were not imported" rows={rows} />
      {pages > 1 && (
        <Pagination
          previous={page > 1 ? pageHref(importUrl, page - 1) : undefined}
          next={page < pages ? pageHref(importUrl, page + 1) : undefined}
        >
          Page {formatNumber(page)} of {formatNumber(pages)}
        </Pagination>
      )}
    </section>
  )
}
