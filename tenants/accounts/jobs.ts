import type { HostTenant } from '../auth/viewer.ts'
import { issueInvitation, issueReset } from '../auth/sign-in.ts'
import { sendLetter } from '../mail.ts'
import { inTenant, type Platform } from '../platform.ts'
import type { Entity } from '#db/orm.ts'

const keptDays = 30

/** Mails the link for a new password. Says nothing to an address without an account. */
export async function mailReset(platform: Platform, data: { email: string }): Promise<void> {
  const reset = await issueReset(platform, data.email)
  if (!reset) return
  const from = await senderOf(platform, reset.coachId)
  await sendLetter(
    platform.config,
    {
      to: data.email,
      subject: 'Reset your password',
      paragraphs: [
        'Somebody, we hope you, asked for a new password for this account.',
        'The link below works once, for one hour. If it was not you, there is nothing to do: your password stays as it is.',
      ],
      button: { label: 'Choose a new password', url: `${platform.config.origin}/auth/reset?token=${reset.token}` },
      from,
    },
    platform.now(),
  )
}

/** Mails a coach whom the admin has added the link to choose a first password. */
export async function mailInvitation(platform: Platform, data: { coachId: number; email: string }): Promise<void> {
  const token = await issueInvitation(platform, data.coachId)
  await sendLetter(
    platform.config,
    {
      to: data.email,
      subject: `Your practice on ${platform.config.platformName}`,
      paragraphs: [
        'An account was made for you. Choose a password to sign in.',
        'The link works once, for seven days.',
      ],
      button: { label: 'Choose a password', url: `${platform.config.origin}/auth/reset?token=${token}` },
      from: null,
    },
    platform.now(),
  )
}

/** The branding that a coach's own mails carry. */
async function senderOf(platform: Platform, coachId: number): Promise<HostTenant | null> {
  const [rows] = await platform.reads.asTenant(coachId, [
    {
      name: 'mail.sender',
      text: `select id, coalesce(business_name, first_name || ' ' || last_name) as name, bio, primary_color as "primaryColor", logo_url as "logoUrl",
        subdomain, case when plan = 'free' and trial_ends_at > $2 then 'pro' else plan end as plan from account where id = $1`,
      values: [coachId, platform.now()],
    },
  ])
  return (rows as HostTenant[])[0] ?? null
}

/** What has run out is removed: sessions, links, retries, counters. Removed coaches are erased after 30 days. */
export async function sweep(platform: Platform, entities: Entity[]): Promise<void> {
  const now = platform.now()
  await platform.reads.look({
    name: 'sweep.throttle',
    text: 'delete from throttle where window_ends_at <= $1',
    values: [now],
  })
  const coaches = await platform.reads.look<{ id: number; removed_at: Date | null }>({
    name: 'sweep.coaches',
    text: 'select id, removed_at from every_coach()',
  })
  const dayAgo = new Date(now.getTime() - 86_400_000)
  for (const { id, removed_at } of coaches) {
    const erase = removed_at !== null && removed_at.getTime() <= now.getTime() - keptDays * 86_400_000
    await (erase ? eraseCoach(platform, id, entities) : sweepCoach(platform, id, now, dayAgo))
  }
}

async function sweepCoach(platform: Platform, coachId: number, now: Date, dayAgo: Date): Promise<void> {
  await inTenant(platform, coachId, async ({ rows }) => {
    await rows({
      name: 'sweep.session',
      text: 'delete from session where coach_id = $1 and expires_at <= $2',
      values: [coachId, now],
    })
    await rows({
      name: 'sweep.token',
      text: 'delete from one_time_token where coach_id = $1 and expires_at <= $2',
      values: [coachId, dayAgo],
    })
    await rows({
      name: 'sweep.retry',
      text: 'delete from retry where coach_id = $1 and created_at <= $2',
      values: [coachId, dayAgo],
    })
  })
}

/** The account goes last; the history goes with its records; throttling is nobody's. */
const keptTables = ['account', 'history', 'throttle']

/** Everything of one coach, children before parents, in one transaction. */
async function eraseCoach(platform: Platform, coachId: number, entities: Entity[]): Promise<void> {
  const tables = entities
    .map((entity) => entity.meta.tableName)
    .filter((table) => !keptTables.includes(table))
    .reverse()
  await inTenant(platform, coachId, async ({ rows }) => {
    for (const table of tables)
      await rows({ name: `erase.${table}`, text: `delete from "${table}" where coach_id = $1`, values: [coachId] })
    await rows({ name: 'erase.account', text: 'delete from account where id = $1', values: [coachId] })
  })
}
