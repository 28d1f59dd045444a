import type { TimeFormat } from '#app/lib/clock.ts'
import { formatCalendarDate, formatTime, formatZone, localDate } from '#app/lib/time.ts'
import { sendEmail } from '../mail.ts'
import type { Platform } from '../platform.ts'
import { describeDevice } from './device.ts'
import { securityEventKinds, type SecurityEventKind, type SecurityEventText } from './security-events.ts'

type EventRow = {
  kind: SecurityEventKind
  details: Record<string, string>
  userAgent: string | null
  ipAddress: string | null
  createdAt: Date
  email: string
  timezone: string
  timeFormat: TimeFormat
}

/** Emails the owner about an entry of the security log, in the platform's name: it runs the account. */
export async function sendSecurityEmail(
  platform: Platform,
  { coachId, eventId }: { coachId: number; eventId: number },
): Promise<void> {
  const [rows] = await platform.readPool.queryAsTenant(coachId, [
    {
      name: 'mail.security-event',
      text: `select e.kind, e.details, e.user_agent as "userAgent", e.ip_address as "ipAddress",
        e.created_at as "createdAt", a.email, a.timezone, a.time_format as "timeFormat"
        from security_event e join account a on a.id = e.coach_id
        where e.coach_id = $1 and a.id = $1 and e.id = $2
          and (a.removed_at is null or a.closed_at = a.removed_at)`,
      values: [coachId, eventId],
    },
  ])
  const [event] = rows as EventRow[]
  if (!event) return
  const kind: SecurityEventText = securityEventKinds[event.kind]
  await sendEmail(
    platform.config,
    {
      to: event.email,
      subject: kind.subject!,
      paragraphs: [
        event.details.name && kind.label ? `${kind.text} ${kind.label}: ${event.details.name}.` : kind.text!,
        ...(event.ipAddress
          ? [
              `From: ${describeDevice(event.userAgent)}. Address: ${event.ipAddress}. Time: ${describeTime(event)}.`,
              "If this wasn't you, choose a new password now and sign out of all other devices.",
            ]
          : // Caused by the administrator.
            [`Time: ${describeTime(event)}.`]),
      ],
      button: kind.signIn
        ? { label: kind.signIn, url: `${platform.config.origin}/auth` }
        : { label: 'Check your security settings', url: `${platform.config.origin}/security` },
      from: null,
    },
    platform.now(),
  )
}

/** 'March 10, 2026 at 10:12 AM, Eastern Daylight Time' */
function describeTime({ createdAt, ...settings }: EventRow): string {
  const date = formatCalendarDate(localDate(createdAt, settings.timezone), { dateStyle: 'long' })
  return `${date} at ${formatTime(createdAt, settings)}, ${formatZone(settings.timezone, createdAt)}`
}
