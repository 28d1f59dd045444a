import { isRouteErrorResponse } from '@remix-run/react'
import type { ReactNode } from 'react'
import { Empty } from './empty-state.tsx'
import { Page, type Crumb } from './page.tsx'
import { TryAgain } from './try-again.tsx'

/** The status that a page failed with; what broke by itself is a 500. */
export const statusOf = (error: unknown): number => (isRouteErrorResponse(error) ? error.status : 500)

/** Why a page failed, for the end of a sentence: its status, or that there was no answer to have one. */
export const whyOf = (error: unknown): string =>
  error instanceof TypeError && /fetch|network|load failed/i.test(error.message)
    ? 'the server could not be reached.'
    : String(statusOf(error))

/** In place of a page that could not be shown. `what` happened, in words of the catalogue; below it the way on, which is to try again. */
export function FailedPage({
  title,
  crumbs,
  what,
  drawing,
  action,
  children,
}: {
  title: string
  crumbs: Crumb[]
  what: string
  drawing?: ReactNode
  /** Where trying again is of no use. */
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <Page title={title} crumbs={crumbs}>
      <div className="card">
        <Empty title={what} drawing={drawing} action={action || <TryAgain />}>
          {children}
        </Empty>
      </div>
    </Page>
  )
}
