import { defaultParam, enumParam, idParam, patternParam, urlState } from '#app/lib/url.ts'
import { dateParam } from './calendar-state.ts'
import { textKinds, type TextKind } from './messages/texts.ts'

export const messagesUrl = urlState('/calendar/messages', {
  message: defaultParam(Object.keys(textKinds) as TextKind[], 'confirmation'),
  /** The session in the preview; null: a sample. */
  appointment: idParam,
  dialog: enumParam(['reset']),
  /** The imagined session: its type, and its start in the coach's time zone. */
  type: idParam,
  date: dateParam,
  time: patternParam(/^([01]\d|2[0-3]):[0-5]\d$/),
})
export type MessagesState = ReturnType<typeof messagesUrl.parse>
