import { useRouteError } from '@remix-run/react'
import { PathDrawing } from '#app/ui/components/empty-state.tsx'
import { FailedPage, statusOf } from '#app/ui/components/load-error.tsx'
import { Link } from '#app/ui/navigation/link.tsx'

/** What went wrong, as title of the page and of what stands in its place. */
export function failure(error: unknown) {
  const missing = statusOf(error) === 404
  return { missing, title: missing ? 'Client not found' : 'Failed to fetch purchases' }
}

/** In place of purchases that could not be listed, or whose client isn't there. */
export function ErrorBoundary() {
  const { missing, title } = failure(useRouteError())
  return (
    <FailedPage
      title="Purchases"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Purchases' }]}
      what={title}
      drawing={missing && <PathDrawing />}
      action={
        missing && (
          <Link to="/purchases" className="btn btn-primary">
            All purchases
          </Link>
        )
      }
    >
      {missing
        ? 'There is no such client here. What was sold to them stays in the list of all purchases.'
        : 'What was sold is safe; it could not be shown just now.'}
    </FailedPage>
  )
}
