import { isRouteErrorResponse, useRouteError } from '@remix-run/react'
import { Empty, PathDrawing } from '#app/ui/empty.tsx'
import { Link } from '#app/ui/link.tsx'
import { Page } from '#app/ui/page.tsx'
import { TryAgain } from '#app/ui/try-again.tsx'

/** What went wrong, as title of the page and of what stands in its place. */
export function failure(error: unknown) {
  const missing = isRouteErrorResponse(error) && error.status === 404
  return { missing, title: missing ? 'Client not found' : 'Failed to fetch purchases' }
}

/** In place of purchases that could not be listed, or whose client isn't there. */
export function ErrorBoundary() {
  const error = useRouteError()
  const { missing, title } = failure(error)
  return (
    <Page title="Purchases" crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Purchases' }]}>
      <div className="card">
        <Empty
          title={title}
          drawing={missing && <PathDrawing />}
          action={
            missing ? (
              <Link to="/purchases" className="btn btn-primary">
                All purchases
              </Link>
            ) : (
              <TryAgain />
            )
          }
        >
          {missing ? 'There is no such client here. What was sold to them stays in the list of all purchases.' : 'What was sold is safe; it could not be shown just now.'}
        </Empty>
      </div>
    </Page>
  )
}
