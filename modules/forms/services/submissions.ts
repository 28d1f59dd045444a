import { AppError } from '#app/lib/errors.ts'
import { dayMs, formatCalendarDate, localDate } from '#app/lib/time.ts'
import { publish } from '#modules/core/events.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { assertNotReadOnly, getClient, isReadOnly, lockCurrentClient, type Conversion } from '#modules/crm/index.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { requireVerifiedEmail } from '#tenants/accounts/email-verification.ts'
import { getSender } from '#tenants/accounts/jobs.ts'
import { countAttempt } from '#tenants/auth/rate-limit.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { deleteFiles } from '#tenants/files/files.ts'
import { forEachCoach } from '#tenants/for-each-coach.ts'
import { sendEmail } from '#tenants/mail.ts'
import { withTenant, type Platform } from '#tenants/platform.ts'
import { assertStorage } from '#tenants/storage.ts'
import { formSent, submissionDeleted, submissionRestored } from '../events.ts'
import type { NewSubmission } from '../forms.ts'
import { formLink } from '../link.ts'
import { isVisible, submissionTables } from '../joins.ts'
import { getSubmission } from '../queries/submissions.ts'
import { submission, type SubmissionRecord } from '../records.ts'
import { FormSubmission } from '../schema.ts'
import { lockPublished } from './form.ts'

export const emailQueue = 'forms.email-link'

/**
 * Gives a client a form to answer. One that they haven't answered yet is sent again, with the new end of its link, unless
 * `isNew`.
 * Throws not_found, plan_limit, validation_failed for a form without questions, rate_limited, and forbidden for emails
 * of a coach who hasn't confirmed their address.
 */
export async function sendForm(
  ctx: WriteCtx,
  input: NewSubmission,
  { isNew = false }: { isNew?: boolean } = {},
): Promise<SubmissionRecord> {
  const { formId, clientId, expiresInDays, sendEmail: sendsEmail = false } = input
  authorize(ctx, 'forms:submission:write')
  await assertStorage(ctx)
  if (sendsEmail) requireVerifiedEmail(ctx)
  await lockCurrentClient(ctx, clientId)
  await assertNotReadOnly(ctx, clientId)
  await lockPublished(ctx, formId)
  const expiresAt = expiresInDays === undefined ? null : new Date(ctx.now().getTime() + expiresInDays * dayMs)
  const open = isNew ? null : await renewOpen(ctx, { formId, clientId, expiresAt })
  const id = open ?? (await addSubmission(ctx, { formId, clientId, prospectId: null, source: 'coach', expiresAt }))
  if (sendsEmail) await emailLink(ctx, id)
  return getSubmission(ctx, id)
}

/** The id of one that is not submitted, with the new end of its link; null without one. */
export async function renewOpen(
  ctx: WriteCtx,
  { formId, clientId, expiresAt }: { formId: number; clientId: number; expiresAt: Date | null },
): Promise<number | null> {
  const [row] = await ctx.query<{ id: number }>({
    name: 'forms.renew-open',
    text: `update form_submission set expires_at = $4, updated_at = $5 where coach_id = $1 and id = (
        select id from form_submission where coach_id = $1 and form_id = $2 and client_id = $3
          and submitted_at is null and deleted_at is null order by id desc limit 1)
      returning id`,
    values: [ctx.coachId, formId, clientId, expiresAt, ctx.now()],
  })
  return row?.id ?? null
}

type Added = {
  formId: number
  clientId: number | null
  prospectId: number | null
  source: 'coach' | 'booking'
  expiresAt?: Date | null
  appointmentId?: number | null
}

export async function addSubmission(ctx: WriteCtx, { expiresAt = null, appointmentId = null, ...row }: Added) {
  const now = ctx.now()
  const id = await insertRow(ctx, {
    table: 'form_submission',
    name: 'forms.insert-submission',
    row: { ...row, answers: '{}', expiresAt, appointmentId, createdAt: now, updatedAt: now },
  })
  await publish(ctx, formSent, { submissionId: id })
  return id
}

const emailRules = (coachId: number, submissionId: number) => [
  { key: `form-email:${coachId}:${submissionId}`, attempts: 5, minutes: 60 },
  { key: `form-email-all:${coachId}`, attempts: 200, minutes: 60 },
]

async function emailLink(ctx: WriteCtx, id: number): Promise<void> {
  const rules = emailRules(ctx.coachId, id)
  await countAttempt(ctx.platform, { rules, address: ctx.address, account: ctx.coachId })
  await enqueueEmail(ctx, id)
}

export async function enqueueEmail(ctx: WriteCtx, id: number): Promise<void> {
  await ctx.enqueue(emailQueue, { coachId: ctx.coachId, submissionId: id })
  await ctx.query({
    name: 'forms.emailed',
    text: 'update form_submission set emailed_at = $3, updated_at = $3 where coach_id = $1 and id = $2',
    values: [ctx.coachId, id, ctx.now()],
  })
}

/**
 * Emails the link again. Throws not_found, forbidden, plan_limit for a client who is read-only, rate_limited, and
 * conflict once it is answered or has expired.
 */
export async function resendForm(ctx: WriteCtx, id: number): Promise<SubmissionRecord> {
  authorize(ctx, 'forms:submission:write')
  requireVerifiedEmail(ctx)
  const { status, clientId, expiresAt } = await getSubmission(ctx, id)
  if (expiresAt && new Date(expiresAt) <= ctx.now())
    throw new AppError('conflict', 'The link of this form has expired. Send the form again instead.')
  if (status === 'submitted') throw new AppError('conflict', 'This form is answered already.')
  if (clientId !== null) await assertNotReadOnly(ctx, clientId)
  await emailLink(ctx, id)
  return getSubmission(ctx, id)
}

