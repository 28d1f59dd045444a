import { localDate } from '#app/lib/time.ts'
import type { Ctx } from '#tenants/context.ts'
import type { Email } from '#tenants/mail.ts'
import { formatDateTimeRange } from '../format.ts'
import { formatInvitation, getOccasion, getPlaceholderValues, type Announced } from './format.ts'
import type { MessageKind } from './kinds.ts'
import { fillBody, fillSubject, type MessageText, type PlaceholderValues, type TextKind } from './texts.ts'

type Series = { announced: Announced[]; from: Email['from'] }

const textKinds: Partial<Record<MessageKind, TextKind>> = {
  confirmation: 'series_confirmation',
  change: 'series_change',
  cancellation: 'series_cancellation',
}
/** The text of an email about several sessions. */
export const getSeriesTextKind = (kind: MessageKind): TextKind => textKinds[kind]!

/** One email about several sessions, with a calendar file for each. */
export function formatSeriesMessage(ctx: Ctx, { announced, from, text }: Series & { text: MessageText }): Email {
  const [{ message, appointment }] = announced as [Announced]
  const isCancellation = message.kind === 'cancellation'
  const values = getSeriesValues(ctx, { announced, from })
  const hint = getSeriesHint(ctx, message.kind)
  return {
    to: isCancellation ? message.email : (appointment.attendeeEmail ?? message.email),
    replyTo: ctx.account.email,
    from,
    subject: fillSubject(text.subject, values),
    paragraphs: [...fillBody(text.body, values), ...(hint ? [hint] : [])],
    button: null,
    invitations: announced.map((one) => formatInvitation(ctx, { ...one, from })),
  }
}

/** Each session has a link of its own, so there is no button. Null: there are no links. */
export const getSeriesHint = ({ account: { subdomain } }: Ctx, kind: MessageKind): string | null =>
  kind === 'cancellation' || !subdomain ? null : 'To change or cancel one of them, use its link in your calendar.'

/** The values of the first session, with the times of all, and the place only if they share it. */
export function getSeriesValues(ctx: Ctx, { announced, from }: Series): PlaceholderValues {
  const [first] = announced as [Announced]
  const settings = { ...ctx.account, timezone: first.appointment.timezone }
  const today = localDate(ctx.now(), settings.timezone)
  const sessions = announced.map(getOccasion)
  const hasOnePlace = new Set(sessions.map(({ place }) => place)).size === 1
  const lines = sessions.map(({ startTime, endTime, place }) => {
    const when = formatDateTimeRange(startTime, endTime, settings, today)
    return hasOnePlace || !place ? when : `${when}: ${place}`
  })
  const values = getPlaceholderValues(ctx, { ...first, from })
  return {
    ...values,
    place: hasOnePlace ? values.place : '',
    link: '',
    sessions: lines.join('\n'),
    'number of sessions': String(sessions.length),
  }
}
