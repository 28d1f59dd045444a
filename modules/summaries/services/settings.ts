import { dayMs } from '#app/lib/time.ts'
import { forEachCoach } from '#tenants/for-each-coach.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { withTenant, type Platform, type TenantTransaction } from '#tenants/platform.ts'
import { standardWording } from '../fields.ts'
import type { SettingsInput } from '../forms.ts'

/** `wording`: the standard one unless the coach has another. */
export async function getSettings(ctx: Ctx): Promise<SettingsInput & { wording: string }> {
  authorize(ctx, 'summaries:consent:read')
  const [found] = await ctx.query<SettingsInput>({
    name: 'summaries.settings',
    text: `select wording, transcript_days as "transcriptDays", recording_days as "recordingDays"
      from summary_settings where coach_id = $1`,
    values: [ctx.coachId],
  })
  return {
    wording: found?.wording ?? standardWording,
    transcriptDays: found?.transcriptDays ?? null,
    recordingDays: found?.recordingDays ?? null,
  }
}

export async function saveSettings(
  ctx: WriteCtx,
  { wording, transcriptDays, recordingDays }: SettingsInput,
): Promise<void> {
  authorize(ctx, 'summaries:consent:write')
  await ctx.query({
    name: 'summaries.save-settings',
    text: `insert into summary_settings (coach_id, wording, transcript_days, recording_days, created_at, updated_at)
      values ($1, $2, $3, $5, $4, $4)
      on conflict (coach_id) do update set wording = excluded.wording, transcript_days = excluded.transcript_days,
        recording_days = excluded.recording_days,
        updated_at = excluded.updated_at`,
    values: [ctx.coachId, wording === standardWording ? null : wording, transcriptDays, ctx.now(), recordingDays],
  })
}

/**
 * Permanently deletes transcripts of sessions that ended longer ago than their coach keeps them. Summaries stay, without the
 * quotes of their claims.
 */
export async function deleteOldTranscripts(platform: Platform): Promise<void> {
  await forEachCoach(platform, ({ id: coachId }) =>
    withTenant(platform, coachId, (tx) => deleteExpired(tx, coachId, platform.now())),
  )
}

/** SQL: the claims without what was copied from the lines, which are no longer kept. */
const withoutQuotes = (claims: string): string =>
  `(select coalesce(jsonb_agg(claim || '{"quote": ""}' order by position), '[]')
    from jsonb_array_elements(${claims}) with ordinality as elements (claim, position))`

const claimColumns = ['overview', 'takeaways', 'actions']

async function deleteExpired(tx: TenantTransaction, coachId: number, now: Date): Promise<void> {
  const [settings] = await tx.query<{ days: number }>({
    name: 'summaries.transcript-days',
    text: `select transcript_days as days from summary_settings where coach_id = $1 and transcript_days is not null`,
    values: [coachId],
  })
  if (!settings) return
  const before = new Date(now.getTime() - settings.days * dayMs)
  const old = await tx.query<{ id: number }>({
    name: 'summaries.old-transcripts',
    text: `select r.id from session_transcript r join appointment a on a.coach_id = $1 and a.id = r.appointment_id
      where r.coach_id = $1 and a.end_time < $2 for update of r`,
    values: [coachId, before],
  })
  await tx.query({
    name: 'summaries.delete-quotes',
    text: `update session_summary r set ${claimColumns.map((name) => `${name} = ${withoutQuotes(`r.${name}`)}`).join(', ')}
      from appointment a
      where r.coach_id = $1 and a.coach_id = $1 and a.id = r.appointment_id and a.end_time < $2
        and jsonb_path_exists(${claimColumns.map((name) => `r.${name}`).join(' || ')}, '$[*].quote ? (@ != "")')`,
    values: [coachId, before],
  })
  const values = [coachId, old.map(({ id }) => id)]
  await tx.query({
    name: 'summaries.delete-transcripts',
    text: 'update session_summary set transcript_id = null where coach_id = $1 and transcript_id = any($2::bigint[])',
    values,
  })
  await tx.query({
    name: 'summaries.delete-old-transcripts',
    text: 'delete from session_transcript where coach_id = $1 and id = any($2::bigint[])',
    values,
  })
}
