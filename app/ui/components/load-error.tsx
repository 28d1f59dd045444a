import { isRouteErrorResponse, useRouteError } from '@remix-run/react'
import type { ReactNode } from 'react'
import { EmptyState } from './empty-state.tsx'
import { Notice, pageNotFound } from './notice.tsx'
import { Page, type Crumb } from './page.tsx'
import { TryAgain } from './try-again.tsx'

/** The HTTP status of a route error; 500 for other errors. */
export const httpStatus = (error: unknown): number => (isRouteErrorResponse(error) ? error.status : 500)

/** Why a page failed, for the end of a sentence: the status, or that the server could not be reached. */
export const errorReason = (error: unknown): string =>
  error instanceof TypeError && /fetch|network|load failed/i.test(error.message)
    ? 'the server could not be reached.'
    : String(httpStatus(error))

/** Why a page isn't there, of a part of the product that is switched off; null for other errors. */
function getSwitchedOff(error: unknown): string | null {
  if (!isRouteErrorResponse(error) || error.status !== 404) return null
  const { isSwitchedOff, message } = (error.data ?? {}) as { isSwitchedOff?: boolean; message?: string }
  return isSwitchedOff ? (message ?? null) : null
}

/** Replaces a page that failed to load. */
export function LoadErrorPage({
  title,
  crumbs,
  heading,
  illustration,
  action,
  children,
}: {
  title: string
  crumbs: Crumb[]
  heading: string
  illustration?: ReactNode
  /** Replaces the Try Again button. */
  action?: ReactNode
  children: ReactNode
}) {
  const switchedOff = getSwitchedOff(useRouteError())
  if (switchedOff !== null)
    return (
      <div className="grid min-h-[70dvh] place-items-center px-gutter py-10">
        <Notice error={{ ...pageNotFound, description: switchedOff }} isSignedIn />
      </div>
    )
  return (
    <Page title={title} crumbs={crumbs}>
      <div className="card">
        <EmptyState title={heading} illustration={illustration} action={action || <TryAgain />}>
          {children}
        </EmptyState>
      </div>
    </Page>
  )
}
