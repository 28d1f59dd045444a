import { dayMs } from '#app/lib/time.ts'
import type { Entity } from '#db/orm.ts'
import { createInvitationToken, createResetToken } from '../auth/one-time-tokens.ts'
import { idleSince } from '../auth/sessions.ts'
import { deleteBytesOfCoach } from '../files/jobs.ts'
import { forEachCoach } from '../for-each-coach.ts'
import { deleteOldEmails, sendEmail } from '../mail.ts'
import { withTenant, type Platform } from '../platform.ts'
import type { HostTenant } from '../auth/viewer.ts'
import { remindOfClosing, removedCoachDays } from './closing.ts'
import { effectivePlanSql } from './plans.ts'
import { reserveErasedSubdomains } from './subdomains.ts'

const securityEventDays = 365

/** Emails a link to reset the password. Does nothing for an address without an account. */
export async function sendResetEmail(platform: Platform, data: { email: string }): Promise<void> {
  const reset = await createResetToken(platform, data.email)
  if (!reset) return
  const from = await getSender(platform, reset.coachId)
  await sendEmail(
    platform.config,
    {
      to: data.email,
      subject: 'Reset your password',
      paragraphs: [
        'We received a request to reset your password.',
        "The link below works once, for one hour. If this wasn't you, ignore this email: your password stays the same.",
      ],
      button: { label: 'Choose a new password', url: `${platform.config.origin}/auth/reset?token=${reset.token}` },
      from,
    },
    platform.now(),
  )
}

/**
 * Emails a coach whom the admin added a link to choose their first password. Does nothing once they have, or were
 * removed.
 */
export async function sendInvitationEmail(platform: Platform, data: { coachId: number; email: string }): Promise<void> {
  const [rows] = await platform.readPool.queryAsTenant(data.coachId, [
    {
      name: 'invitation.address',
      text: `select 1 from account
        where id = $1 and email_verified_at is null and last_sign_in_at is null and removed_at is null`,
      values: [data.coachId],
    },
  ])
  if (!rows!.length) return
  const token = await createInvitationToken(platform, data.coachId)
  await sendEmail(
    platform.config,
    {
      to: data.email,
      subject: `Your practice on ${platform.config.platformName}`,
      paragraphs: [
        'An account was created for you. Choose a password to sign in.',
        'The link works once, for seven days.',
      ],
      button: { label: 'Choose a password', url: `${platform.config.origin}/auth/reset?token=${token}` },
      from: null,
    },
    platform.now(),
  )
}

/** The coach's branding for their emails. */
export async function getSender(platform: Platform, coachId: number): Promise<HostTenant | null> {
  const [rows] = await platform.readPool.queryAsTenant(coachId, [
    {
      name: 'mail.sender',
      text: `select id, coalesce(business_name, first_name || ' ' || last_name) as name, bio,
        primary_color as "primaryColor", logo_url as "logoUrl", subdomain,
        custom_domain as "customDomain", ${effectivePlanSql('$2')} as plan
        from account where id = $1`,
      values: [coachId, platform.now()],
    },
  ])
  return (rows as HostTenant[])[0] ?? null
}

/**
 * Deletes expired sessions, tokens, security events, idempotency keys, rate limits and stored emails, and everything of
 * coaches who were removed 30 days ago. Reminds those who closed their account.
 */
export async function deleteExpired(platform: Platform, entities: Entity[]): Promise<void> {
  const now = platform.now()
  await deleteOldEmails(platform.config, now)
  await platform.readPool.queryGlobal({
    name: 'expire.rate-limits',
    text: 'delete from rate_limit where window_ends_at <= $1',
    values: [now],
  })
  await platform.readPool.queryGlobal({
    name: 'expire.erased-subdomains',
    text: 'delete from erased_subdomain where expires_at <= $1',
    values: [now],
  })
  const removedBefore = now.getTime() - removedCoachDays * dayMs
  await forEachCoach(platform, async ({ id, removedAt }) => {
    if (removedAt && removedAt.getTime() <= removedBefore)
      return eraseCoach(platform, id, { removedBefore: new Date(removedBefore), entities })
    if (removedAt) await remindOfClosing(platform, id)
    return deleteExpiredRows(platform, id, now)
  })
}

async function deleteExpiredRows(platform: Platform, coachId: number, now: Date): Promise<void> {
  const dayAgo = new Date(now.getTime() - dayMs)
  await withTenant(platform, coachId, async (tx) => {
    await tx.query({
      name: 'expire.sessions',
      text: 'delete from session where coach_id = $1 and (expires_at <= $2 or last_seen_at <= $3)',
      values: [coachId, now, idleSince(now)],
    })
    await tx.query({
      name: 'expire.tokens',
      text: 'delete from one_time_token where coach_id = $1 and expires_at <= $2',
      values: [coachId, dayAgo],
    })
    await tx.query({
      name: 'expire.security-events',
      text: 'delete from security_event where coach_id = $1 and created_at <= $2',
      values: [coachId, new Date(now.getTime() - securityEventDays * dayMs)],
    })
    await tx.query({
      name: 'expire.idempotency-keys',
      text: 'delete from idempotency_key where coach_id = $1 and created_at <= $2',
      values: [coachId, dayAgo],
    })
  })
}

/** Deleted by its trigger. */
const historyTable = 'history'

/**
 * Deletes everything of a coach, children before parents, in one transaction. Does nothing if the coach was taken back
 * in the meantime.
 */
async function eraseCoach(
  platform: Platform,
  coachId: number,
  { removedBefore, entities }: { removedBefore: Date; entities: Entity[] },
): Promise<void> {
  const tables = entities
    .filter(({ meta }) => 'coachId' in meta.properties && meta.tableName !== historyTable)
    .map(({ meta }) => meta.tableName)
    .reverse()
  await withTenant(platform, coachId, async (tx) => {
    const removed = await tx.query({
      name: 'erase.lock',
      text: 'select 1 from account where id = $1 and removed_at <= $2 for update',
      values: [coachId, removedBefore],
    })
    if (!removed.length) return
    for (const erase of platform.extensions.accountErasers) await erase({ ...tx, platform, coachId })
    await reserveErasedSubdomains(tx, coachId)
    await deleteBytesOfCoach(tx, coachId)
    // The tables of modules that are no longer installed, newest first: they may refer to the others.
    const leftBehind = await tx.query<{ name: string }>({
      name: 'erase.left-behind',
      text: `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'coach_id'
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all($1) order by c.oid desc`,
      values: [[...tables, historyTable]],
    })
    for (const table of [...leftBehind.map(({ name }) => name), ...tables])
      await tx.query({ name: `erase.${table}`, text: `delete from "${table}" where coach_id = $1`, values: [coachId] })
    await tx.query({ name: 'erase.account', text: 'delete from account where id = $1', values: [coachId] })
  })
}
