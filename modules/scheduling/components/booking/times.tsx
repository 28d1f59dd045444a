import { Form } from '@remix-run/react'
import type { ReactNode } from 'react'
import { Link } from '#app/ui/navigation/link.tsx'
import type { BookingMonth } from '../../booking/booking-loader.server.ts'
import type { BookingState, MonthUrl } from '../../booking/booking-url.ts'

/** More are in two columns. */
const manyTimes = 8

type Props = {
  month: BookingMonth
  url: MonthUrl
  state: BookingState
  /** The intent and the label of the chosen time's button. */
  intent?: string
  submitLabel?: string
  /** More fields of the chosen time's form. */
  children?: ReactNode
}

/** The free times of a day. Choosing one shows the button that holds it, or moves the session to it. */
export function Times({
  month: { times, holdKey },
  url,
  state,
  intent = 'hold',
  submitLabel = 'Confirm',
  children,
}: Props) {
  return (
    <ul
      className={`grid gap-2 sm:max-lg:grid-cols-4 ${times.length > manyTimes ? 'grid-cols-2' : ''}`}
      aria-label="Free times"
    >
      {times.map(({ start, label }) => (
        <li key={start} className={start === state.start ? 'col-span-full' : ''}>
          {start === state.start ? (
            <Form
              method="post"
              reloadDocument
              action={url.href(state, { month: null, step: null })}
              className="grid grid-cols-2 gap-1.5"
            >
              <input type="hidden" name="intent" value={intent} />
              <input type="hidden" name="start" value={start} />
              {intent === 'hold' && <input type="hidden" name="hold" value={state.hold ?? holdKey} />}
              {children && <div className="col-span-full">{children}</div>}
              <span className="num grid h-11 place-items-center rounded-md border border-ink bg-surface font-semibold">
                {label}
              </span>
              <button className="btn btn-primary !h-11" aria-label={`${submitLabel} ${label}`}>
                {submitLabel}
              </button>
            </Form>
          ) : (
            <Link
              to={`${url.href(state, { month: null, start, step: null })}#times`}
              className={`num grid h-11 place-items-center rounded-md border border-line-mid font-medium text-brand-text
                hover:border-brand-edge hover:bg-brand-soft`}
            >
              {label}
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}
