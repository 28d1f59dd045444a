import type { AppLoadContext } from '@remix-run/node'
import { ignoreNotFound } from '#app/lib/errors.ts'
import { getAppointment, type AppointmentRecord } from '#modules/scheduling/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { openLink } from '#tenants/signed-link.ts'
import { getSummary } from '../queries/summaries.ts'
import type { SummaryDetails } from '../records.ts'
import { summaryLink } from './public-link.ts'

/** The shared summary of a signed link; null if the link doesn't work here. */
export async function openSummaryLink(
  context: AppLoadContext,
  token: string,
): Promise<{ ctx: Ctx; summary: SummaryDetails; appointment: AppointmentRecord } | null> {
  const link = await openLink(context, summaryLink.read(context.requestContext.platform, token))
  if (!link) return null
  const ctx = await context.visitor(['summaries:summary:read', 'scheduling:appointment:read'])
  const summary = await getSummary(ctx, link.id).catch(ignoreNotFound)
  if (summary?.status !== 'shared') return null
  const appointment = await getAppointment(ctx, summary.appointmentId).catch(ignoreNotFound)
  return appointment && { ctx, summary, appointment }
}
