import { dayMs } from '#app/lib/time.ts'
import { safeRedirectPath } from '#app/lib/url.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { getSender } from '#tenants/accounts/jobs.ts'
import { createToken, hashToken } from '#tenants/auth/signing-keys.ts'
import { coachOrigin } from '#tenants/config.ts'
import type { WriteCtx } from '#tenants/context.ts'
import { sendEmail } from '#tenants/mail.ts'
import type { Platform } from '#tenants/platform.ts'
import { invitationDays, linkMinutes } from '../fields.ts'

export const signInQueue = 'portal.email-link'

/** Clients with one address: a couple, or a record that was made twice. */
const maxClients = 5

type Recipient = { id: number; name: string; email: string }
/** `clientId`: an invitation of the coach. `email`: who asks on the sign-in page. `next`: the page to go on to. */
export type SignInJob = { coachId: number; email?: string; clientId?: number; next?: string | null }

/**
 * Emails each client with the address a link that signs them in. Does nothing for an unknown address, for a coach
 * without a host, and for one who hasn't confirmed their own address.
 */
export async function sendSignInLinks(platform: Platform, job: SignInJob): Promise<void> {
  const ctx = await loadCoachContext(platform, job.coachId, 'portal-sign-in')
  if (!ctx?.account.emailVerified) return
  const origin = coachOrigin(platform.config, ctx.account)
  const from = origin && (await getSender(platform, job.coachId))
  if (!from) return
  const isInvitation = job.clientId !== undefined
  const next = safeRedirectPath(job.next ?? '')
  for (const client of await ctx.query<Recipient>(findRecipients(job))) {
    const token = await ctx.write((tx) => createLink(tx, client, { host: new URL(origin).hostname, isInvitation }))
    const url = `${origin}/portal/sign-in/${token}${next ? `?next=${encodeURIComponent(next)}` : ''}`
    const email = write(client.name, from.name, { url, isInvitation })
    try {
      await sendEmail(platform.config, { to: client.email, from, replyTo: ctx.account.email, ...email }, platform.now())
    } catch (error) {
      // The next try makes another one. The coach sees when the last one was sent.
      await ctx.write((tx) => deleteLink(tx, token))
      throw error
    }
  }
}

function write(name: string, practice: string, { url, isInvitation }: { url: string; isInvitation: boolean }) {
  if (isInvitation)
    return {
      subject: `Your page at ${practice}`,
      paragraphs: [
        `Hello ${name},`,
        `Your sessions, tasks, messages and everything else that we share are now in one place.`,
        `This button signs you in. It works once, for ${invitationDays} days; later you can always ask for a new one with your email address.`,
      ],
      button: { label: 'Open my page', url },
    }
  return {
    subject: `Sign in to ${practice}`,
    paragraphs: [
      `Hello ${name},`,
      `This button signs you in. It works once, for ${linkMinutes} minutes.`,
      `If you didn't ask for it, ignore this email: nobody can sign in without it.`,
    ],
    button: { label: 'Sign in', url },
  }
}

const findRecipients = ({ coachId, email, clientId }: SignInJob) => ({
  name: 'portal.recipients',
  text: `select id, name, lower(email) as email from client
    where coach_id = $1 and deleted_at is null and id in (select list_client_ids_by_email($1, $2) union all select $3)
    order by id limit ${maxClients}`,
  values: [coachId, email ?? null, clientId ?? null],
})

async function deleteLink(ctx: WriteCtx, token: string): Promise<void> {
  await ctx.query({
    name: 'portal.delete-link',
    text: 'delete from portal_link where coach_id = $1 and token_hash = $2',
    values: [ctx.coachId, hashToken(token)],
  })
}

/** Creates a link and returns its token, of which only the hash is stored. */
export async function createLink(
  ctx: WriteCtx,
  client: Recipient,
  { host, isInvitation }: { host: string; isInvitation: boolean },
): Promise<string> {
  const { token, tokenHash } = createToken()
  const now = ctx.now()
  const validMs = isInvitation ? invitationDays * dayMs : linkMinutes * 60_000
  await ctx.query({
    name: 'portal.insert-link',
    text: `insert into portal_link (coach_id, client_id, email, token_hash, host, expires_at, created_at)
      values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [ctx.coachId, client.id, client.email, tokenHash, host, new Date(now.getTime() + validMs), now],
  })
  return token
}
