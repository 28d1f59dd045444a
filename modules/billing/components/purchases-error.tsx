import { isRouteErrorResponse, Link, useLocation, useRouteError } from '@remix-run/react'
import { RefreshCw } from 'lucide-react'
import { Empty, PathDrawing } from '#app/ui/empty.tsx'
import { Page } from '#app/ui/page.tsx'

/** In place of purchases that could not be listed, or whose client isn't there. */
export function ErrorBoundary() {
  const error = useRouteError()
  const { pathname, search } = useLocation()
  const missing = isRouteErrorResponse(error) && error.status === 404
  return (
    <Page title="Purchases" crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Purchases' }]}>
      <div className="card">
        <Empty
          title={missing ? 'Client not found' : 'Failed to fetch purchases'}
          drawing={missing && <PathDrawing />}
          action={
            missing ? (
              <Link to="/purchases" className="btn btn-primary">
                All purchases
              </Link>
            ) : (
              // A plain link: the page is asked for anew, not patched together from what failed.
              <a href={pathname + search} className="btn btn-primary">
                <RefreshCw className="i" />
                Try Again
              </a>
            )
          }
        >
          {missing ? 'There is no such client here. What was sold to them stays in the list of all purchases.' : 'What was sold is safe; it could not be shown just now.'}
        </Empty>
      </div>
    </Page>
  )
}
