import type { LoaderFunctionArgs } from '@remix-run/node'
import {
  Outlet,
  useLoaderData,
  useMatches,
  useRouteLoaderData,
  type ShouldRevalidateFunctionArgs,
} from '@remix-run/react'
import { revalidates } from '../lib/should-revalidate.ts'
import { modules, navigation } from '#modules/registry.ts'
import { widgetsIn } from '#modules/core/slot.tsx'
import { planHas, plans } from '#tenants/accounts/plans.ts'
import type { loader as rootLoader } from '../root.tsx'
import { ErrorNotice } from './error-page.tsx'
import { practiceName } from './branding.server.ts'
import { AppShell } from './shell.tsx'

/** Everything around a screen: the places to go, with their numbers, and who is signed in. */
export async function loader({ context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { account } = ctx
  const items = await navigation(ctx)
  const clients = items.find((item) => item.to === '/clients')?.badge ?? 0
  const hasAdmin =
    account.isAdmin &&
    !context.tenant &&
    modules.some((module) => module.routes?.some((route) => route.path === 'admin'))
  return {
    main: [
      { label: 'Dashboard', to: '/dashboard', icon: 'house', badge: 0 },
      ...items.filter((item) => item.section === 'main').map(shown),
    ],
    lower: [
      ...(hasAdmin ? [{ label: 'Admin Console', to: '/admin', icon: 'shield', badge: 0 }] : []),
      ...items.filter((item) => item.section === 'lower').map(shown),
      { label: 'Settings', to: '/settings', icon: 'settings', badge: 0 },
      { label: 'Branding', to: '/branding', icon: 'palette', badge: 0 },
    ],
    usage: { clients, limit: plans[ctx.plan].clients },
    user: {
      name: `${account.firstName} ${account.lastName}`,
      email: account.email,
      image: account.profileImageUrl,
      practice: practiceName(account),
    },
    /** The way from the platform to one's own host. */
    ownHost: context.tenant ? null : account.subdomain,
    poweredBy: context.tenant !== null && !planHas(ctx.plan, 'white-label'),
  }
}

export type ShellData = ReturnType<typeof useLoaderData<typeof loader>>

/** Numbers and names change with a write, not with a click on a link. */
export function shouldRevalidate(change: ShouldRevalidateFunctionArgs) {
  const { formMethod, currentUrl, nextUrl } = change
  return (formMethod && formMethod !== 'GET') || currentUrl.href === nextUrl.href ? revalidates(change) : false
}

export default function ShellLayout() {
  const data = useLoaderData<typeof loader>()
  const widgets = widgetsIn(useMatches().map((match) => match.data))
  return (
    <AppShell {...data} widgets={widgets.join(' ')}>
      <Outlet />
    </AppShell>
  )
}

/** A screen that fails leaves the way to the others open. */
export function ErrorBoundary() {
  const shell = useRouteLoaderData<typeof loader>('shell')
  const root = useRouteLoaderData<typeof rootLoader>('root')
  const notice = (
    <div className="grid min-h-[70dvh] place-items-center px-gutter py-10">
      <ErrorNotice requestId={root?.requestId} />
    </div>
  )
  return shell ? <AppShell {...shell}>{notice}</AppShell> : <main id="main">{notice}</main>
}

function shown({ label, to, icon, badge }: { label: string; to: string; icon: string; badge: number }) {
  return { label, to, icon, badge }
}
