import type { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { localDate, noonIn } from '#app/lib/time.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { assertNotReadOnly, lockCurrentClient } from '#modules/crm/index.ts'
import { getAppointment, lockAppointment, sessionIdsOfClient } from '#modules/scheduling/index.ts'
import { assertStorage } from '#tenants/storage.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import type { ConsentForm, NewConsent } from '../forms.ts'
import { findActive, findConsents, getConsent, listConsents } from '../queries/consents.ts'
import type { ConsentRecord } from '../records.ts'
import { eraseSessions } from './erase.ts'

/** All sessions of a client, or one session. */
export type ConsentSubject = { clientId: number } | { appointmentId: number }

/**
 * Records that a client has agreed; also again, such as in writing after it was spoken. Throws not_found, plan_limit for a client who is read-only. Lock order:
 * client, appointment, consent.
 */
export async function giveConsent(
  ctx: WriteCtx,
  subject: ConsentSubject,
  { channel, wording, givenAt = ctx.now() }: NewConsent,
): Promise<ConsentRecord> {
  authorize(ctx, 'summaries:consent:write')
  await assertStorage(ctx)
  const now = ctx.now()
  if (givenAt > now) throw new AppError('validation_failed', 'Choose a day that is not ahead', { field: 'givenAt' })
  await lockSubject(ctx, subject)
  const clientId =
    'clientId' in subject ? subject.clientId : (await getAppointment(ctx, subject.appointmentId)).clientId
  if (clientId !== null) await assertNotReadOnly(ctx, clientId)
  const id = await insertRow(ctx, {
    table: 'recording_consent',
    name: 'summaries.give-consent',
    row: { clientId: null, appointmentId: null, ...subject, channel, wording, givenAt, createdAt: now, updatedAt: now },
  })
  return getConsent(ctx, id)
}

const lockSubject = (ctx: WriteCtx, subject: ConsentSubject): Promise<unknown> =>
  'clientId' in subject ? lockCurrentClient(ctx, subject.clientId) : lockAppointment(ctx, subject.appointmentId)

/** As `giveConsent`, with the date of a form: noon in the coach's time zone. */
export async function giveConsentOnDate(
  ctx: WriteCtx,
  { appointment, scope, channel, wording, givenOn }: z.output<typeof ConsentForm>,
): Promise<ConsentRecord> {
  const { timezone } = ctx.account
  const { clientId } = await getAppointment(ctx, appointment)
  if (scope === 'client' && clientId === null)
    throw new AppError('validation_failed', 'Choose this session', { field: 'scope' })
  const today = localDate(ctx.now(), timezone)
  if (givenOn > today) throw new AppError('validation_failed', 'Choose a day that is not ahead', { field: 'givenOn' })
  const givenAt = givenOn === today ? ctx.now() : noonIn(givenOn, timezone)
  const subject = scope === 'client' ? { clientId: clientId! } : { appointmentId: appointment }
  return giveConsent(ctx, subject, { channel, wording, givenAt })
}

/**
 * Withdraws all consents for the same and permanently deletes all that came from the sessions: transcripts, summaries, their
 * interactions and search entries. For a client also the consents of single sessions. A second call returns the same. Throws
 * not_found.
 */
export async function withdrawConsent(ctx: WriteCtx, id: number): Promise<ConsentRecord> {
  authorize(ctx, 'summaries:consent:write')
  const { clientId, appointmentId, withdrawnAt } = await getConsent(ctx, id)
  if (withdrawnAt !== null) return getConsent(ctx, id)
  // In the same order as transcripts are added.
  await lockSubject(ctx, clientId === null ? { appointmentId: appointmentId! } : { clientId })
  const sessions = clientId === null ? [appointmentId!] : await listSessionsOfClient(ctx, clientId)
  await ctx.query({
    name: 'summaries.withdraw-consent',
    text: `update recording_consent set withdrawn_at = $4, updated_at = $4
      where coach_id = $1 and withdrawn_at is null and (client_id = $2 or appointment_id = any($3::bigint[]))`,
    values: [ctx.coachId, clientId, sessions, ctx.now()],
  })
  await eraseSessions(ctx, sessions, { clientId })
  return getConsent(ctx, id)
}

/** As `withdrawConsent`, by what it is for. Throws conflict without one. */
export async function withdrawLatestConsent(ctx: WriteCtx, subject: ConsentSubject): Promise<ConsentRecord> {
  const [latest] = await listConsents(ctx, subject, { rows: 1 })
  if (!latest || latest.withdrawnAt !== null)
    throw new AppError('conflict', 'There is no consent to withdraw.', { subject: 'consent' })
  return withdrawConsent(ctx, latest.id)
}

async function listSessionsOfClient(ctx: Ctx, clientId: number): Promise<number[]> {
  const rows = await ctx.query<{ id: number }>({
    name: 'summaries.sessions-of-client',
    text: sessionIdsOfClient('$2'),
    values: [ctx.coachId, clientId],
  })
  return rows.map(({ id }) => id)
}

/**
 * Throws conflict unless the client has agreed to transcripts of this session. The consent can't be withdrawn until the
 * transaction ends.
 */
export async function requireConsent(ctx: WriteCtx, session: { id: number; clientId: number | null }): Promise<void> {
  const active = findActive(await findConsents(ctx, session))
  const [locked] = active
    ? await ctx.query({
        name: 'summaries.lock-consent',
        text: `select id from recording_consent where coach_id = $1 and id = $2 and withdrawn_at is null for share`,
        values: [ctx.coachId, active.id],
      })
    : []
  if (!locked)
    throw new AppError('conflict', 'Record the consent first: without it nothing is transcribed.', {
      subject: 'consent',
    })
}
