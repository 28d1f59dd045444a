import { Video } from 'lucide-react'
import { Avatar } from '#app/ui/components/avatar.tsx'
import { StatusBadge } from '#app/ui/components/badge.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { Card } from '#app/ui/components/page.tsx'
import type { TodaysSchedule } from '../contributions.ts'

/** The sessions of the coach's day; the line of now stands before the first one that isn't over. */
export default function TodaysScheduleCard({ data: { appointments, clock } }: { data: TodaysSchedule }) {
  const next = appointments.findIndex(({ over }) => !over)
  return (
    <Card
      title="Today's Schedule"
      aside={
        <Link className="link text-sm" to="/calendar">
          Open calendar
        </Link>
      }
    >
      {appointments.length ? (
        <ul aria-label="Today's Schedule" className="rows border-t border-line-soft">
          {appointments.map(({ id, title, who, status, time, length, over, join }, at) => (
            <li key={id} className="relative flex items-center gap-4 px-5 py-3 hover:bg-hover">
              {at === next && at > 0 && (
                <span className="absolute inset-x-0 -top-px border-t border-(--brand-edge)" aria-hidden="true">
                  <b className="num absolute right-5 -translate-y-1/2 rounded-full bg-(--brand-solid) px-2 text-2xs font-semibold text-(--on-brand)">
                    {clock}
                  </b>
                </span>
              )}
              <span className={`num w-[4.5rem] shrink-0 ${over ? 'text-ink-3' : ''}`}>
                <span className="block font-medium">{time}</span>
                <span className="block text-sm text-ink-3">{length}</span>
              </span>
              <span className="max-sm:hidden">
                <Avatar name={who} />
              </span>
              <span className="min-w-0 flex-1">
                <Link
                  to={`/calendar?dialog=appointment&appointment=${id}`}
                  className={`block truncate font-medium after:absolute after:inset-0 ${status === 'cancelled' ? 'text-ink-3 line-through' : ''}`}
                >
                  {title}
                </Link>
                <span className="block truncate text-sm text-ink-3">{who}</span>
              </span>
              {join ? (
                <a href={join} target="_blank" rel="noreferrer" className="btn btn-secondary btn-sm relative">
                  <Video className="i" />
                  Join<span className="sr-only"> {title}</span>
                </a>
              ) : (
                <StatusBadge status={status} />
              )}
            </li>
          ))}
        </ul>
      ) : (
        <p className="px-5 pb-5 text-ink-3">Nothing is scheduled for today.</p>
      )}
    </Card>
  )
}
