import { useRouteError } from '@remix-run/react'
import { ButtonLink } from '#app/ui/components/button.tsx'
import { EmptyState, NotFoundIllustration } from '#app/ui/components/empty-state.tsx'
import { httpStatus, errorReason } from '#app/ui/components/load-error.tsx'
import { TryAgain } from '#app/ui/components/try-again.tsx'
import { BackToClients } from './client-header.tsx'

export function describeLoadError(error: unknown) {
  const status = httpStatus(error)
  const missing = status === 404
  return { status, missing, title: missing ? 'Client not found' : 'Error Loading Client' }
}

export function ErrorBoundary() {
  const error = useRouteError()
  const { title, missing } = describeLoadError(error)
  return (
    <div className="mx-auto max-w-page px-gutter pt-5 lg:pt-8">
      <BackToClients />
      <div className="card">
        <EmptyState
          level="h1"
          title={title}
          illustration={missing && <NotFoundIllustration />}
          action={missing ? <ButtonLink to="/trash?kind=client">Open trash</ButtonLink> : <TryAgain />}
        >
          {missing
            ? 'We can’t find this client. If you deleted them recently, check the trash.'
            : `Failed to fetch client: ${errorReason(error)}`}
        </EmptyState>
      </div>
    </div>
  )
}
