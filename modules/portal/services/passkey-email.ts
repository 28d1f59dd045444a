import { formatCalendarDate, formatTime, formatZone, localDate } from '#app/lib/time.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { getSender } from '#tenants/accounts/jobs.ts'
import { coachOrigin } from '#tenants/config.ts'
import { sendEmail } from '#tenants/mail.ts'
import type { Platform } from '#tenants/platform.ts'

export const passkeyEmailQueue = 'portal.email-passkey'

/** `device`: such as "Firefox on Windows"; null if the coach removed them. */
export type PasskeyEmailJob = {
  coachId: number
  clientId: number
  passkeyIds: number[]
  change: 'added' | 'removed'
  device: string | null
}
type ChangedPasskey = { clientName: string; email: string; timezone: string | null; name: string; at: Date }

/** Emails a client, in the coach's name, that passkeys of theirs were added or removed. */
export async function sendPasskeyEmail(platform: Platform, job: PasskeyEmailJob): Promise<void> {
  const ctx = await loadCoachContext(platform, job.coachId, 'portal-passkey')
  const from = ctx && (await getSender(platform, job.coachId))
  if (!from) return
  const isAdded = job.change === 'added'
  const passkeys = await ctx.query<ChangedPasskey>({
    name: 'portal.changed-passkeys',
    text: `select c.name as "clientName", c.email, c.timezone, p.name,
        case when $4 then p.created_at else p.removed_at end as at
      from portal_passkey p join client c on c.coach_id = $1 and c.id = p.client_id
      where p.coach_id = $1 and p.client_id = $2 and p.id = any($3::bigint[]) and c.deleted_at is null
        and lower(c.email) = p.email order by p.id`,
    values: [job.coachId, job.clientId, job.passkeyIds, isAdded],
  })
  const [first] = passkeys
  if (!first) return
  const origin = coachOrigin(platform.config, ctx.account)
  const settings = { timezone: first.timezone ?? ctx.account.timezone, timeFormat: ctx.account.timeFormat }
  const date = formatCalendarDate(localDate(first.at, settings.timezone), { dateStyle: 'long' })
  const time = `${date} at ${formatTime(first.at, settings)}, ${formatZone(settings.timezone, first.at)}`
  const by = job.device === null ? `By: ${from.name}` : `From: ${job.device}`
  const names = passkeys.map(({ name }) => name).join(', ')
  const removed = passkeys.length === 1 ? 'A passkey was removed' : 'Passkeys were removed'
  const ended =
    passkeys.length === 1
      ? 'This passkey was removed and no longer signs you in'
      : 'These passkeys were removed and no longer sign you in'
  await sendEmail(
    platform.config,
    {
      to: first.email,
      from,
      replyTo: ctx.account.email,
      subject: `${isAdded ? 'A passkey was added' : removed} at ${from.name}`,
      paragraphs: [
        `Hello ${first.clientName},`,
        isAdded
          ? `A passkey was added that signs you in to your page at ${from.name}: ${names}.`
          : `${ended} at ${from.name}: ${names}. You can always sign in with a link.`,
        `${by}. Time: ${time}.`,
        ...(job.device === null
          ? []
          : [
              "If this wasn't you, remove the passkeys that you don't know and reply to this email, " +
                'and we will sign out all your devices.',
            ]),
      ],
      button: origin ? { label: 'See my passkeys', url: `${origin}/portal/account` } : null,
    },
    platform.now(),
  )
}
