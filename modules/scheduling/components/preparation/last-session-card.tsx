import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { RichText } from '#app/ui/rich-text/rich-text.tsx'
import type { Preparation } from '../../preparation-loader.server.ts'

/** The session before this one: its notes with its summary, and its agenda. */
export function LastSessionCard({ lastSession }: Pick<Preparation, 'lastSession'>) {
  if (!lastSession)
    return (
      <Card title="Last session">
        <p className="border-t border-line-soft px-5 py-4 text-ink-3">This is the first session.</p>
      </Card>
    )
  const { id, title, when, notes, agenda } = lastSession
  return (
    <Card title="Last session">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 border-t border-line-soft px-5 py-4">
        <p className="text-sm text-ink-3 wrap-anywhere">
          <Link className="link hit" to={`/calendar?dialog=appointment&appointment=${id}`}>
            {title}
          </Link>
          , {when}
        </p>
        {notes ? <RichText source={notes} /> : <p className="text-ink-3">No notes.</p>}
        {agenda && (
          <details>
            <summary className="link hit w-fit cursor-pointer text-sm">Agenda of that session</summary>
            <RichText source={agenda} className="mt-3" />
          </details>
        )}
      </div>
    </Card>
  )
}
