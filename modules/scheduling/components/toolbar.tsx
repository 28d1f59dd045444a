import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import { Link } from '#app/ui/navigation/link.tsx'
import { Segmented } from '#app/ui/components/tabs.tsx'
import { calendarUrl, shiftDate, views, type CalendarState, type View } from '../calendar-state.ts'
import { statusLabels } from '../fields.ts'

const viewLabels: Record<View, string> = { month: 'Month', week: 'Week', day: 'Day' }

/** Links to the previous and next period, to today, and to the other views. */
export function Toolbar({
  state,
  date,
  client,
}: {
  state: CalendarState
  date: string
  client: { id: number; name: string } | null
}) {
  const { view } = state
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <div className="flex gap-1">
        <Link
          to={calendarUrl.href(state, { date: shiftDate(view, date, -1) })}
          preventScrollReset
          className="btn btn-secondary btn-icon"
          aria-label={`Previous ${view}`}
        >
          <ChevronLeft className="i" />
        </Link>
        <Link
          to={calendarUrl.href(state, { date: shiftDate(view, date, 1) })}
          preventScrollReset
          className="btn btn-secondary btn-icon"
          aria-label={`Next ${view}`}
        >
          <ChevronRight className="i" />
        </Link>
      </div>
      <Link to={calendarUrl.href(state, { date: null })} preventScrollReset className="btn btn-secondary">
        Today
      </Link>
      {client && (
        <span className={clientPill}>
          <Link to={`/clients/${client.id}`} className="min-w-0 truncate hover:underline">
            {client.name}
          </Link>
          <Link
            to={calendarUrl.href(state, { client: null })}
            preventScrollReset
            aria-label="Show all clients"
            className={removeButton}
          >
            <X className="i size-3.5" />
          </Link>
        </span>
      )}
      <Segmented
        label="View"
        className="ml-auto"
        segments={views.map((each) => ({
          label: viewLabels[each],
          to: calendarUrl.href(state, { view: each, date: state.date && date }),
          current: each === view,
        }))}
      />
    </div>
  )
}

const clientPill =
  'flex min-w-0 max-w-full items-center gap-1 rounded-full bg-sunken py-0.5 pl-3 pr-1 text-sm ' +
  'shadow-[inset_0_0_0_1px_var(--line)]'
const removeButton =
  'grid size-7 shrink-0 place-items-center rounded-full text-ink-3 hover:bg-hover pointer-coarse:size-11'
const legendLink = 'flex items-center gap-2 rounded-sm py-0.5 hover:text-ink pointer-coarse:py-3'

const legend = ['completed', 'confirmed', 'scheduled', 'cancelled'] as const

/** The colors of the statuses; each status can be hidden. */
export function Legend({ state }: { state: CalendarState }) {
  return (
    <ul aria-label="Statuses" className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-3">
      {legend.map((status) => {
        const hidden = state.without.includes(status)
        const without = hidden ? state.without.filter((other) => other !== status) : [...state.without, status]
        return (
          <li key={status} className={`st-${status}`}>
            <Link
              to={calendarUrl.href(state, { without })}
              preventScrollReset
              replace
              className={`${legendLink} ${hidden ? 'line-through' : ''}`}
            >
              <i className={`dot ${hidden ? 'opacity-40' : ''}`} />
              {statusLabels[status]}
              <span className="sr-only">: {hidden ? 'hidden, show' : 'shown, hide'}</span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
