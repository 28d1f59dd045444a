import { isRouteErrorResponse, useRouteError } from '@remix-run/react'
import { useEffect, useState } from 'react'
import { BrandLockup, useBrand } from '#app/ui/components/branding.tsx'
import { NotFoundIllustration } from '#app/ui/components/empty-state.tsx'
import { Reload } from '#app/ui/components/icons.tsx'
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

type ErrorDescription = { status: number; title: string; description: string }

function Notice({
  error: { status, title, description },
  requestId,
  isSignedIn,
}: {
  error: ErrorDescription
  requestId: string | undefined
  isSignedIn: boolean
}) {
  return (
    <div className="w-full max-w-lg text-center">
      {status === 404 && (
        <div className="flex justify-center">
          <NotFoundIllustration />
        </div>
      )}
      <h1 className="title">{title}</h1>
      <p className="mx-auto mt-2 max-w-96 text-md text-ink-2">{description}</p>
      <div className="mt-6 flex flex-wrap justify-center gap-2">
        {/* Plain links: they load the page from scratch instead of patching the failed one. */}
        {status >= 500 && (
          <a href="" className="btn btn-secondary">
            <Reload className="i" />
            Try Again
          </a>
        )}
        <a href={isSignedIn ? '/dashboard' : '/'} className="btn btn-primary">
          {isSignedIn ? 'Back to dashboard' : 'Go to home page'}
        </a>
      </div>
      {status >= 500 && requestId && (
        <p className="mt-8 text-sm text-ink-3">
          If this keeps happening, contact support with this reference ID:{' '}
          <code className="num block font-sans">{requestId}</code>
        </p>
      )}
    </div>
  )
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

const pageNotFound: ErrorDescription = {
  status: 404,
  title: '404 Page Not Found',
  description: "We can't find that page. It may have moved, or the link may be incorrect.",
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
