import { enumParam, patternParam, urlState } from '#app/lib/url.ts'

/** The state of the booking page of a type, all in its URL: it works without scripts. */
export const bookingUrl = (slug: string) =>
  urlState(`/book/${slug}`, {
    /** The visitor's time zone. Null: not detected yet. */
    zone: patternParam(/^[A-Za-z][\w+/-]{0,59}$/),
    /** Minutes. Null: the usual duration. */
    duration: patternParam(/^[1-9]\d{0,3}$/),
    month: patternParam(/^2[01]\d\d-(0[1-9]|1[0-2])$/),
    day: patternParam(/^2[01]\d\d-(0[1-9]|1[0-2])-\d\d$/),
    start: patternParam(instantPattern),
    step: enumParam(['details']),
    hold: patternParam(holdPattern),
  })
export type BookingUrl = ReturnType<typeof bookingUrl>
export type BookingState = ReturnType<BookingUrl['parse']>

export const instantPattern = /^2[01]\d\d-(0[1-9]|1[0-2])-([0-2]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:\d\d\.\d{3}Z$/
export const holdPattern = /^[\w-]{32}$/
