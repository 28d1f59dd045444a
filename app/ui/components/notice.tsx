import { NotFoundIllustration } from './empty-state.tsx'
import { Reload } from './icons.tsx'

export type ErrorDescription = { status: number; title: string; description: string }

/** The title and description of an error, and a way on. */
export function Notice({
  error: { status, title, description },
  requestId,
  isSignedIn,
}: {
  error: ErrorDescription
  requestId?: string | undefined
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

export const pageNotFound: ErrorDescription = {
  status: 404,
  title: '404 Page Not Found',
  description: "We can't find that page. It may have moved, or the link may be incorrect.",
}