/** Sends the link, if it works and there is an address. */
export async function sendLinkEmail(
  platform: Platform,
  { coachId, submissionId }: { coachId: number; submissionId: number },
): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `form-${submissionId}`)
  const from = ctx && (await getSender(platform, coachId))
  if (!from || !ctx.account.emailVerified) return
  const addressee = await findAddressee(ctx, submissionId)
  const url = formLink.getUrl(ctx, submissionId)
  if (!addressee?.email || !url) return
  if (addressee.clientId !== null && (await isReadOnly(ctx, await getClient(ctx, addressee.clientId)))) return
  const { name, email, formName, expiresAt, source } = addressee
  await sendEmail(
    platform.config,
    {
      to: email,
      subject: `${formName} from ${from.name}`,
      paragraphs: [
        `Hello ${name},`,
        source === 'booking'
          ? `Before your session, ${from.name} asks you to answer “${formName}”.`
          : `${from.name} asks you to answer “${formName}”.`,
        'What you write is kept as you go: you can stop and continue later, also on another device.',
        ...(expiresAt ? [`The link works until ${formatEnd(expiresAt, ctx.account.timezone)}.`] : []),
      ],
      button: { label: 'Open the form', url },
      from,
      replyTo: ctx.account.email,
    },
    platform.now(),
  )
}

const formatEnd = (at: Date, timezone: string): string =>
  formatCalendarDate(localDate(at, timezone), { month: 'long', day: 'numeric', year: 'numeric' })

type Addressee = {
  name: string
  email: string | null
  clientId: number | null
  formName: string
  expiresAt: Date | null
  source: string
}

/** Null if the link doesn't work any more. */
async function findAddressee(ctx: Ctx, id: number): Promise<Addressee | null> {
  const [row] = await ctx.query<Addressee>({
    name: 'forms.addressee',
    text: `select coalesce(c.name, p.name) as name, coalesce(c.email, p.email) as email, s.client_id as "clientId",
        coalesce(v.name, newest.name) as "formName", s.expires_at as "expiresAt", s.source
      from ${submissionTables}
        join form_version newest on newest.coach_id = $1 and newest.form_id = f.id and newest.number = f.published_number
      where s.coach_id = $1 and s.id = $2 and ${isVisible} and s.submitted_at is null
        and (s.expires_at is null or s.expires_at > $3)`,
    values: [ctx.coachId, id, ctx.now()],
  })
  return row ?? null
}

/** Moves a submission to the trash; its link stops. Throws not_found, also the second time. */
export async function deleteSubmission(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'forms:submission:write')
  await getSubmission(ctx, id)
  const current = { coachId: ctx.coachId, id, deletedAt: null }
  if (!(await ctx.em.nativeUpdate(FormSubmission, current, { deletedAt: ctx.now() }))) throw submission.notFound()
  await publish(ctx, submissionDeleted, { submissionId: id })
}

/** Takes a submission out of the trash. Does nothing if it isn't there. Throws not_found. */
export async function restoreSubmission(ctx: WriteCtx, id: number): Promise<SubmissionRecord> {
  authorize(ctx, 'forms:submission:write')
  const trashed = { coachId: ctx.coachId, id, deletedAt: { $ne: null } }
  if (await ctx.em.nativeUpdate(FormSubmission, trashed, { deletedAt: null }))
    await publish(ctx, submissionRestored, { submissionId: id })
  return getSubmission(ctx, id)
}

/** Deletes the files of submissions that were erased with their client, prospect or form. */
export async function deleteOrphanedFiles(ctx: Parameters<typeof deleteFiles>[0]): Promise<void> {
  const lost = await ctx.query<{ recordId: number }>({
    name: 'forms.lost-files',
    text: `select distinct x.record_id as "recordId" from stored_file x
      where x.coach_id = $1 and x.kind = 'form_submission'
        and not exists (select 1 from form_submission s where s.coach_id = $1 and s.id = x.record_id)`,
    values: [ctx.coachId],
  })
  await deleteFiles(
    ctx,
    'form_submission',
    lost.map(({ recordId }) => recordId),
  )
}

/** As `deleteOrphanedFiles`, for all coaches: erasing a prospect tells nobody. */
export const deleteAllOrphanedFiles = (platform: Platform): Promise<void> =>
  forEachCoach(platform, ({ id: coachId }) =>
    withTenant(platform, coachId, (tx) => deleteOrphanedFiles({ ...tx, coachId })),
  )

/** Moves the forms of a converted prospect to the client. */
export async function reassignToClient(ctx: WriteCtx, { prospectId, clientId }: Conversion): Promise<void> {
  await ctx.query({
    name: 'forms.reassign-to-client',
    text: `update form_submission set client_id = $3, prospect_id = null, updated_at = $4
      where coach_id = $1 and prospect_id = $2`,
    values: [ctx.coachId, prospectId, clientId, ctx.now()],
  })
}

/** Moves the forms of a client back to the prospect. */
export async function reassignToProspect(ctx: WriteCtx, { prospectId, clientId }: Conversion): Promise<void> {
  await ctx.query({
    name: 'forms.reassign-to-prospect',
    text: `update form_submission set client_id = null, prospect_id = $2, updated_at = $4
      where coach_id = $1 and client_id = $3`,
    values: [ctx.coachId, prospectId, clientId, ctx.now()],
  })
}
