import { enumParam, patternParam, urlState, withQuery } from '#app/lib/url.ts'

/**
 * The state of a booking page, all in its URL: it works without scripts. `page`: a type's slug, or that of a personal
 * link.
 */
export const bookingUrl = (page: string) =>
  urlState(`/book/${page}`, {
    /** The visitor's time zone. Null: not detected yet. */
    zone: patternParam(/^[A-Za-z][\w+/-]{0,59}$/),
    /** Minutes. Null: the usual duration. */
    duration: patternParam(/^[1-9]\d{0,3}$/),
    month: patternParam(/^2[01]\d\d-(0[1-9]|1[0-2])$/),
    day: patternParam(/^2[01]\d\d-(0[1-9]|1[0-2])-\d\d$/),
    start: patternParam(instantPattern),
    step: enumParam(['details']),
    hold: patternParam(holdPattern),
    /** Shown in a frame of the coach's website. */
    embed: enumParam(['1']),
  })
export type BookingUrl = ReturnType<typeof bookingUrl>
export type BookingState = ReturnType<BookingUrl['parse']>
/** The URLs of a page with a month and its times. */
export type MonthUrl = Pick<BookingUrl, 'href'>

/** The page on which an attendee moves a session has a month too. `path`: that of their link. */
export const moveUrl = (path: string): BookingUrl => {
  const { parse, href } = bookingUrl('')
  return {
    parse,
    href: (state, change) =>
      withQuery(`${path}?${href(state, { ...change, step: null }).split('?')[1] ?? ''}`, { step: 'move' }),
  }
}

export const instantPattern = /^2[01]\d\d-(0[1-9]|1[0-2])-([0-2]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:\d\d\.\d{3}Z$/
export const holdPattern = /^[\w-]{32}$/
