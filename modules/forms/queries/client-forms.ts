import { isoTimestamp } from '#db/read-pool.ts'
import { requireClient, type Ctx } from '#tenants/context.ts'
import { stateSql } from '../records.ts'
import type { SubmissionState } from '../fields.ts'

export type ClientForm = {
  id: number
  name: string
  status: SubmissionState
  sentAt: string
  submittedAt: string | null
  expiresAt: string | null
}

/** The forms of the client in the portal that can be answered now, the oldest first. */
export const listOwnOpenForms = (ctx: Ctx, rows: number): Promise<ClientForm[]> =>
  listOwn(ctx, {
    name: 'forms.own-open',
    where: 's.submitted_at is null and (s.expires_at is null or s.expires_at > $4)',
    order: 's.created_at, s.id',
    rows,
  })

/** The forms that the client has answered, the latest first. */
export const listOwnAnsweredForms = (ctx: Ctx, rows: number): Promise<ClientForm[]> =>
  listOwn(ctx, {
    name: 'forms.own-answered',
    where: 's.submitted_at <= $4',
    order: 's.submitted_at desc, s.id desc',
    rows,
  })

async function listOwn(
  ctx: Ctx,
  { name, where, order, rows }: { name: string; where: string; order: string; rows: number },
): Promise<ClientForm[]> {
  const client = requireClient(ctx, 'client:form:read')
  return ctx.query<ClientForm>({
    name,
    text: `select s.id, shown.name, ${stateSql} as status, ${isoTimestamp('s.created_at')} as "sentAt",
        ${isoTimestamp('s.submitted_at')} as "submittedAt", ${isoTimestamp('s.expires_at')} as "expiresAt"
      from form_submission s join form f on f.coach_id = $1 and f.id = s.form_id and f.deleted_at is null
        join form_version shown on shown.coach_id = $1 and shown.form_id = s.form_id
          and case when s.form_version_id is null then shown.number = f.published_number
            else shown.id = s.form_version_id end
      where s.coach_id = $1 and s.client_id = $2 and s.deleted_at is null and ${where}
      order by ${order} limit $3`,
    values: [ctx.coachId, client.id, rows, ctx.now()],
  })
}
