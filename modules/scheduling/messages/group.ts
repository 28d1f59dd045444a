import type { WriteCtx } from '#tenants/context.ts'

/**
 * Joins the announcements that these appointments have to come, so that each attendee gets one email of each kind. Call
 * it after planning them, in the same transaction.
 */
export async function groupMessages(ctx: WriteCtx, appointmentIds: number[]): Promise<void> {
  await ctx.query({
    name: 'scheduling.group-messages',
    text: `update appointment_message m set group_id = joined.first
      from (select id, min(id) over (partition by kind, lower(email)) as first from appointment_message
        where coach_id = $1 and appointment_id = any($2::bigint[]) and claimed_at is null and skip_reason is null
          and kind in ('confirmation', 'change', 'cancellation')) joined
      where m.coach_id = $1 and m.id = joined.id`,
    values: [ctx.coachId, appointmentIds],
  })
}

/** The same for all appointments of the series that this one is in, if it is in one. */
export async function groupSeriesMessages(ctx: WriteCtx, appointmentId: number): Promise<void> {
  const series = await ctx.query<{ id: number }>({
    name: 'scheduling.sessions-of-series',
    text: `select a.id from appointment a
      join appointment one on one.coach_id = $1 and one.id = $2 and one.series_id = a.series_id
      where a.coach_id = $1`,
    values: [ctx.coachId, appointmentId],
  })
  if (series.length)
    await groupMessages(
      ctx,
      series.map(({ id }) => id),
    )
}
