import { isRouteErrorResponse, useRouteError } from '@remix-run/react'
import { useEffect, useState } from 'react'
import { BrandLockup, useBrand } from '#app/ui/components/branding.tsx'
import { Notice, pageNotFound, type ErrorDescription } from '#app/ui/components/notice.tsx'
import { Link } from '#app/ui/navigation/link.tsx'

/** The full page of an error outside the shell. */
export function ErrorPage({ requestId }: { requestId: string | undefined }) {
  const brand = useBrand()
  return (
    <div className="flex min-h-dvh flex-col bg-surface">
      {brand && (
        <header className="mx-auto flex w-full max-w-[76rem] px-5 py-5 sm:px-10">
          <Link to="/" className="flex min-w-0 items-center gap-2.5 rounded-md">
            <BrandLockup brand={brand} large />
          </Link>
        </header>
      )}
      <main id="main" tabIndex={-1} className="grid flex-1 place-items-center px-5 pb-24 outline-none">
        <ErrorNotice requestId={requestId} isSignedIn={false} />
      </main>
    </div>
  )
}

/** For error boundaries: what went wrong, and the ID of the failed request for support. */
export function ErrorNotice({ requestId, isSignedIn }: { requestId: string | undefined; isSignedIn: boolean }) {
  const failedRequestId = useFailedRequestId()
  return (
    <Notice error={describeError(useRouteError())} requestId={failedRequestId ?? requestId} isSignedIn={isSignedIn} />
  )
}

/** For URLs without a page, inside the shell. */
export function NotFoundNotice() {
  return <Notice error={pageNotFound} requestId={undefined} isSignedIn />
}

/** The ID of the last data request. It differs from the document's when a navigation failed. */
function useFailedRequestId(): string | undefined {
  const [id, setId] = useState<string>()
  useEffect(() => {
    const dataRequests = performance
      .getEntriesByType('resource')
      .filter((entry) => new URL(entry.name).pathname.endsWith('.data'))
    const last = dataRequests.at(-1)
    if (last instanceof PerformanceResourceTiming)
      setId(last.serverTiming.find((timing) => timing.name === 'request')?.description)
  }, [])
  return id
}

/** The document title of an error page. */
export function errorTitle(error: unknown): string {
  return describeError(error).title
}

const pageFailed: ErrorDescription = {
  status: 500,
  title: 'Something went wrong',
  description: 'This page could not be shown. Your saved data is safe.',
}

const accessDenied: ErrorDescription = {
  status: 403,
  title: 'Access denied',
  description: "You don't have permission to see this page.",
}

function describeError(error: unknown): ErrorDescription {
  if (!isRouteErrorResponse(error)) return pageFailed
  const { status, data } = error
  const fallback = status === 404 ? pageNotFound : status === 403 ? accessDenied : pageFailed
  return { ...fallback, status, description: parseMessage(data) ?? fallback.description }
}

function parseMessage(data: unknown): string | undefined {
  return typeof data === 'object' && data !== null && 'message' in data && typeof data.message === 'string'
    ? data.message
    : undefined
}
