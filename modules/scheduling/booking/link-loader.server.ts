import { data, type AppLoadContext } from '@remix-run/node'
import { tokenRules } from '#tenants/auth/account-limits.ts'
import { countAttempt } from '#tenants/auth/rate-limit.ts'
import { countView } from '#tenants/auth/view-limits.ts'
import type { Ctx } from '#tenants/context.ts'
import { findBookingLink, type OpenedLink } from '../booking-links/booking-links.ts'
import { linkPage, readLinkToken } from '../booking-links/link-token.ts'
import { getManagePath } from '../messages/manage-link.ts'
import { listOffered } from '../paid-bookings/online-sales.ts'
import { listPublicTypes, type BookableType } from '../queries/bookable-types.ts'
import { showBooking } from './booking-loader.server.ts'
import { slotRules } from './limits.ts'
import { openAsVisitor } from './permissions.ts'

/** The page of a personal link: as that of its type, or why it can't be used and what to do instead. */
export async function loadLinkBooking(context: AppLoadContext, token: string, url: URL) {
  const { ctx, link, problem } = await openBookingLink(context, token)
  if (problem) {
    const canBook = ctx !== null && (await listPublicTypes(ctx)).length > 0
    const session = ctx && link?.appointmentId ? getManagePath(ctx, link.appointmentId) : null
    const coach = ctx && { name: context.tenant!.name, email: ctx.account.email }
    const status = problem === 'used' || problem === 'expired' ? 410 : 404
    return data({ problem, coach, canBook, session, booking: null }, { status })
  }
  const { address } = context.requestContext
  countView(ctx.platform, { rules: slotRules(address), address })
  const booking = await showBooking(ctx, {
    nonce: context.nonce,
    page: linkPage(ctx, link.id),
    type: await toBookable(ctx, link),
    types: [],
    coachName: context.tenant!.name,
    person: { name: link.name, email: link.email ?? '' },
    url,
  })
  return { problem: null, coach: null, canBook: false, session: null, booking }
}
export type LinkProblem = 'invalid' | 'elsewhere' | 'revoked' | 'used' | 'expired'

type Opened =
  | { ctx: Ctx; link: OpenedLink; problem: null }
  | { ctx: Ctx; link: OpenedLink | null; problem: 'revoked' | 'used' | 'expired' }
  | { ctx: null; link: null; problem: 'invalid' | 'elsewhere' }

/** Counts links that don't work, so that nobody can try many. */
export async function openBookingLink(context: AppLoadContext, token: string): Promise<Opened> {
  const { platform, address } = context.requestContext
  const read = readLinkToken(platform, token)
  if (!read || read.coachId !== context.tenant?.id) {
    await countAttempt(platform, { rules: tokenRules(address), address })
    return { ctx: null, link: null, problem: read ? 'elsewhere' : 'invalid' }
  }
  const ctx = await openAsVisitor(context)
  const link = await findBookingLink(ctx, read.id)
  if (!link) return { ctx, link, problem: 'revoked' }
  return link.state === 'open' ? { ctx, link, problem: null } : { ctx, link, problem: link.state }
}

/** A hidden type has no address of its own. One whose product isn't sold is booked without a price: nothing is paid. */
export async function toBookable(ctx: Ctx, { type }: OpenedLink): Promise<BookableType> {
  const [offered = { ...type, price: null, sessionCount: null }] = await listOffered(ctx, [type])
  return { ...offered, slug: type.slug ?? '' }
}
