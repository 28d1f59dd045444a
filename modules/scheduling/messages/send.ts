import { isoTimestamp } from '#db/read-pool.ts'
import { loadChoices } from '#modules/core/notifications.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { getSender } from '#tenants/accounts/jobs.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { sendEmail, type Email } from '#tenants/mail.ts'
import { isRefused, wasNotTaken } from '#tenants/mail-errors.ts'
import type { Platform } from '#tenants/platform.ts'
import { findMessageAppointment } from '../queries/message-appointment.ts'
import { getMessageText } from '../services/message-texts.ts'
import { findSkipReason } from './check.ts'
import { formatMessage, getTextKind } from './format.ts'
import type { ClaimedMessage, Message } from './message.ts'
import { enqueueMessage } from './plan.ts'
import { formatSeriesMessage, getSeriesTextKind } from './series-message.ts'

/**
 * Sends a planned message if it still applies, with those of its group as one email, at most once: they are marked
 * before the mail server gets it. A worker that is killed in between loses that email rather than send it twice; the
 * mark stays. Only if the server certainly didn't take it is it sent again.
 */
export async function sendMessage(platform: Platform, coachId: number, messageId: number): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `message-${messageId}`)
  const claimed = (await ctx?.write((tx) => claimMessages(tx, messageId))) ?? []
  if (!ctx || !claimed[0]) return
  const from = await getSender(platform, coachId)
  const email = await formatClaimed(ctx, claimed, from)
  const ids = claimed.map(({ message }) => message.id)
  try {
    await sendEmail(platform.config, email, platform.now())
  } catch (error) {
    return ctx.write((tx) => recordFailure(tx, ids, error)).then(throwUnlessRefused)
  }
  await ctx.write((tx) => updateMessages(tx, 'sent', { ids, set: 'sent_at = $3', value: platform.now() }))
}

async function formatClaimed(ctx: Ctx, claimed: ClaimedMessage[], from: Email['from']): Promise<Email> {
  const [{ message, appointment }] = claimed as [ClaimedMessage]
  if (claimed.length > 1) {
    const text = await getMessageText(ctx, getSeriesTextKind(message.kind))
    return formatSeriesMessage(ctx, { announced: claimed, from, text })
  }
  const textKind = getTextKind(message.kind, appointment)
  const text = textKind && (await getMessageText(ctx, textKind))
  return formatMessage(ctx, { message, appointment, from, text })
}

/** Marks the message, and those of its group, as being sent, or says why they aren't. Empty: nothing to send. */
async function claimMessages(ctx: WriteCtx, messageId: number): Promise<ClaimedMessage[]> {
  const messages = await lockMessages(ctx, messageId)
  const message = messages.find(({ id }) => id === messageId)
  if (!message?.isPending) return []
  if (new Date(message.dueAt) > ctx.now()) {
    await enqueueMessage(ctx, { messageId, dueAt: new Date(message.dueAt) })
    return []
  }
  const { emailVerified } = ctx.account
  const isOn = await loadChoices(ctx)
  const claimed: ClaimedMessage[] = []
  for (const pending of messages.filter(({ isPending }) => isPending)) {
    const appointment = await findMessageAppointment(ctx, pending)
    const reason = findSkipReason(pending, appointment, { now: ctx.now(), emailVerified, isOn })
    if (reason) await updateMessages(ctx, 'skip', { ids: [pending.id], set: 'skip_reason = $3', value: reason })
    else claimed.push({ message: pending, appointment: appointment! })
  }
  const ids = claimed.map(({ message: { id } }) => id)
  await updateMessages(ctx, 'claim', { ids, set: 'claimed_at = $3', value: ctx.now() })
  return claimed
}

/** Lock order: appointments, messages. A concurrent change of an appointment waits, and sees that this was sent. */
async function lockMessages(ctx: WriteCtx, messageId: number): Promise<Message[]> {
  const group = `coach_id = $1 and (id = $2 or group_id = (
    select group_id from appointment_message where coach_id = $1 and id = $2))`
  await ctx.query({
    name: 'scheduling.lock-message-appointments',
    text: `select id from appointment where coach_id = $1 and id in (
        select appointment_id from appointment_message where ${group})
      order by id for share`,
    values: [ctx.coachId, messageId],
  })
  return ctx.query<Message>({
    name: 'scheduling.lock-messages',
    text: `select id, appointment_id as "appointmentId", kind, sequence, lead_minutes as "leadMinutes", email, place,
        ${isoTimestamp('start_time')} as "startTime", ${isoTimestamp('end_time')} as "endTime",
        ${isoTimestamp('due_at')} as "dueAt", claimed_at is null and skip_reason is null as "isPending"
      from appointment_message where ${group} order by start_time, id for update`,
    values: [ctx.coachId, messageId],
  })
}

/** Sends it again if the mail server certainly didn't take it, and not if it refused permanently. */
async function recordFailure(ctx: WriteCtx, ids: number[], error: unknown) {
  const refused = isRefused(error)
  if (refused) await updateMessages(ctx, 'skip', { ids, set: 'skip_reason = $3', value: 'refused' })
  else if (wasNotTaken(error)) await updateMessages(ctx, 'release', { ids, set: 'claimed_at = $3', value: null })
  return { refused, code: (error as { code?: string }).code }
}

/** Without the server's own message, which quotes the address. */
function throwUnlessRefused({ refused, code }: { refused: boolean; code: string | undefined }): void {
  if (!refused) throw Object.assign(new Error('The mail server did not take a message.'), { code })
}

type MessageUpdate = { ids: number[]; set: string; value: Date | string | null }

async function updateMessages(ctx: WriteCtx, name: string, { ids, set, value }: MessageUpdate): Promise<void> {
  await ctx.query({
    name: `scheduling.${name}-messages`,
    text: `update appointment_message set ${set} where coach_id = $1 and id = any($2::bigint[])`,
    values: [ctx.coachId, ids, value],
  })
}
