import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { plainText } from '#app/lib/markup.ts'
import { formatCents } from '#app/lib/money.ts'
import { parseId } from '#app/lib/parse-id.ts'
import { clockOf, dayOf } from '#app/lib/time.ts'
import { ButtonLink } from '#app/ui/components/button.tsx'
import { titled } from '#app/ui/components/branding.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { Older } from '#app/ui/components/pagination.tsx'
import { fieldOf, historyOf, kindOf, titlesIn } from '#modules/core/trash.ts'
import type { FieldLabel } from '#modules/core/manifest.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data }) =>
  titled(matches, data ? `History of ${data.title}` : 'History')

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const kind = kindOf(new URL(request.url).pathname.split('/')[2] ?? '')
  const before = parseId(new URL(request.url).searchParams.get('before')) || null
  const history = await historyOf(ctx, kind, parseId(params.id), { rows: pageRows + 1, before })
  const more = history.entries.length > pageRows
  if (more) history.entries.pop()
  const titles = await titlesIn(ctx, kind, history)
  const zone = ctx.account.timezone
  return {
    label: kind.label,
    title: history.title,
    to: history.to,
    older: more ? `?before=${history.entries.at(-1)!.id}` : null,
    entries: history.entries.map(({ id, action, by, at, changes }) => ({
      id,
      action,
      by: by?.name ?? 'The system',
      when: `${dayOf(at, zone)}, ${clockOf(at, zone)}`,
      at: at.toISOString(),
      changes: changes.map(({ field, label, from, to }) => {
        const as = fieldOf(kind, field)
        return { label, ...told(from, to, as) }
      }),
    })),
  }

  /** Words without their formatting, unless that is all that was changed. */
  function told(from: unknown, to: unknown, as: FieldLabel) {
    const words = { from: inWords(from, as), to: inWords(to, as) }
    return words.from === words.to && words.from !== null ? { from: inWords(from, ''), to: inWords(to, '') } : words
  }

  function inWords(value: unknown, as: FieldLabel): string | null {
    if (value === null || value === '') return null
    if (typeof as === 'object' && 'words' in as) return as.words[String(value)] ?? String(value)
    if (typeof as === 'object' && 'of' in as)
      return titles.get(`${as.of} ${String(value)}`) ?? `${as.label} ${String(value)}`
    const form = typeof as === 'object' ? as.as : null
    if (form === 'cents') return formatCents(Number(value))
    if (form === 'dollars') return formatCents(Number(Number(value).toFixed(2).replace('.', '')))
    if (form === 'time') return `${dayOf(String(value), zone)}, ${clockOf(String(value), zone)}`
    if (form === 'markup') return cut(plainText(String(value)))
    return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : cut(String(value))
  }
}

const pageRows = 50
/** As much of a text is shown: whole notes, fifty times before and after, would be megabytes. */
const most = 2000

const cut = (text: string): string => (text.length > most ? `${beginning(text, most)}…` : text)

/** At most so long, and never the half of a sign. */
const beginning = (text: string, length: number): string =>
  text
    .slice(0, length)
    .toWellFormed()
    .replace(/\ufffd$/, '')
    .trimEnd()

/** 'moved the client to the trash': what was done, of a record that is called so. */
const deedWords = {
  created: (what: string) => `added ${what}`,
  changed: () => 'changed this',
  deleted: (what: string) => `moved ${what} to the trash`,
  restored: (what: string) => `restored ${what}`,
}

/** Who changed which field of a record from what to what. */
export default function History() {
  const { label, title, to, entries, older } = useLoaderData<typeof loader>()
  return (
    <Page
      title="History"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, ...(to ? [{ label: title, to }] : []), { label: 'History' }]}
      sentence={`Everything that was done to ${title}.`}
      actions={
        to ? (
          <ButtonLink to={to}>Back to the {label.toLowerCase()}</ButtonLink>
        ) : (
          <ButtonLink to="/trash">Look in the trash</ButtonLink>
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
                  {deedWords[entry.action](`the ${label.toLowerCase()}`)}
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
                        <Value word="From" text={change.from} />
                        <Value word="To" text={change.to} />
                      </dd>
                    </div>
                  ))}
                </dl>
              )}
            </li>
          ))}
        </ol>
      ) : (
        <p className="text-ink-3">Nothing was noted yet. Changes are told here from now on.</p>
      )}
      {older && <Older to={older} />}
    </Page>
  )
}

const long = 240

function Value({ word, text }: { word: 'From' | 'To'; text: string | null }) {
  const shown = text ?? 'nothing'
  return (
    <div className={`flex gap-2 ${word === 'From' ? 'text-ink-3' : ''}`}>
      <span className="w-10 shrink-0 text-sm text-ink-3">{word}</span>
      {shown.length > long ? (
        <details className="min-w-0">
          <summary className="cursor-pointer">{beginning(shown, long)}…</summary>
          <p className="mt-2">{shown}</p>
        </details>
      ) : (
        <span className={`min-w-0 ${text === null ? 'text-ink-3' : ''}`}>{shown}</span>
      )}
    </div>
  )
}
