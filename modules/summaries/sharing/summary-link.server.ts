import type { AppLoadContext } from '@remix-run/node'
import { AppError } from '#app/lib/errors.ts'
import { getAppointment, type AppointmentRecord } from '#modules/scheduling/index.ts'
import { tokenRules } from '#tenants/auth/account-limits.ts'
import { countAttempt } from '#tenants/auth/rate-limit.ts'
import type { Ctx } from '#tenants/context.ts'
import { getSummary } from '../queries/summaries.ts'
import type { SummaryDetails } from '../records.ts'
import { readSummaryToken } from './public-link.ts'

/** The shared summary of a signed link; null if the link doesn't work here. Counts those, so that nobody can try many. */
export async function openSummaryLink(
  context: AppLoadContext,
  token: string,
): Promise<{ ctx: Ctx; summary: SummaryDetails; appointment: AppointmentRecord } | null> {
  const { platform, address } = context.requestContext
  const link = readSummaryToken(platform, token)
  if (!link || link.coachId !== context.tenant?.id) {
    await countAttempt(platform, { rules: tokenRules(address), address })
    return null
  }
  const ctx = await context.visitor(['summaries:summary:read', 'scheduling:appointment:read'])
  try {
    const summary = await getSummary(ctx, link.summaryId)
    if (summary.status !== 'shared') return null
    return { ctx, summary, appointment: await getAppointment(ctx, summary.appointmentId) }
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  }
}
