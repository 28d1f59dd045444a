import type { AppLoadContext } from '@remix-run/node'
import { hasModule } from '#modules/core/switched-off.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { tokenRules } from '#tenants/auth/account-limits.ts'
import { countAttempt } from '#tenants/auth/rate-limit.ts'
import { appointment } from '../records.ts'
import { getEtag, openFeed, parseFeedToken, writeFeed } from './feed.ts'

/** Calendars read a feed every few minutes at most. */
const feedRule = (coachId: number) => ({ key: `calendar-feed:${coachId}`, attempts: 120, minutes: 60 })

/** The feed at an address. 304 if the calendar has it already; 404 for an address that is not the present one. */
export async function respondWithFeed(context: AppLoadContext, request: Request, segment: string): Promise<Response> {
  const { platform, address, requestId } = context.requestContext
  const link = parseFeedToken(segment)
  const isOnHost = !context.tenant || context.tenant.id === link?.coachId
  const ctx = link && isOnHost ? await loadCoachContext(platform, link.coachId, requestId) : null
  const feed = ctx && hasModule(ctx, 'scheduling') ? await openFeed(ctx, link!.token) : null
  if (!ctx || !feed) {
    await countAttempt(platform, { rules: tokenRules(address), address })
    throw appointment.notFound()
  }
  await countAttempt(platform, { rules: [feedRule(ctx.coachId)], address, account: ctx.coachId })
  const file = await writeFeed(ctx, feed)
  const headers = { ETag: getEtag(file), 'Cache-Control': 'private, no-cache' }
  const known = request.headers.get('if-none-match')?.split(',') ?? []
  if (known.some((tag) => tag.trim().replace(/^W\//, '') === headers.ETag))
    return new Response(null, { status: 304, headers })
  return new Response(file, { headers: { ...headers, ...calendarHeaders('appointments.ics', 'inline') } })
}

/** Headers of a calendar file. */
export const calendarHeaders = (name: string, disposition: 'inline' | 'attachment') => ({
  'Content-Type': 'text/calendar; charset=utf-8',
  'Content-Disposition': `${disposition}; filename="${name}"`,
  'X-Content-Type-Options': 'nosniff',
})

/** A calendar file that browsers save. Throws not_found for none. */
export function downloadCalendar(file: string | null): Response {
  if (file === null) throw appointment.notFound()
  return new Response(file, { headers: calendarHeaders('session.ics', 'attachment') })
}
