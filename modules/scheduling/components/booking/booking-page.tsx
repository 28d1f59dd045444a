import { FormError } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import type { BookingData, BookingDetails, BookingMonth } from '../../booking/booking-loader.server.ts'
import { bookingUrl } from '../../booking/booking-url.ts'
import { DetailsForm } from './details-form.tsx'
import { Month } from './month.tsx'
import { PageScript } from './page-script.tsx'
import { Times } from './times.tsx'
import { TypeList, TypeSummary } from './type-list.tsx'
import { WriteTo } from './write-to.tsx'
import { ZonePicker } from './zone-picker.tsx'

/** The free times of a type, or the form for one of them. */
export function BookingPage({ data }: { data: BookingData }) {
  return (
    <div className="mx-auto w-full max-w-page px-gutter pt-2 sm:pt-6">
      {data.unpayable ? (
        <Unpayable name={data.type.name} coach={data.unpayable} />
      ) : data.details ? (
        <Details data={data} details={data.details} />
      ) : (
        <Choice data={data} month={data.month!} />
      )}
      <PageScript zone={data.state.zone === null ? data.zone : null} nonce={data.nonce} />
    </div>
  )
}

function Unpayable({ name, coach }: { name: string; coach: NonNullable<BookingData['unpayable']> }) {
  return (
    <div className="mx-auto max-w-[40rem] pt-6">
      <h1 className="font-serif text-4xl text-balance wrap-anywhere">{name}</h1>
      <p className="mt-3 text-ink-2">
        This is paid by card when it is booked, which is not possible at the moment. Please get in touch instead.
      </p>
      <WriteTo coach={coach} />
    </div>
  )
}

/** Type, day and time, side by side. */
function Choice({ data, month }: { data: BookingData; month: BookingMonth }) {
  const { page, state, types, type, zone, zoneName, otherZones, durations } = data
  const url = bookingUrl(page)
  const { form } = useServerForm({}, { id: 'hold', intent: 'hold' })
  return (
    <>
      <FormError id={form.errorId} errors={form.errors} />
      <section
        aria-labelledby="booking-title"
        className={`mt-3 grid overflow-hidden rounded-2xl border border-line
          lg:grid-cols-[20.5rem_minmax(0,1fr)_14.5rem]`}
      >
        <div className="min-w-0 border-line p-6 max-lg:border-b lg:border-r">
          <h1 id="booking-title" className="font-serif text-2xl">
            Book a session
          </h1>
          {types.length > 1 ? (
            <TypeList
              types={types}
              current={page}
              toHref={(to) => bookingUrl(to).href({ zone: state.zone, embed: state.embed })}
            />
          ) : (
            <div className="flex py-3.5">
              <TypeSummary type={type} />
            </div>
          )}
          {durations.length > 1 && (
            <nav aria-label="Duration" className="mt-3 flex flex-wrap gap-2">
              {durations.map(({ minutes, label }, index) => {
                const isChosen = state.duration === null ? index === 0 : state.duration === minutes
                return (
                  <Link
                    key={minutes}
                    to={url.href(state, { duration: minutes, start: null, step: null })}
                    aria-current={isChosen ? 'true' : undefined}
                    className={`btn ${isChosen ? 'btn-primary' : 'btn-secondary'}`}
                  >
                    {label}
                  </Link>
                )
              })}
            </nav>
          )}
        </div>
        <div className="min-w-0 border-line p-4 sm:p-6 max-lg:border-b lg:border-r">
          <Month month={month} url={url} state={state} />
        </div>
        <div id="times" className="min-w-0 scroll-mt-4 p-6">
          <h2 className="h2">{month.day?.title ?? 'No free times'}</h2>
          <ZonePicker
            zone={zone}
            name={zoneName}
            otherZones={otherZones}
            action={url.href(state, { zone: null, step: null })}
          />
          <Times month={month} url={url} state={state} />
        </div>
      </section>
    </>
  )
}

function Details({ data, details }: { data: BookingData; details: BookingDetails }) {
  const { page, state, type, zoneName, person } = data
  const url = bookingUrl(page)
  const toCalendar = url.href(state, { step: null })
  return (
    <section
      aria-labelledby="booking-title"
      className="mt-3 grid overflow-hidden rounded-2xl border border-line lg:grid-cols-[20.5rem_minmax(0,1fr)]"
    >
      <div className="min-w-0 border-line p-6 max-lg:border-b lg:border-r">
        <h1 id="booking-title" className="font-serif text-2xl wrap-anywhere">
          {type.name}
        </h1>
        <p className={`mt-3 font-semibold ${details.isFree ? '' : 'text-ink-3 line-through'}`}>{details.when}</p>
        <p className="text-ink-3">{[details.duration, zoneName].join(' · ')}</p>
        {type.place && <p className="text-ink-3 wrap-anywhere">{type.place}</p>}
        {type.price && <p className="num mt-2">{type.price}</p>}
        {details.payment && <p className="mt-1 text-sm text-ink-2">{details.payment}</p>}
        {details.isHeld && <p className="mt-3 text-sm text-ink-2">We keep this time for you for 10 minutes.</p>}
        {details.needsConfirmation && <p className="mt-3 text-sm text-ink-2">You will hear when it is confirmed.</p>}
        {details.isFree && (
          <Link className="link hit mt-3 inline-block text-sm" to={toCalendar}>
            Choose another time
          </Link>
        )}
      </div>
      <div className="min-w-0 p-6">
        <h2 className="h2 mb-4">Your details</h2>
        <DetailsForm
          details={details}
          person={person}
          action={url.href(state)}
          toCalendar={toCalendar}
          isEmbedded={state.embed !== null}
        />
      </div>
    </section>
  )
}
