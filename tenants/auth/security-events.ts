import { isoTimestamp } from '#db/read-pool.ts'
import type { Ctx } from '../context.ts'
import type { TenantTransaction } from '../platform.ts'
import { describeDevice, toDeviceColumns, type Device } from './device.ts'

/**
 * `title` is shown in the log; a kind with a `subject` is also emailed. `text` begins the email, `label` names the
 * detail.
 */
export const securityEventKinds = {
  sign_in: { title: 'Signed in' },
  // The old address gets an email of its own.
  email_changed: { title: 'Email address changed' },
  new_device: {
    title: 'Signed in from a new device',
    subject: 'New sign-in to your account',
    text: 'Somebody signed in to your account from a device or network that was not used before.',
  },
  password_changed: {
    title: 'Password changed',
    subject: 'Your password was changed',
    text: 'The password of your account was changed.',
  },
  password_reset: {
    title: 'Password reset',
    subject: 'Your password was changed',
    text: 'The password was set with a link from an email. All devices were signed out, and all API keys were revoked.',
  },
  authenticator_added: {
    title: 'Two-step sign-in turned on',
    subject: 'Two-step sign-in is on',
    text: 'Signing in to your account now needs a code from an authenticator app.',
  },
  authenticator_removed: {
    title: 'Two-step sign-in turned off',
    subject: 'Two-step sign-in is off',
    text: 'Signing in to your account no longer needs a code.',
  },
  recovery_codes_created: {
    title: 'New recovery codes',
    subject: 'Your recovery codes were replaced',
    text: 'New recovery codes were made for your account. The old ones no longer work.',
  },
  recovery_code_used: {
    title: 'Signed in with a recovery code',
    subject: 'A recovery code was used',
    text: 'A recovery code was used to sign in to your account.',
    label: 'Codes',
  },
  passkey_added: {
    title: 'Passkey added',
    subject: 'A passkey was added to your account',
    text: 'A passkey that signs in to your account was added.',
    label: 'Name',
  },
  passkey_removed: {
    title: 'Passkey removed',
    subject: 'A passkey was removed from your account',
    text: 'A passkey of your account was removed.',
    label: 'Name',
  },
  authenticator_removed_by_administrator: {
    title: 'Two-step sign-in turned off by the administrator',
    subject: 'Two-step sign-in is off',
    text: 'The administrator turned off two-step sign-in for your account. Signing in no longer needs a code.',
  },
  domain_added: {
    title: 'Domain added',
    subject: 'A domain was added to your account',
    text: 'A domain of your own was added to your account. It is used once DNS proves that it is yours.',
    label: 'Domain',
  },
  domain_removed: {
    title: 'Domain removed',
    subject: 'A domain was removed from your account',
    text: 'A domain was removed from your account. Your practice no longer answers there.',
    label: 'Domain',
  },
  api_key_created: {
    title: 'API key created',
    subject: 'An API key was created for your account',
    text: 'A key was created with which another program can use your account.',
    label: 'Name',
  },
  api_key_revoked: {
    title: 'API key revoked',
    subject: 'An API key of your account was revoked',
    text: 'A key with which another program could use your account no longer works.',
    label: 'Name',
  },
  export_requested: {
    title: 'Export requested',
    subject: 'An export of your practice was requested',
    text: 'A file with everything of your practice is being made. It can be downloaded on all devices that are signed in to your account.',
  },
  session_ended: {
    title: 'Device signed out',
    subject: 'A device was signed out of your account',
    text: 'A device was signed out of your account.',
    label: 'Device',
  },
  sessions_ended: {
    title: 'All other devices signed out',
    subject: 'All other devices were signed out of your account',
    text: 'All devices but the one below were signed out of your account.',
  },
  account_closed: {
    title: 'Account closed',
    subject: 'Your account was closed',
    text: 'Your account was closed. Until the day below you can sign in to reopen it as it was, or to export your data. Then everything in it is deleted.',
    label: 'Day of deletion',
    signIn: 'Sign in to reopen it',
  },
  account_reopened: {
    title: 'Account reopened',
    subject: 'Your account is open again',
    text: 'Your account was reopened with everything in it.',
  },
  restored_by_administrator: {
    title: 'Account restored by the administrator',
    subject: 'Your account was restored',
    text: 'The administrator restored your account with everything in it. You can sign in as before.',
  },
  signed_out_by_administrator: {
    title: 'Signed out by the administrator',
    subject: 'You were signed out',
    text: 'The administrator signed out all devices of your account and revoked its API keys. You can sign in again.',
  },
  support_allowed: { title: 'Support access allowed' },
  support_withdrawn: { title: 'Support access ended' },
  support_started: {
    title: 'Support opened the practice',
    subject: 'Support has opened your practice',
    text: 'As you allowed, support is looking at your practice. It can read, and changes nothing. Every page it opens is in your security log. You can end this at any time under Settings, Support access.',
    label: 'Administrator',
  },
  support_page_opened: { title: 'Support read a page' },
  support_ended: { title: 'Support left the practice' },
} as const satisfies Record<string, SecurityEventText>
export type SecurityEventKind = keyof typeof securityEventKinds
export type SecurityEventText = {
  title: string
  subject?: string
  text?: string
  label?: string
  /** The button of the email leads to the sign-in. */
  signIn?: string
}

export type NewSecurityEvent = { kind: SecurityEventKind; device: Device; now: Date; details?: Record<string, string> }

/** Adds an entry to the owner's security log and a line to the process's log, and emails the owner about a change. */
export async function recordSecurityEvent(
  tx: TenantTransaction,
  coachId: number,
  { kind, device, now, details = {} }: NewSecurityEvent,
): Promise<void> {
  const { userAgent, ipAddress } = toDeviceColumns(device)
  const [event] = await tx.query<{ id: number }>({
    name: 'security-event.insert',
    text: `insert into security_event (coach_id, kind, ip_address, user_agent, details, created_at)
      values ($1, $2, $3, $4, $5, $6) returning id`,
    values: [coachId, kind, ipAddress, userAgent, JSON.stringify(details), now],
  })
  tx.logSecurity({ event: kind, account: coachId, address: device.address })
  if ('subject' in securityEventKinds[kind]) await tx.enqueue('mail.security', { coachId, eventId: event!.id })
}

export type SecurityEventEntry = { id: number; title: string; detail: string; device: string; at: string }

/** The security log, newest first. `total`: the number of entries without `rows` and `skip`. */
export async function listSecurityEvents(
  ctx: Ctx,
  { rows: limit = null, skip = 0 }: { rows?: number | null; skip?: number } = {},
): Promise<(SecurityEventEntry & { total: number })[]> {
  const rows = await ctx.query<{
    id: number
    kind: SecurityEventKind
    details: Record<string, string>
    userAgent: string | null
    ipAddress: string | null
    at: string
    total: number
  }>({
    name: 'security-event.list',
    text: `select id, kind, details, user_agent as "userAgent", ip_address as "ipAddress",
      ${isoTimestamp('created_at')} as at, count(*) over ()::int as total
      from security_event where coach_id = $1 order by id desc limit $2 offset $3`,
    values: [ctx.coachId, limit, skip],
  })
  return rows.map(({ id, kind, details, userAgent, ipAddress, at, total }) => ({
    id,
    // A newer version may have written kinds that this one doesn't know.
    title: securityEventKinds[kind]?.title ?? 'Security changed',
    detail: details.name ?? '',
    device: [describeDevice(userAgent), ipAddress].filter(Boolean).join(', '),
    at,
    total,
  }))
}
