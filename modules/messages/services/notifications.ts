import { emailCoach } from '#modules/core/notifications.ts'
import { getClient, isReadOnly } from '#modules/crm/index.ts'
import { ignoreNotFound } from '#app/lib/errors.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { getSender } from '#tenants/accounts/jobs.ts'
import { coachOrigin } from '#tenants/config.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { isRefused, wasNotTaken } from '#tenants/mail-errors.ts'
import { sendEmail } from '#tenants/mail.ts'
import type { Platform } from '#tenants/platform.ts'
import type { Sender } from '../fields.ts'

export const notifyQueue = 'messages.notify'
/** Time to read a message on the page, and for several messages to make one email. */
export const notifyAfterSeconds = 300

/** `sender`: of the messages; the other one gets the email. */
export type NotifyJob = { coachId: number; clientId: number; sender: Sender }

/**
 * Emails the coach or the client about all messages that they haven't read, at most once for each message: they are
 * marked before the mail server gets it, and again later only if the server certainly did not take it (decision 0053).
 */
export async function notify(platform: Platform, { coachId, clientId, sender }: NotifyJob): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `messages-${clientId}`)
  if (!ctx?.account.emailVerified) return
  const client = await getClient(ctx, clientId).catch(ignoreNotFound)
  if (!client || (sender === 'coach' && (!client.email || (await isReadOnly(ctx, client))))) return
  const send = sender === 'coach' ? await prepareForClient(ctx, client) : prepareForCoach(ctx, client)
  if (!send) return
  const claimed = await ctx.write((tx) => claim(tx, { clientId, sender }))
  if (!claimed.length) return
  try {
    await send(claimed.length)
  } catch (error) {
    if (isRefused(error)) return
    if (wasNotTaken(error)) await ctx.write((tx) => release(tx, claimed))
    throw error
  }
}

type ClientAddress = { id: number; name: string; email: string }
const describe = (count: number, name: string): string =>
  count === 1 ? `New message from ${name}` : `${count} new messages from ${name}`

/** Null for a practice without a host: the client could not read it. */
async function prepareForClient(ctx: Ctx, client: ClientAddress) {
  const { config, now } = ctx.platform
  const origin = coachOrigin(config, ctx.account)
  const from = origin && (await getSender(ctx.platform, ctx.coachId))
  if (!from) return null
  return (count: number) =>
    sendEmail(
      config,
      {
        to: client.email,
        subject: describe(count, from.name),
        paragraphs: [`Hello ${client.name},`, `${from.name} wrote to you. Read it on your page, and answer there.`],
        button: { label: 'Read', url: `${origin}/portal/messages` },
        from,
        replyTo: ctx.account.email,
      },
      now(),
    )
}

function prepareForCoach(ctx: Ctx, client: ClientAddress) {
  return (count: number) =>
    emailCoach(ctx, 'messages.new', {
      subject: describe(count, client.name),
      paragraphs: [`Hello ${ctx.account.firstName},`, `${client.name} wrote to you.`],
      button: { label: 'Read', url: `${ctx.platform.config.origin}/messages/${client.id}` },
    })
}

async function claim(ctx: WriteCtx, { clientId, sender }: { clientId: number; sender: Sender }): Promise<number[]> {
  const rows = await ctx.query<{ id: number }>({
    name: 'messages.claim',
    text: `update message set notified_at = $4
      where coach_id = $1 and client_id = $2 and sender = $3 and read_at is null and notified_at is null returning id`,
    values: [ctx.coachId, clientId, sender, ctx.now()],
  })
  return rows.map(({ id }) => id)
}

async function release(ctx: WriteCtx, ids: number[]): Promise<void> {
  await ctx.query({
    name: 'messages.release',
    text: 'update message set notified_at = null where coach_id = $1 and id = any($2::bigint[])',
    values: [ctx.coachId, ids],
  })
}
