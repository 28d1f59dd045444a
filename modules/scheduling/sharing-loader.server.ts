import { formatDate } from '#app/lib/time.ts'
import { coachOrigin } from '#tenants/config.ts'
import type { Ctx } from '#tenants/context.ts'
import { listBookingLinks, type ListedLink } from './booking-links/booking-links.ts'
import { getLinkUrl } from './booking-links/link-token.ts'
import { getLinkForm } from './dialogs.ts'
import { listEmbedOrigins } from './embedding/embed-origins.ts'
import { listTypesWithAddress } from './queries/bookable-types.ts'

/** The addresses of the booking pages, and personal links. Without a host of the coach there are no addresses. */
export async function loadSharing(ctx: Ctx, url: URL) {
  const origin = coachOrigin(ctx.platform.config, ctx.account)
  const [links, origins, types, form] = await Promise.all([
    listBookingLinks(ctx),
    listEmbedOrigins(ctx),
    listTypesWithAddress(ctx),
    getLinkForm(ctx, Object.fromEntries(url.searchParams)),
  ])
  const home = origin && `${origin}/book`
  return {
    home,
    types: home ? types.map(({ name, slug }) => ({ name, url: `${home}/${slug}` })) : [],
    embed: home ? { origins, snippet: formatSnippet(home) } : null,
    form,
    links: links.map((link) => ({
      ...link,
      state: describeState(ctx, link),
      isOpen: isOpen(ctx, link),
      url: isOpen(ctx, link) ? getLinkUrl(ctx, link.id) : null,
    })),
  }
}

/** A frame of a fixed height: the page in it scrolls. */
const formatSnippet = (home: string): string =>
  `<iframe src="${home}?embed=1" title="Book a session" style="width: 100%; height: 45rem; border: 0"></iframe>`

const isOpen = ({ now }: Ctx, { usedAt, expiresAt }: ListedLink): boolean =>
  usedAt === null && (expiresAt === null || new Date(expiresAt) > now())

function describeState(ctx: Ctx, { usedAt, expiresAt }: ListedLink): string {
  const { timezone } = ctx.account
  if (usedAt) return `Used on ${formatDate(usedAt, timezone)}`
  if (expiresAt === null) return 'Not used yet'
  const date = formatDate(expiresAt, timezone)
  return new Date(expiresAt) > ctx.now() ? `Not used yet, expires on ${date}` : `Expired on ${date}`
}
