import { Check, Video } from 'lucide-react'
import { Avatar } from '#app/ui/components/avatar.tsx'
import { StatusBadge } from '#app/ui/components/badge.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { Card } from '#app/ui/components/page.tsx'
import type { TodaysSchedule } from '../contributions.ts'

const clockBadge =
  'num absolute right-5 -translate-y-1/2 rounded-full bg-(--brand-solid) px-2 text-2xs font-semibold text-(--on-brand)'
const titleLink = 'block truncate font-medium after:absolute after:inset-0'

/** The sessions of today, with a line at the current time. */
export default function TodaysScheduleCard({ data: { appointments, clock, doubtful } }: { data: TodaysSchedule }) {
  const next = appointments.findIndex(({ isOver }) => !isOver)
  return (
    <Card
      title="Today's Schedule"
      aside={
        <Link className="link text-sm" to="/calendar">
          Open calendar
        </Link>
      }
    >
      {doubtful > 0 && (
        <p className="border-t border-line-soft bg-warning-soft px-5 py-3 text-warning-text">
          {doubtful === 1 ? 'An email' : `${doubtful} emails`} about your sessions may not have been sent.{' '}
          <Link className="link" to="/calendar/messages">
            See which
          </Link>
        </p>
      )}
      {appointments.length ? (
        <ul aria-label="Today's Schedule" className="rows border-t border-line-soft">
          {appointments.map(({ title, attendeeName, time, duration, prepareTo, ...session }, index) => (
            <li key={session.id} className="relative flex items-center gap-4 px-5 py-3 hover:bg-hover">
              {index === next && index > 0 && (
                <span className="absolute inset-x-0 -top-px border-t border-(--brand-edge)" aria-hidden="true">
                  <b className={clockBadge}>{clock}</b>
                </span>
              )}
              <span className={`num w-[4.5rem] shrink-0 ${session.isOver ? 'text-ink-3' : ''}`}>
                <span className="block font-medium">{time}</span>
                <span className="block text-sm text-ink-3">{duration}</span>
              </span>
              <span className="max-sm:hidden">
                <Avatar name={attendeeName} />
              </span>
              <span className="min-w-0 flex-1">
                <Link
                  to={`/calendar?dialog=appointment&appointment=${session.id}`}
                  className={`${titleLink} ${session.status === 'cancelled' ? 'text-ink-3 line-through' : ''}`}
                >
                  {title}
                </Link>
                <span className="block truncate text-sm text-ink-3">{attendeeName}</span>
              </span>
              <span className="flex items-center gap-2 max-sm:flex-col max-sm:items-end">
                {prepareTo && (
                  <Link to={prepareTo} className="btn btn-secondary btn-sm relative">
                    Prepare<span className="sr-only"> {title}</span>
                  </Link>
                )}
                <SessionAction title={title} {...session} />
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <p className="px-5 pb-5 text-ink-3">No sessions today.</p>
      )}
    </Card>
  )
}

type SessionActionProps = Pick<TodaysSchedule['appointments'][number], 'id' | 'title' | 'status' | 'isOver' | 'joinUrl'>

/** Join the next session, complete a past one, or else its status. */
function SessionAction({ id, title, status, isOver, joinUrl }: SessionActionProps) {
  if (joinUrl)
    return (
      <a href={joinUrl} target="_blank" rel="noreferrer" className="btn btn-secondary btn-sm relative">
        <Video className="i" />
        Join<span className="sr-only"> {title}</span>
      </a>
    )
  if (isOver && (status === 'scheduled' || status === 'confirmed'))
    return (
      <Link
        to={`/calendar?dialog=complete&appointment=${id}`}
        className="btn btn-secondary btn-sm relative"
        preventScrollReset
      >
        <Check className="i" />
        Mark Complete<span className="sr-only">: {title}</span>
      </Link>
    )
  return <StatusBadge status={status} />
}
