import { isRouteErrorResponse, useRouteError } from '@remix-run/react'
import { useEffect, useState } from 'react'
import { Signature, useIdentity } from '#app/ui/components/branding.tsx'
import { PathDrawing } from '#app/ui/components/empty-state.tsx'
import { Reload } from '#app/ui/components/icons.tsx'
import { Link } from '#app/ui/navigation/link.tsx'

/** What a page shows when it can't be shown: what happened, the request's number, and a way on. */
export function ErrorPage({ requestId }: { requestId: string | undefined }) {
  const identity = useIdentity()
  return (
    <div className="flex min-h-dvh flex-col bg-surface">
      {identity && (
        <header className="mx-auto flex w-full max-w-[76rem] px-5 py-5 sm:px-10">
          <Link to="/" className="flex min-w-0 items-center gap-2.5 rounded-md">
            <Signature identity={identity} large />
          </Link>
        </header>
      )}
      <main id="main" tabIndex={-1} className="grid flex-1 place-items-center px-5 pb-24 outline-none">
        <ErrorNotice requestId={requestId} />
      </main>
    </div>
  )
}

export function ErrorNotice({ requestId: pageId }: { requestId: string | undefined }) {
  const error = useRouteError()
  const requestId = useFailedRequest() ?? pageId
  const { status, title, sentence } = explain(error)
  return (
    <div className="w-full max-w-lg text-center">
      {status === 404 && (
        <div className="flex justify-center">
          <PathDrawing />
        </div>
      )}
      <h1 className="title">{title}</h1>
      <p className="mx-auto mt-2 max-w-96 text-md text-ink-2">{sentence}</p>
      <div className="mt-6 flex flex-wrap justify-center gap-2">
        {status >= 500 && (
          // A plain link: the page is asked for anew, not patched together from what failed.
          <a href="" className="btn btn-secondary">
            <Reload className="i" />
            Try Again
          </a>
        )}
        <a href="/" className="btn btn-primary">
          Go to the start page
        </a>
      </div>
      {status >= 500 && requestId && (
        <p className="mt-8 text-sm text-ink-3">
          If it keeps happening, tell support this number: <code className="num block font-sans">{requestId}</code>
        </p>
      )}
    </div>
  )
}

/** The number of the request that failed, if it was one that a script made: the page itself came with another. */
function useFailedRequest(): string | undefined {
  const [id, setId] = useState<string>()
  useEffect(() => {
    const asked = performance
      .getEntriesByType('resource')
      .filter((entry) => new URL(entry.name).pathname.endsWith('.data'))
    const last = asked.at(-1)
    if (last instanceof PerformanceResourceTiming)
      setId(last.serverTiming.find((timing) => timing.name === 'request')?.description)
  }, [])
  return id
}

/** What a page that failed is called in the browser's tab. */
export function errorTitle(error: unknown): string {
  return explain(error).title
}

function explain(error: unknown): { status: number; title: string; sentence: string } {
  if (!isRouteErrorResponse(error)) {
    return {
      status: 500,
      title: 'Something went wrong',
      sentence: 'This page could not be shown. Nothing you saved is lost.',
    }
  }
  if (error.status === 404) {
    return {
      status: 404,
      title: '404 Page Not Found',
      sentence: messageOf(error.data) ?? 'There is nothing at this address. It may have moved, or the link has a typo.',
    }
  }
  return {
    status: error.status,
    title: error.status >= 500 ? 'Something went wrong' : 'This did not work',
    sentence: messageOf(error.data) ?? 'This page could not be shown. Nothing you saved is lost.',
  }
}

function messageOf(data: unknown): string | undefined {
  return typeof data === 'object' && data !== null && 'message' in data && typeof data.message === 'string'
    ? data.message
    : undefined
}
