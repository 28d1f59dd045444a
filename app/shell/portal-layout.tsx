import type { LoaderFunctionArgs } from '@remix-run/node'
import { Form, Outlet, useLoaderData, useLocation } from '@remix-run/react'
import { formatZone } from '#app/lib/time.ts'
import { BrandLockup, useBrand } from '#app/ui/components/branding.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { PortalLink } from '#modules/core/manifest.ts'
import { fillSlot } from '#modules/core/slots.ts'
import { PoweredBy } from './powered-by.tsx'

export const links = () => [{ rel: 'manifest', href: '/portal/app.webmanifest' }]

/** The client and the pages of the portal; `client` null on the pages that sign in. */
export async function loader({ context }: LoaderFunctionArgs) {
  const ctx = await context.findClient()
  if (!ctx) return { client: null, pages: [] }
  const pages = (await fillSlot(ctx, 'portal.page')).map(({ data }) => data as PortalLink)
  const { name, timezone } = ctx.client!
  return { client: { name, zone: formatZone(timezone, ctx.now()) }, pages }
}

/** The layout of the client portal, in the coach's branding. Its pages are plain HTML. */
export default function PortalLayout() {
  const { client, pages } = useLoaderData<typeof loader>()
  return (
    <div className="flex min-h-dvh flex-col bg-surface">
      <PortalHeader isSignedIn={client !== null} />
      {client && <PortalNav pages={[{ label: 'Home', to: '/portal' }, ...pages]} />}
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-[46rem] flex-1 px-gutter pt-6 pb-16 outline-none">
        <Outlet />
      </main>
      <footer className="mx-auto w-full max-w-page px-gutter pb-6 text-sm text-ink-3 empty:hidden">
        {client && <p className="pb-2">Times are in {client.zone}.</p>}
        <PoweredBy />
      </footer>
    </div>
  )
}

function PortalHeader({ isSignedIn }: { isSignedIn: boolean }) {
  const brand = useBrand()
  return (
    <header className="mx-auto flex w-full max-w-[46rem] items-center gap-3 px-gutter py-4">
      <span className="flex min-w-0 flex-1">
        {brand && (
          <Link
            to={isSignedIn ? '/portal' : '/'}
            className="-m-1 inline-flex min-w-0 items-center gap-2.5 rounded-md p-1"
          >
            <BrandLockup brand={brand} large />
          </Link>
        )}
      </span>
      {isSignedIn && (
        <Form method="post" action="/portal/sign-out">
          <button type="submit" className="btn btn-ghost">
            Sign Out
          </button>
        </Form>
      )}
    </header>
  )
}

function PortalNav({ pages }: { pages: PortalLink[] }) {
  const { pathname } = useLocation()
  if (pages.length < 2) return null
  return (
    <nav aria-label="Your pages" className="border-b border-line">
      <ul className="mx-auto flex w-full max-w-[46rem] flex-wrap gap-x-5 px-gutter">
        {pages.map(({ label, to, count = 0 }) => {
          const isCurrent = to === '/portal' ? pathname === to : pathname.startsWith(to)
          return (
            <li key={to}>
              <Link
                to={to}
                aria-current={isCurrent ? 'page' : undefined}
                className={`-mb-px inline-flex min-h-11 items-center gap-1.5 border-b-2 ${
                  isCurrent ? 'border-brand font-semibold' : 'border-transparent text-ink-2 hover:text-ink'
                }`}
              >
                {label}
                {count > 0 && (
                  <span className="badge">
                    {count}
                    <span className="sr-only"> new</span>
                  </span>
                )}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
