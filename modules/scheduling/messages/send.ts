import { isoTimestamp } from '#db/read-pool.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { getSender } from '#tenants/accounts/jobs.ts'
import type { WriteCtx } from '#tenants/context.ts'
import { sendEmail } from '#tenants/mail.ts'
import type { Platform } from '#tenants/platform.ts'
import { findMessageAppointment } from '../queries/message-appointment.ts'
import { getMessageText } from '../services/message-texts.ts'
import { findSkipReason } from './check.ts'
import { formatMessage, getTextKind } from './format.ts'
import type { Message, MessageAppointment } from './message.ts'
import { enqueueMessage } from './plan.ts'

/**
 * Sends a planned message if it still applies, at most once: it is marked before the mail server gets it. A worker that is
 * killed in between loses that email rather than send it twice; the mark stays. Only if the server certainly didn't take
 * it is it sent again.
 */
export async function sendMessage(platform: Platform, coachId: number, messageId: number): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `message-${messageId}`)
  const claimed = await ctx?.write((tx) => claimMessage(tx, messageId))
  if (!ctx || !claimed) return
  const from = await getSender(platform, coachId)
  const textKind = getTextKind(claimed.message.kind, claimed.appointment)
  const text = textKind && (await getMessageText(ctx, textKind))
  const email = formatMessage(ctx, { ...claimed, from, text })
  try {
    await sendEmail(platform.config, email, platform.now())
  } catch (error) {
    return ctx.write((tx) => recordFailure(tx, messageId, error as MailError)).then(throwUnlessRefused)
  }
  await ctx.write((tx) => updateMessage(tx, 'sent', { id: messageId, set: 'sent_at = $3', value: platform.now() }))
}

type Claimed = { message: Message; appointment: MessageAppointment }

/** Marks the message as being sent, or says why it isn't. Null: nothing to send. */
async function claimMessage(ctx: WriteCtx, messageId: number): Promise<Claimed | null> {
  const message = await lockMessage(ctx, messageId)
  if (!message?.isPending) return null
  if (new Date(message.dueAt) > ctx.now()) {
    await enqueueMessage(ctx, { messageId, dueAt: new Date(message.dueAt) })
    return null
  }
  const appointment = await findMessageAppointment(ctx, message)
  const { emailVerified } = ctx.account
  const reason = findSkipReason(message, appointment, { now: ctx.now(), emailVerified })
  if (reason) {
    await updateMessage(ctx, 'skip', { id: messageId, set: 'skip_reason = $3', value: reason })
    return null
  }
  await updateMessage(ctx, 'claim', { id: messageId, set: 'claimed_at = $3', value: ctx.now() })
  return { message, appointment: appointment! }
}

/** Lock order: appointment, message. A concurrent change of the appointment waits, and sees that this was sent. */
async function lockMessage(ctx: WriteCtx, messageId: number): Promise<Message | undefined> {
  await ctx.query({
    name: 'scheduling.lock-message-appointment',
    text: `select id from appointment where coach_id = $1 and id = (
        select appointment_id from appointment_message where coach_id = $1 and id = $2)
      for share`,
    values: [ctx.coachId, messageId],
  })
  const [message] = await ctx.query<Message>({
    name: 'scheduling.lock-message',
    text: `select id, appointment_id as "appointmentId", kind, sequence, lead_minutes as "leadMinutes", email, place,
        ${isoTimestamp('start_time')} as "startTime", ${isoTimestamp('end_time')} as "endTime",
        ${isoTimestamp('due_at')} as "dueAt", claimed_at is null and skip_reason is null as "isPending"
      from appointment_message where coach_id = $1 and id = $2 for update`,
    values: [ctx.coachId, messageId],
  })
  return message
}

/** As nodemailer throws it: `responseCode` of an answer, `syscall` and `timeoutType` of the connection. */
type MailError = { code?: string; responseCode?: number; syscall?: string; timeoutType?: string }

/** Sends it again if the mail server certainly didn't take it, and not if it refused permanently. */
async function recordFailure(ctx: WriteCtx, id: number, { code, responseCode, syscall, timeoutType }: MailError) {
  const wasNeverConnected =
    code === 'EDNS' || syscall === 'connect' || (timeoutType !== undefined && timeoutType !== 'SOCKET_TIMEOUT')
  const isRefused = (responseCode ?? 0) >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE')
  if (isRefused) await updateMessage(ctx, 'skip', { id, set: 'skip_reason = $3', value: 'refused' })
  else if (responseCode !== undefined || wasNeverConnected)
    await updateMessage(ctx, 'release', { id, set: 'claimed_at = $3', value: null })
  return { isRefused, code }
}

/** Without the server's own message, which quotes the address. */
function throwUnlessRefused({ isRefused, code }: { isRefused: boolean; code?: string | undefined }): void {
  if (!isRefused) throw Object.assign(new Error('The mail server did not take a message.'), { code })
}

type MessageUpdate = { id: number; set: string; value: Date | string | null }

async function updateMessage(ctx: WriteCtx, name: string, { id, set, value }: MessageUpdate): Promise<void> {
  await ctx.query({
    name: `scheduling.${name}-message`,
    text: `update appointment_message set ${set} where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id, value],
  })
}
