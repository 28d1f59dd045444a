import { AppError } from '#app/lib/errors.ts'
import { getAppointmentDetails, type AppointmentDetails } from '#modules/scheduling/index.ts'
import type { SessionAction } from '#modules/core/manifest.ts'
import { planIncludes } from '#tenants/accounts/plans.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { findConnection } from '../queries/connection.ts'
import { listCalendars } from './calendars.ts'
import { markChanged } from './links.ts'
import { runSync } from './run.ts'
import { requireConnection, waitForOther } from './sync-now.ts'

const canHaveLink = (ctx: Ctx, { status, endTime, meetingUrl }: AppointmentDetails): boolean =>
  (status === 'scheduled' || status === 'confirmed') && meetingUrl === null && new Date(endTime) > ctx.now()

/** Offers a Meet link for a session that can have one; null for others. */
export async function offerMeetLink(ctx: Ctx, appointmentId: number): Promise<SessionAction | null> {
  if (!ctx.platform.config.google || !planIncludes(ctx.plan, 'calendar-sync')) return null
  const [appointment, connection, calendars] = await Promise.all([
    getAppointmentDetails(ctx, appointmentId),
    findConnection(ctx),
    listCalendars(ctx),
  ])
  if (!connection || connection.state === 'needs_reconnect' || !calendars.some(({ isTarget }) => isTarget)) return null
  if (!canHaveLink(ctx, appointment)) return null
  return {
    label: 'Add Google Meet link',
    to: '/settings/google-calendar',
    fields: { intent: 'add-meet', id: String(appointmentId) },
  }
}

/**
 * Gives a session a Meet link, also one with a place. It is asked for at once, and otherwise as soon as Google can be
 * reached: returns whether the session has it. Throws plan_required, not_found, conflict.
 */
export async function addMeetLink(ctx: Ctx, appointmentId: number): Promise<boolean> {
  await requireConnection(ctx)
  await ctx.write((tx) => requestMeetLink(tx, appointmentId))
  await runSync(ctx, { writesOnly: true })
  await waitForOther(ctx)
  return (await getAppointmentDetails(ctx, appointmentId)).meetingUrl !== null
}

async function requestMeetLink(ctx: WriteCtx, appointmentId: number): Promise<void> {
  const appointment = await getAppointmentDetails(ctx, appointmentId)
  if (!canHaveLink(ctx, appointment)) throw new AppError('conflict', 'This session can’t get a Meet link any more.')
  if (!(await listCalendars(ctx)).some(({ isTarget }) => isTarget))
    throw new AppError('conflict', 'Choose a calendar for your sessions first, in Settings.')
  await markChanged(ctx, [appointmentId])
  await ctx.query({
    name: 'google.want-meet',
    text: 'update google_link set wants_meet = true where coach_id = $1 and appointment_id = $2',
    values: [ctx.coachId, appointmentId],
  })
}
