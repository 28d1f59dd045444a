import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { describeOffers, describeSite, toDescription } from '#app/shell/site-meta.ts'
import { getAccountLink, visitorLink } from '#app/shell/account-link.ts'
import { getSite } from '#app/shell/site.server.ts'
import { CoachPage } from '#app/shell/coach-page.tsx'
import { loadHome, loadHomeSections } from '#app/shell/home.server.ts'
import { Landing } from '#app/marketing/landing.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'

/** Plain HTML on a coach's host: a visitor's phone loads no scripts. */
export const handle = { scripts: (data: { coach: unknown }) => data.coach === null }

export const meta: MetaFunction<typeof loader> = ({ matches, data }) => [
  ...pageTitle(matches),
  ...(data?.description ? [{ name: 'description', content: data.description }] : []),
  ...(data?.site ? describeSite(data.site, data.coach, data.description) : []),
]

/**
 * Redirects to the dashboard if signed in. Otherwise the coach's public page or, on the platform, the landing page.
 * With `?view=public` the coach sees their own public page.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const isViewing = context.tenant !== null && new URL(request.url).searchParams.get('view') === 'public'
  if (context.account && !isViewing) throw redirect('/dashboard')
  if (context.closedCoach()) throw redirect('/closed')
  const year = context.now().getUTCFullYear()
  if (context.tenant) {
    const { bio } = context.tenant
    const ctx = await context.visitor([])
    // The coach sees what visitors see.
    const accountLink = context.account ? visitorLink : await getAccountLink(context)
    const [{ links, sections }, filled] = await Promise.all([loadHome(ctx), loadHomeSections(ctx)])
    const person = getPerson(ctx.account, context.tenant.name)
    return {
      coach: {
        bio,
        person,
        isOwner: context.account !== null,
        currency: ctx.account.currency,
        accountLink,
        // A signed-in client needs no link to the sign-in page.
        links: links.filter(({ to }) => to !== accountLink.to),
        sections,
        filled,
      },
      description: bio ? toDescription(bio) : describeOffers(context.tenant.name, person, sections),
      site: getSite(context, ctx.account),
      year,
    }
  }
  return {
    coach: null,
    site: null,
    description:
      'Clients, bookings, payments and session notes for independent coaches, in one quiet place ' +
      'that carries your name.',
    year,
  }
}

/** The coach's name and photo; null if the page has neither to add to the name of the practice. */
function getPerson(
  { firstName, lastName, profileImageUrl }: { firstName: string; lastName: string; profileImageUrl: string | null },
  practice: string,
): { name: string; photoUrl: string | null } | null {
  const name = `${firstName} ${lastName}`
  return name === practice && !profileImageUrl ? null : { name, photoUrl: profileImageUrl }
}

export default function Home() {
  const { coach, year } = useLoaderData<typeof loader>()
  return coach ? <CoachPage {...coach} /> : <Landing year={year} />
}
