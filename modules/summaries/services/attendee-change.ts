import { AppError } from '#app/lib/errors.ts'
import type { WriteCtx } from '#tenants/context.ts'

/**
 * Throws conflict while one of the sessions has content of its client, also in the trash: a withdrawal would not find them, and
 * somebody else would get them. Nor does a consent for a session apply to somebody else.
 */
export async function assertNoSessionContent(
  ctx: WriteCtx,
  { appointmentIds, isSamePerson }: { appointmentIds: number[]; isSamePerson: boolean },
): Promise<void> {
  const exists = (table: string, more = '') =>
    `exists (select 1 from ${table} where coach_id = $1 and appointment_id = any($2::bigint[]) ${more})`
  const [found] = await ctx.query<{ hasContent: boolean; hasConsent: boolean }>({
    name: 'summaries.session-content',
    text: `select ${exists('session_recording')} or ${exists('session_transcript')} or ${exists('session_summary')}
        as "hasContent", ${exists('recording_consent', 'and withdrawn_at is null')} as "hasConsent"`,
    values: [ctx.coachId, appointmentIds],
  })
  if (found!.hasContent)
    throw new AppError(
      'conflict',
      'A session with a recording, transcript or summary stays with its client. Delete these first, also from the trash.',
      { subject: 'attendee' },
    )
  if (found!.hasConsent && !isSamePerson)
    throw new AppError(
      'conflict',
      'This session has a consent of its own. Withdraw it before you choose somebody else.',
      {
        subject: 'attendee',
      },
    )
}
