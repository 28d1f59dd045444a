import { CalendarClock } from 'lucide-react'
import { Link } from '#app/ui/navigation/link.tsx'
import type { ClientNextSession } from '../slots.ts'

/** The client's next sessions, contributed by other modules. Empty without such a module. */
export function NextSession({ sessions }: { sessions: (ClientNextSession | null)[] }) {
  if (!sessions.length) return null
  const next = sessions.find((session) => session !== null)
  return (
    <section className="card flex items-start gap-3 px-5 py-4" aria-labelledby="next-session">
      <CalendarClock className="i mt-0.5 shrink-0 text-ink-3" />
      <div className="min-w-0">
        <h2 id="next-session" className="h2">
          Next session
        </h2>
        {next ? (
          <>
            <p className="num">{next.when}</p>
            <Link to={next.to} className="link hit text-sm wrap-anywhere">
              {next.label}
            </Link>
            {' · '}
            <Link to={next.prepareTo} className="link hit text-sm">
              Prepare
            </Link>
          </>
        ) : (
          <p className="text-ink-3">Not scheduled</p>
        )}
      </div>
    </section>
  )
}
