import { AppError, ignoreNotFound } from '#app/lib/errors.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { assertNotReadOnly, lockClient } from '#modules/crm/index.ts'
import { getAppointment, getAppointmentType } from '#modules/scheduling/index.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import type { NewRequirement } from '../forms.ts'
import { listRequirements } from '../queries/submissions.ts'
import type { RequirementRecord } from '../records.ts'
import { lockPublished } from './form.ts'
import { addSubmission, enqueueEmail, renewOpen } from './submissions.ts'

/** Sends the form with each new session of an appointment type. Idempotent. Throws not_found, validation_failed. */
export async function requireForm(
  ctx: WriteCtx,
  { appointmentTypeId, formId }: NewRequirement,
): Promise<RequirementRecord> {
  authorize(ctx, 'forms:form:write')
  await getAppointmentType(ctx, appointmentTypeId)
  await lockPublished(ctx, formId)
  const find = async () =>
    (await listRequirements(ctx, { typeId: appointmentTypeId })).find((one) => one.formId === formId)
  const known = await find()
  if (known) return known
  await insertRow(ctx, {
    table: 'form_requirement',
    name: 'forms.insert-requirement',
    row: { appointmentTypeId, formId, createdAt: ctx.now() },
  })
  return (await find())!
}

/** Throws not_found. */
export async function removeRequirement(ctx: WriteCtx, id: number): Promise<void> {
  authorize(ctx, 'forms:form:write')
  const deleted = await ctx.query({
    name: 'forms.delete-requirement',
    text: 'delete from form_requirement where coach_id = $1 and id = $2 returning id',
    values: [ctx.coachId, id],
  })
  if (!deleted.length) throw new AppError('not_found', 'Requirement not found')
}

/**
 * Sends what the type of a session that is still to come requires, unless the client or prospect has it already and
 * can still answer it. One whose link has expired is sent again. Idempotent.
 */
export async function sendRequired(ctx: WriteCtx, { appointmentId }: { appointmentId: number }): Promise<void> {
  const session = await getAppointment(ctx, appointmentId).catch(ignoreNotFound)
  if (!session?.appointmentTypeId || session.status === 'cancelled') return
  const { clientId, prospectId, appointmentTypeId } = session
  if (new Date(session.endTime) < ctx.now()) return
  if (clientId !== null && (await isRefused(ctx, clientId))) return
  await lockPerson(ctx, { clientId, prospectId })
  for (const { formId } of await listRequirements(ctx, { typeId: appointmentTypeId })) {
    const known = await ctx.query({
      name: 'forms.has-open',
      text: `select 1 from form_submission where coach_id = $1 and form_id = $2
        and (appointment_id = $5 or deleted_at is null and submitted_at is null
          and (expires_at is null or expires_at > $6) and (client_id = $3 or prospect_id = $4)) limit 1`,
      values: [ctx.coachId, formId, clientId, prospectId, appointmentId, ctx.now()],
    })
    if (known.length) continue
    const expired = clientId === null ? null : await renewOpen(ctx, { formId, clientId, expiresAt: null })
    const added = { formId, clientId, prospectId, source: 'booking', appointmentId } as const
    const id = expired ?? (await addSubmission(ctx, added))
    if (ctx.account.emailVerified) await enqueueEmail(ctx, id)
  }
}

type Attendee = { clientId: number | null; prospectId: number | null }

/** So the second one of two bookings at the same time sees the forms of the first. */
async function lockPerson(ctx: WriteCtx, { clientId, prospectId }: Attendee): Promise<void> {
  if (clientId !== null) return lockClient(ctx, clientId)
  // The rows of prospects belong to a module that may be missing.
  await ctx.query({
    name: 'forms.lock-prospect',
    text: `select pg_advisory_xact_lock(hashtext('required-forms ' || $1::text), $2::int)`,
    values: [ctx.coachId, (prospectId ?? 0) % 2_147_483_647],
  })
}

const isRefused = (ctx: WriteCtx, clientId: number): Promise<boolean> =>
  assertNotReadOnly(ctx, clientId).then(
    () => false,
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'plan_limit') return true
      throw error
    },
  )
