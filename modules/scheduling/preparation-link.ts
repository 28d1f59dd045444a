import type { SessionAction } from '#modules/core/manifest.ts'
import type { Ctx } from '#tenants/context.ts'
import { getAppointment } from './queries/appointments.ts'

/** The page on which the coach prepares a session with a client. */
export const toPreparation = (id: number): string => `/calendar/${id}/prepare`

/** For a session with a client that is not over. */
export async function offerPreparation(ctx: Ctx, appointmentId: number): Promise<SessionAction | null> {
  const { clientId, endTime, sessionCompleted } = await getAppointment(ctx, appointmentId)
  if (clientId === null || sessionCompleted || new Date(endTime) <= ctx.now()) return null
  return { label: 'Prepare', to: toPreparation(appointmentId) }
}
