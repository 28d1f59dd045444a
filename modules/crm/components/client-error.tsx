import { useRouteError } from '@remix-run/react'
import { ButtonLink } from '#app/ui/components/button.tsx'
import { Empty, PathDrawing } from '#app/ui/components/empty-state.tsx'
import { statusOf, whyOf } from '#app/ui/components/load-error.tsx'
import { TryAgain } from '#app/ui/components/try-again.tsx'
import { BackToClients } from './client-header.tsx'

/** What went wrong, as title of the page and of what stands in its place. */
export function failure(error: unknown) {
  const status = statusOf(error)
  const missing = status === 404
  return { status, missing, title: missing ? 'Client not found' : 'Error Loading Client' }
}

/** In place of a client's page that could not be shown. */
export function ErrorBoundary() {
  const error = useRouteError()
  const { title, missing } = failure(error)
  return (
    <div className="mx-auto max-w-page px-gutter pt-5 lg:pt-8">
      <BackToClients />
      <div className="card">
        <Empty
          level="h1"
          title={title}
          drawing={missing && <PathDrawing />}
          action={missing ? <ButtonLink to="/trash?kind=client">Look in the trash</ButtonLink> : <TryAgain />}
        >
          {missing
            ? 'There is no such client here. If you deleted them lately, they are in the trash.'
            : `Failed to fetch client: ${whyOf(error)}`}
        </Empty>
      </div>
    </div>
  )
}
