import type { LoaderFunctionArgs } from '@remix-run/node'
import { Outlet, useLoaderData } from '@remix-run/react'
import { BrandLockup, useBrand } from '#app/ui/components/branding.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { getAccountLink } from './account-link.ts'
import { PoweredBy } from './powered-by.tsx'

export async function loader({ request, context }: LoaderFunctionArgs) {
  const isEmbedded = new URL(request.url).searchParams.get('embed') === '1'
  // A page within another one has no header.
  return { isEmbedded, accountLink: isEmbedded ? null : await getAccountLink(context) }
}

/**
 * The layout of modules' public pages. Embedded in another page, it has nothing of its own but 'Powered by' below
 * Premium.
 */
export default function PublicLayout() {
  const brand = useBrand()
  const { accountLink, isEmbedded } = useLoaderData<typeof loader>()
  if (isEmbedded)
    return (
      <>
        <main id="main" tabIndex={-1} className="bg-surface pb-4 outline-none">
          <Outlet />
        </main>
        <footer className="bg-surface px-gutter pb-4 text-sm text-ink-3 empty:hidden">
          <PoweredBy inNewTab />
        </footer>
      </>
    )
  return (
    <div className="flex min-h-dvh flex-col bg-surface">
      <header className="mx-auto flex w-full max-w-page items-center gap-3 px-gutter py-4">
        <span className="flex min-w-0 flex-1">
          {brand && (
            <Link to="/" className="-m-1 inline-flex min-w-0 items-center gap-2.5 rounded-md p-1">
              <BrandLockup brand={brand} large />
            </Link>
          )}
        </span>
        {accountLink && (
          <Link className="btn btn-ghost" to={accountLink.to}>
            {accountLink.label}
          </Link>
        )}
      </header>
      <main id="main" tabIndex={-1} className="flex-1 pb-16 outline-none">
        <Outlet />
      </main>
      <footer className="mx-auto w-full max-w-page px-gutter pb-6 text-sm text-ink-3 empty:hidden">
        <PoweredBy />
      </footer>
    </div>
  )
}
