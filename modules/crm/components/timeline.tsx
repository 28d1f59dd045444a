import { Calendar, Flag, ListChecks, MessageSquare, ShoppingBag, SquareKanban } from 'lucide-react'
import type { Icon as IconComponent } from '#app/ui/components/button.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { Timeline } from '../timeline-loader.server.ts'
import { interactionIcon } from './interaction-icon.ts'

// Other modules may add kinds that are not listed here.
const kinds: Record<string, { label: string; icon: IconComponent }> = {
  interaction: { label: 'Interactions', icon: MessageSquare },
  purchase: { label: 'Purchases', icon: ShoppingBag },
  session: { label: 'Sessions', icon: Calendar },
  prospect: { label: 'Pipeline', icon: SquareKanban },
  activity: { label: 'Changes', icon: Flag },
}
const describeKind = (kind: string) =>
  kinds[kind] ?? { label: kind.charAt(0).toUpperCase() + kind.slice(1), icon: ListChecks }

const currentFilter = 'font-semibold text-ink'

export function TimelineCard({
  timeline,
  pageHref,
}: {
  timeline: Timeline
  pageHref: (change: Record<string, string | null>) => string
}) {
  const { days, kind, nextShown } = timeline
  const filters = [
    { kind: null, label: 'All' },
    ...timeline.kinds.map((name) => ({ kind: name, label: describeKind(name).label })),
  ]
  return (
    <section id="timeline" className="card scroll-mt-20 overflow-hidden" aria-label="Timeline">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-3.5">
        <h2 className="h2">Timeline</h2>
        {filters.length > 2 && (
          <nav aria-label="Filter the timeline" className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
            {filters.map((filter) => (
              <Link
                key={filter.label}
                to={pageHref({ kind: filter.kind, shown: null })}
                preventScrollReset
                replace
                aria-current={filter.kind === kind ? 'true' : undefined}
                className={`hit rounded-sm ${filter.kind === kind ? currentFilter : 'text-ink-2 hover:text-ink'}`}
              >
                {filter.label}
              </Link>
            ))}
          </nav>
        )}
      </div>
      {days.map(({ day, entries }) => (
        <section
          key={day}
          aria-label={day}
          className="border-t border-line-soft px-5 py-2 sm:grid sm:grid-cols-[6.5rem_minmax(0,1fr)]"
        >
          <h3 className="num pt-2 text-sm text-ink-3">{day}</h3>
          <ul>
            {entries.map((entry) => {
              const { icon, label } = describeKind(entry.kind)
              const Icon = entry.kind === 'interaction' ? interactionIcon(entry.title) : icon
              return (
                <li key={entry.key} className="flex gap-3 py-1.5">
                  <span className="mt-0.5 grid size-7 shrink-0 place-items-center rounded-full bg-sunken text-ink-2">
                    <Icon className="i !size-3.5" />
                    <span className="sr-only">{label}</span>
                  </span>
                  <div className="min-w-0 flex-1">
                    <p className="font-medium wrap-anywhere">
                      {entry.to ? (
                        <Link to={entry.to} preventScrollReset className="hit rounded-sm hover:underline">
                          {entry.title}
                        </Link>
                      ) : (
                        entry.title
                      )}
                    </p>
                    {entry.text && <p className="line-clamp-3 max-w-prose text-ink-2 wrap-anywhere">{entry.text}</p>}
                  </div>
                </li>
              )
            })}
          </ul>
        </section>
      ))}
      {days.length === 0 && <p className="border-t border-line-soft px-5 py-4 text-ink-3">No entries yet.</p>}
      {nextShown !== null && (
        <p className="border-t border-line-soft px-5 py-3">
          <Link to={pageHref({ shown: String(nextShown) })} preventScrollReset replace className="link hit">
            Show more
          </Link>
        </p>
      )}
    </section>
  )
}
