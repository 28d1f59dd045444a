import type { LoaderFunctionArgs } from '@remix-run/node'
import {
  Outlet,
  useLoaderData,
  useMatches,
  useRouteLoaderData,
  type ShouldRevalidateFunctionArgs,
} from '@remix-run/react'
import { listWidgets } from '#modules/core/slot.tsx'
import { CurrencyContext } from '../ui/components/currency.ts'
import { TimeFormatContext } from '../ui/components/time-format.ts'
import { shouldRevalidateUnless } from '../lib/should-revalidate.ts'
import type { loader as rootLoader } from '../root.tsx'
import { ErrorNotice } from './error-page.tsx'
import { loadShellData } from './shell-data.server.ts'
import { AppShell } from './shell.tsx'

/** Around every signed-in page: the sidebar with its badges, and the account. */
export const loader = ({ context }: LoaderFunctionArgs) => loadShellData(context)

/** Badges and names change with a write, not with a click on a link. */
export function shouldRevalidate(change: ShouldRevalidateFunctionArgs) {
  const { formMethod, currentUrl, nextUrl } = change
  return (formMethod && formMethod !== 'GET') || currentUrl.href === nextUrl.href
    ? shouldRevalidateUnless(change)
    : false
}

export default function ShellLayout() {
  const shell = useLoaderData<typeof loader>()
  const widgets = listWidgets(useMatches().map((match) => match.data))
  return (
    <AppShell {...shell} widgets={widgets.join(' ')}>
      <TimeFormatContext.Provider value={shell.timeFormat}>
        <CurrencyContext.Provider value={shell.currency}>
          <Outlet />
        </CurrencyContext.Provider>
      </TimeFormatContext.Provider>
    </AppShell>
  )
}

/** Keeps the navigation when a page fails. */
export function ErrorBoundary() {
  const shell = useRouteLoaderData<typeof loader>('shell')
  const root = useRouteLoaderData<typeof rootLoader>('root')
  const notice = (
    <div className="grid min-h-[70dvh] place-items-center px-gutter py-10">
      <ErrorNotice requestId={root?.requestId} isSignedIn={shell !== undefined} />
    </div>
  )
  return shell ? <AppShell {...shell}>{notice}</AppShell> : <main id="main">{notice}</main>
}
