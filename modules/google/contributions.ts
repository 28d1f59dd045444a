import type { Contribution, OnboardingPart } from '#modules/core/manifest.ts'
import { planIncludes } from '#tenants/accounts/plans.ts'
import type { Ctx } from '#tenants/context.ts'
import { findConnection } from './queries/connection.ts'
import { listCalendars } from './services/calendars.ts'
import { offerMeetLink } from './services/meet.ts'
import { describeHealth, describeMeetHealth } from './status.ts'

const widget = 'google-calendar'
const permission = 'google:connection:write'

export const contributions: Contribution[] = [
  { slot: 'calendar.card', widget, order: 10, permission, load: getCard },
  {
    slot: 'appointment.action',
    order: 10,
    permission,
    load: (ctx, { id }) => offerMeetLink(ctx, Number(id)),
  },
  { slot: 'settings.pane', widget, order: 40, permission, load: getCard },
  { slot: 'settings.pane', widget: 'google-meet', order: 41, permission, load: getMeetCard },
  { slot: 'onboarding.calendar', widget, order: 10, permission, load: getOnboardingPart },
]

/** The state of the connection, and the landing of a popup. */
export async function getCard(ctx: Ctx, params: Record<string, string | undefined> = {}) {
  const [connection, calendars] = await Promise.all([findConnection(ctx), listCalendars(ctx)])
  return {
    isConfigured: ctx.platform.config.google !== undefined,
    hasPlan: planIncludes(ctx.plan, 'calendar-sync'),
    connection: connection && {
      email: connection.email,
      needsReconnect: connection.state === 'needs_reconnect',
      health: describeHealth(connection, ctx.account),
      targetName: calendars.find(({ isTarget }) => isTarget)?.name ?? null,
    },
    landing:
      params.google_connected === undefined ? null : params.window === 'popup' ? ('popup' as const) : ('page' as const),
  }
}

/** The state of reading Google Meet. */
export async function getMeetCard(ctx: Ctx) {
  const connection = await findConnection(ctx)
  return {
    isConfigured: ctx.platform.config.google !== undefined,
    hasPlan: planIncludes(ctx.plan, 'ai-summaries'),
    hasCalendar: connection !== null,
    connection: connection?.readsMeet
      ? {
          email: connection.email,
          needsReconnect: connection.state === 'needs_reconnect',
          health: describeMeetHealth(connection, ctx.account),
        }
      : null,
  }
}
export type MeetCard = Awaited<ReturnType<typeof getMeetCard>>

async function getOnboardingPart(ctx: Ctx): Promise<GoogleCard & OnboardingPart> {
  const card = await getCard(ctx)
  return { ...card, done: card.connection !== null && !card.connection.needsReconnect }
}

export type GoogleCard = Awaited<ReturnType<typeof getCard>>
