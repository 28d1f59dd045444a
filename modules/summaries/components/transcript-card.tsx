import { Download } from 'lucide-react'
import { ButtonLink, HistoryLink } from '#app/ui/components/button.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { FilterForm } from '#app/ui/forms/filter-form.tsx'
import { SearchField } from '#app/ui/forms/search-field.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { sessionUrl } from '../list-state.ts'
import type { SessionPage } from '../session-loader.server.ts'

type Transcript = NonNullable<SessionPage['transcript']>

/** The lines of the transcript with speakers and times; the cited line is marked. */
export function TranscriptCard({ id, state, transcript, recording }: SessionPage & { transcript: Transcript }) {
  const { q } = state
  const hasPlayer = recording?.player != null
  const url = sessionUrl(id)
  return (
    <Card
      title="Transcript"
      aside={
        <FilterForm action={url.href()} values={{ q }} className="w-56 min-w-0">
          <SearchField label="Search this transcript" placeholder="Search this transcript" value={q} />
        </FilterForm>
      }
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line-soft px-5 py-3 text-sm text-ink-3">
        <span className="num min-w-40 flex-1 wrap-anywhere">{describe(transcript, q)}</span>
        <span className="flex flex-wrap gap-1">
          <FileLink id={id} format="text" label="Text" />
          <FileLink id={id} format="vtt" label="VTT" />
          {Array.from({ length: transcript.parts }, (_, index) => (
            <FileLink
              key={index}
              id={id}
              format={index ? `pdf&part=${index + 1}` : 'pdf'}
              label={transcript.parts > 1 ? `PDF ${index + 1}/${transcript.parts}` : 'PDF'}
            />
          ))}
          <HistoryLink kind="session_transcript" id={transcript.id} />
          <ButtonLink
            variant="danger-ghost"
            to={url.href(state, { dialog: 'delete-transcript' })}
            replace
            preventScrollReset
          >
            Delete
          </ButtonLink>
        </span>
      </div>
      {transcript.lines.length ? (
        <ol className="border-t border-line-soft py-2" aria-label="Transcript">
          {transcript.lines.map((line) => (
            <Line
              key={line.n}
              {...line}
              isMarked={line.n === state.line}
              to={q ? `${url.href({ line: line.n })}#line-${line.n}` : hasPlayer ? url.href({ line: line.n }) : null}
              plays={hasPlayer && !q}
            />
          ))}
        </ol>
      ) : (
        <p className="border-t border-line-soft px-5 py-5 text-ink-3">No line contains these words.</p>
      )}
      <Pages sessionId={id} q={q} page={transcript.page} lastPage={transcript.lastPage} />
    </Card>
  )
}

function describe({ source, fileName, addedOn, count, found, duration }: Transcript, q: string): string {
  if (q) return found === 1 ? '1 line contains these words.' : `${found} lines contain these words.`
  const size = `${count.toLocaleString('en-US')} ${count === 1 ? 'line' : 'lines'}${duration ? `, ${duration}` : ''}`
  return `${size}. ${source}${fileName ? ` from ${fileName}` : ''} on ${addedOn}.`
}

function FileLink({ id, format, label }: { id: number; format: string; label: string }) {
  return (
    <a
      className="btn btn-ghost"
      href={`/session-summaries/${id}/export?format=${format}`}
      aria-label={`Download as ${label}`}
    >
      <Download className="i" />
      {label}
    </a>
  )
}

type LineProps = Transcript['lines'][number] & { isMarked: boolean; to: string | null; plays: boolean }

/** `to`: the line among the others, or the same page, whose player `plays` it. */
function Line({ n, speaker, time, text, isMarked, to, plays }: LineProps) {
  return (
    <li
      id={`line-${n}`}
      aria-current={isMarked || undefined}
      className={`grid scroll-mt-24 grid-cols-[3.5rem_minmax(0,1fr)] gap-x-3 px-5 py-1.5 ${isMarked ? 'bg-(--brand-soft)' : ''}`}
    >
      <span className="num pt-0.5 text-sm text-ink-3">
        {to ? (
          <Link
            className="link"
            to={to}
            preventScrollReset={plays}
            replace={plays}
            aria-label={plays ? `Play line ${n}` : `Show line ${n} in the transcript`}
          >
            {time ?? n}
          </Link>
        ) : (
          (time ?? n)
        )}
      </span>
      <p className="wrap-anywhere">
        {speaker && <span className="mr-2 font-semibold">{speaker}</span>}
        <span className="font-serif">{text}</span>
      </p>
    </li>
  )
}

type PagesProps = { sessionId: number; q: string } & Pick<Transcript, 'page' | 'lastPage'>

function Pages({ sessionId, q, page, lastPage }: PagesProps) {
  if (lastPage === 1) return null
  const toPage = (other: number) => sessionUrl(sessionId).href({ q, page: other })
  return (
    <nav className="flex items-center justify-between gap-3 border-t border-line-soft px-5 py-3" aria-label="Pages">
      {page > 1 ? (
        <ButtonLink size="sm" to={toPage(page - 1)} preventScrollReset>
          Earlier
        </ButtonLink>
      ) : (
        <span />
      )}
      <span className="num text-sm text-ink-3">
        Page {page} of {lastPage}
      </span>
      {page < lastPage ? (
        <ButtonLink size="sm" to={toPage(page + 1)} preventScrollReset>
          Later
        </ButtonLink>
      ) : (
        <span />
      )}
    </nav>
  )
}
