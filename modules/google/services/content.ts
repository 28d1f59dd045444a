import { createHash, createHmac, hkdfSync } from 'node:crypto'
import type { AppointmentDetails } from '#modules/scheduling/index.ts'
import type { Ctx } from '#tenants/context.ts'
import type { GoogleEvent } from '../vendor/responses.ts'
import type { Link } from './apply.ts'

/** The fields of an appointment's event that are written here; the others are the coach's. */
export function toContent({ platform }: Ctx, appointment: AppointmentDetails, { meetUrl }: Pick<Link, 'meetUrl'>) {
  const { id, title, clientName, prospectName, startTime, endTime, timezone, meetingUrl, location } = appointment
  // The event has its own Meet link already.
  const shown = location ?? (meetingUrl === meetUrl ? null : meetingUrl)
  return {
    summary: `${title} (${clientName ?? prospectName})`,
    description: `${platform.config.origin}/calendar?dialog=appointment&appointment=${id}`,
    location: shown ?? '',
    start: { dateTime: startTime, timeZone: timezone },
    end: { dateTime: endTime, timeZone: timezone },
  }
}

/** Equal if the event needs no change. */
export const hashContent = (ctx: Ctx, appointment: AppointmentDetails, link: Pick<Link, 'meetUrl'>): string =>
  createHash('sha256')
    .update(JSON.stringify(toContent(ctx, appointment, link)))
    .digest('base64url')

/** Marks the events of this practice, so that people can tell where they come from. */
export const toProperties = ({ platform, coachId }: Ctx, appointmentId: number) => ({
  private: { practice: `${new URL(platform.config.origin).host}:${coachId}`, appointment: String(appointmentId) },
})

const base32hex = '0123456789abcdefghijklmnopqrstuv'

/** The same for each try, so that a repeated insert can't make a second event. */
export function createEventId(
  { platform, coachId }: Ctx,
  { appointmentId, generation }: Pick<Link, 'appointmentId' | 'generation'>,
  secretKey = platform.config.secretKeys[0]!,
): string {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'google event ids', 32))
  const hash = createHmac('sha256', key).update(`${coachId}:${appointmentId}:${generation}`).digest()
  return Array.from(hash.subarray(0, 26), (byte) => base32hex[byte % 32]).join('')
}

/** As many generations are recognized. */
const maxGenerations = 20

/** Whether an event was written for an appointment of this practice. A copy of it that the coach made is not. */
export function isOwnEvent(
  ctx: Ctx,
  { id, extendedProperties }: Pick<GoogleEvent, 'id' | 'extendedProperties'>,
): boolean {
  const marked = extendedProperties?.private
  const appointmentId = Number(marked?.appointment)
  const own = toProperties(ctx, appointmentId).private
  if (!Number.isSafeInteger(appointmentId) || marked?.practice !== own.practice) return false
  return ctx.platform.config.secretKeys.some((secretKey) =>
    Array.from({ length: maxGenerations }, (_, generation) =>
      createEventId(ctx, { appointmentId, generation }, secretKey),
    ).includes(id),
  )
}
