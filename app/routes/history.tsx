import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { parseId } from '#app/lib/url.ts'
import { formatDateTime } from '#app/lib/time.ts'
import { ButtonLink } from '#app/ui/components/button.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { LoadOlderLink } from '#app/ui/components/pagination.tsx'
import { formatField } from '#modules/core/format-field.ts'
import { getHistory, listTitles } from '#modules/core/history.ts'
import { getFieldLabel, getRecordKind } from '#modules/core/record-kinds.ts'
import type { FieldLabel } from '#modules/core/manifest.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data }) =>
  pageTitle(matches, data ? `History of ${data.title}` : 'History')

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const kind = getRecordKind(ctx, new URL(request.url).pathname.split('/')[2] ?? '')
  const before = parseId(new URL(request.url).searchParams.get('before')) || null
  const history = await getHistory(ctx, kind, parseId(params.id), { rows: pageSize + 1, before })
  const more = history.entries.length > pageSize
  if (more) history.entries.pop()
  const titles = await listTitles(ctx, kind, history)
  return {
    label: kind.label,
    title: history.title,
    to: history.to,
    older: more ? `?before=${history.entries.at(-1)!.id}` : null,
    entries: history.entries.map(({ id, action, by, at, changes }) => ({
      id,
      action,
      by: by?.name ?? 'The system',
      when: formatDateTime(at, ctx.account),
      at: at.toISOString(),
      changes: changes.map(({ field, label, from, to }) => {
        const format = getFieldLabel(kind, field)
        return { label, ...formatChange(from, to, format) }
      }),
    })),
  }

  /** Without markup, unless only the markup changed. */
  function formatChange(from: unknown, to: unknown, format: FieldLabel) {
    const change = { from: formatValue(from, format), to: formatValue(to, format) }
    return change.from === change.to && change.from !== null
      ? { from: formatValue(from, ''), to: formatValue(to, '') }
      : change
  }

  function formatValue(value: unknown, format: FieldLabel): string | null {
    const text = formatField(ctx, value, format, (of, id) => titles.get(`${of} ${id}`))
    return text && shorten(text, maxValueLength)
  }
}

const pageSize = 50
/** Keeps the page small: fifty changes of whole notes would be megabytes. */
const maxValueLength = 2000

const shorten = (text: string, maxLength: number): string =>
  text.length > maxLength ? `${truncate(text, maxLength)}…` : text

/** Cuts a text without splitting a surrogate pair. */
const truncate = (text: string, length: number): string =>
  text
    .slice(0, length)
    .toWellFormed()
    .replace(/\ufffd$/, '')
    .trimEnd()

/** 'moved the client to the trash' */
const actionTexts = {
  created: (record: string) => `added ${record}`,
  changed: (record: string) => `edited ${record}`,
  deleted: (record: string) => `moved ${record} to the trash`,
  restored: (record: string) => `restored ${record}`,
}

export default function HistoryPage() {
  const { label, title, to, entries, older } = useLoaderData<typeof loader>()
  return (
    <Page
      title="History"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, ...(to ? [{ label: title, to }] : []), { label: 'History' }]}
      description={`All changes to ${title}.`}
      actions={
        to ? (
          <ButtonLink to={to}>Back to the {label.toLowerCase()}</ButtonLink>
        ) : (
          <ButtonLink to="/trash">Open trash</ButtonLink>
        )
      }
    >
      {entries.length ? (
        <ol aria-label="History" className="card rows max-w-3xl overflow-hidden">
          {entries.map((entry) => (
            <li key={entry.id} className="grid gap-2 px-5 py-4">
              <p className="flex flex-wrap items-baseline justify-between gap-x-4">
                <span className="min-w-0 wrap-anywhere">
                  <span className="font-semibold">{entry.by}</span>{' '}
                  {actionTexts[entry.action](`the ${label.toLowerCase()}`)}
                </span>
                <time dateTime={entry.at} className="num text-sm text-ink-3">
                  {entry.when}
                </time>
              </p>
              {entry.changes.length > 0 && (
                <dl className="grid gap-2">
                  {entry.changes.map((change) => (
                    <div key={change.label} className="grid gap-x-4 gap-y-0.5 sm:grid-cols-[9rem_minmax(0,1fr)]">
                      <dt className="text-sm text-ink-3">{change.label}</dt>
                      <dd className="grid min-w-0 gap-0.5 whitespace-pre-wrap wrap-anywhere">
                        <Value label="From" text={change.from} />
                        <Value label="To" text={change.to} />
                      </dd>
                    </div>
                  ))}
                </dl>
              )}
            </li>
          ))}
        </ol>
      ) : (
        <p className="text-ink-3">No changes yet.</p>
      )}
      {older && <LoadOlderLink to={older} />}
    </Page>
  )
}

const collapsedLength = 240

function Value({ label, text }: { label: 'From' | 'To'; text: string | null }) {
  return (
    <div className={`flex gap-2 ${label === 'From' ? 'text-ink-3' : ''}`}>
      <span className="w-10 shrink-0 text-sm text-ink-3">{label}</span>
      {text !== null && text.length > collapsedLength ? (
        <details className="min-w-0">
          <summary className="cursor-pointer">{truncate(text, collapsedLength)}…</summary>
          <p className="mt-2">{text}</p>
        </details>
      ) : (
        <span className={`min-w-0 ${text === null ? 'text-ink-3' : ''}`}>{text ?? '(empty)'}</span>
      )}
    </div>
  )
}
