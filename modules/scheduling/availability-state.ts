import { enumParam, idParam, patternParam, urlState } from '#app/lib/url.ts'
import { dateParam } from './calendar-state.ts'

export const availabilityUrl = urlState('/calendar/availability', {
  schedule: idParam,
  dialog: enumParam(['add', 'delete']),
  /** The appointment type in the preview. */
  type: idParam,
  day: dateParam,
  minutes: patternParam(/^\d{1,4}$/),
})
