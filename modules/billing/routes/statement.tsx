import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { Download } from 'lucide-react'
import { parseId } from '#app/lib/url.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { Stats } from '#app/ui/components/stats.tsx'
import { DayFilter } from '#app/ui/forms/day-filter.tsx'
import { FilterForm } from '#app/ui/forms/filter-form.tsx'
import { describeLoadError } from '../components/purchases-error.tsx'
import { statementUrl } from '../list-state.ts'
import { getStatementPage } from '../statements/page.server.ts'

export { ErrorBoundary } from '../components/purchases-error.tsx'
export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data, error }) =>
  pageTitle(matches, data ? `Statement of ${data.client.name}` : describeLoadError(error).title)

export const loader = ({ request, params, context }: LoaderFunctionArgs) =>
  getStatementPage(context.coach(), parseId(params.id), request.url)

export default function StatementPage() {
  const { client, from, to, opening, charged, paid, closing, rows, isCut } = useLoaderData<typeof loader>()
  const url = statementUrl(client.id)
  const download = (file: string) => url.href({ from, to }).replace('/statement', `/statement/${file}`)
  return (
    <Page
      title="Statement"
      crumbs={[
        { label: 'Clients', to: '/clients' },
        { label: client.name, to: `/clients/${client.id}` },
        { label: 'Statement' },
      ]}
      actions={
        !isCut && (
          <>
            {['CSV', 'PDF'].map((kind) => (
              <a key={kind} className="btn btn-secondary" href={download(kind.toLowerCase())}>
                <Download className="i" />
                {kind}
              </a>
            ))}
          </>
        )
      }
    >
      <FilterForm action={url.href()} values={{ from, to }} className="mb-6 flex flex-wrap items-end gap-3">
        <DayFilter label="From" name="from" value={from} />
        <DayFilter label="To" name="to" value={to} />
        <noscript>
          <button type="submit" className="btn btn-secondary">
            Show
          </button>
        </noscript>
      </FilterForm>
      <Stats
        className="mb-6"
        stats={[
          { label: 'Opening balance', value: opening },
          { label: 'Charged', value: charged },
          { label: 'Paid', value: paid },
          { label: 'Closing balance', value: closing },
        ]}
      />
      <Card title="Entries">
        {rows.length ? (
          <ul className="rows border-t border-line-soft" aria-label="Entries">
            {rows.map((row, index) => (
              <li key={index} className="flex justify-between gap-4 px-5 py-2.5">
                <span className="min-w-0">
                  <span className="block font-medium wrap-anywhere">{row.title}</span>
                  <span className="block text-sm text-ink-3 wrap-anywhere">{row.detail}</span>
                </span>
                <span className="num shrink-0 text-right">
                  <span className="block font-medium">{row.amount}</span>
                  <span className="block text-sm text-ink-3">Balance {row.balance}</span>
                </span>
              </li>
            ))}
          </ul>
        ) : (
          <p className="px-5 pb-5 text-ink-3">Nothing was charged or paid in this period.</p>
        )}
      </Card>
      {isCut && <p className="mt-4 text-ink-2">These are the first {rows.length} entries. Choose a shorter period.</p>}
    </Page>
  )
}
