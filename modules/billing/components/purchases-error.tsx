import { useRouteError } from '@remix-run/react'
import { NotFoundIllustration } from '#app/ui/components/empty-state.tsx'
import { LoadErrorPage, httpStatus } from '#app/ui/components/load-error.tsx'
import { Link } from '#app/ui/navigation/link.tsx'

export function describeLoadError(error: unknown) {
  const isMissing = httpStatus(error) === 404
  return { isMissing, title: isMissing ? 'Client not found' : 'Failed to fetch purchases' }
}

export function ErrorBoundary() {
  const { isMissing, title } = describeLoadError(useRouteError())
  return (
    <LoadErrorPage
      title="Purchases"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Purchases' }]}
      heading={title}
      illustration={isMissing && <NotFoundIllustration />}
      action={
        isMissing && (
          <Link to="/purchases" className="btn btn-primary">
            All purchases
          </Link>
        )
      }
    >
      {isMissing
        ? 'Purchases of deleted clients are kept in the list of all purchases.'
        : 'Your purchases are safe. Try again in a moment.'}
    </LoadErrorPage>
  )
}
