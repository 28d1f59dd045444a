import { Form, useNavigation } from '@remix-run/react'
import { Search } from 'lucide-react'
import { Button } from '#app/ui/components/button.tsx'
import { Card } from '#app/ui/components/page.tsx'
import type { SearchView, SessionPage } from '../session-loader.server.ts'

/** How the recording is looked for, and which one it is if that is not known. */
export function SearchCard({ search, consent, hasPlan }: SessionPage & { search: SearchView }) {
  const { status, candidates, where } = search
  const canStart = hasPlan && consent.active !== null && where !== ''
  return (
    <Card title="Recording">
      <div className="flex flex-wrap items-center gap-3 border-t border-line-soft px-5 py-5">
        <div className="grid min-w-48 flex-1 gap-1" role="status">
          <p className={status === 'failed' ? 'text-danger-text' : 'text-ink-2'}>{describe(search, consent)}</p>
          {search.lastSearch && (
            <p className="text-sm text-ink-3">
              Looked {search.attempts === 1 ? 'once' : `${search.attempts} times`}, last on {search.lastSearch}.
              {search.nextSearch && ` Next attempt: ${search.nextSearch}.`}
            </p>
          )}
        </div>
        {canStart && <SearchButton label={search.attempts > 0 ? 'Look again' : 'Look for it'} />}
      </div>
      {canStart && candidates.length > 0 && <Candidates candidates={candidates} />}
    </Card>
  )
}

function describe({ status, where, failure, candidates, limits }: SearchView, consent: SessionPage['consent']): string {
  if (candidates.length)
    return [
      failure,
      candidates.length > 1
        ? 'Several recordings were made at about that time. Which one belongs to this session?'
        : 'A recording was made at about that time. Does it belong to this session?',
    ]
      .filter(Boolean)
      .join(' ')
  if (!consent.active) return 'Record the client’s consent and we’ll look for the recording.'
  if (status === 'failed') return failure ?? 'The search has failed.'
  if (status === 'not_found')
    return [`No recording of this session was found at ${where}. Look again, or upload it below.`, limits]
      .filter(Boolean)
      .join(' ')
  if (status === 'searching') return failure ?? `Looking for the recording on ${where}.`
  return `The recording has not been looked for at ${where} yet.`
}

function SearchButton({ label }: { label: string }) {
  const busy = useNavigation().formData?.get('intent') === 'searchAgain'
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="intent" value="searchAgain" />
      <Button type="submit" icon={Search} busy={busy} busyLabel="Looking...">
        {label}
      </Button>
    </Form>
  )
}

function Candidates({ candidates }: Pick<SearchView, 'candidates'>) {
  const { formData } = useNavigation()
  const chosen = formData?.get('intent') === 'choose' ? formData.get('candidateId') : null
  return (
    <ul aria-label="Recordings at that time" className="divide-y divide-line-soft border-t border-line-soft">
      {candidates.map(({ id, title, where, when }) => (
        <li key={id} className="flex flex-wrap items-center gap-3 px-5 py-3">
          <p className="grid min-w-48 flex-1">
            <span className="font-medium wrap-anywhere">{title}</span>
            <span className="text-sm text-ink-3">
              {where}, {when}
            </span>
          </p>
          <Form method="post" preventScrollReset>
            <input type="hidden" name="intent" value="choose" />
            <input type="hidden" name="candidateId" value={id} />
            <Button
              type="submit"
              busy={chosen === String(id)}
              busyLabel="Fetching..."
              aria-label={`Use ${title}, ${when}`}
            >
              Use this one
            </Button>
          </Form>
        </li>
      ))}
    </ul>
  )
}
