import { index, layout, prefix, route, type RouteConfig } from '@remix-run/route-config'
// By a relative path: this file is read before the build knows any other.
import { modules } from '../modules/registry.ts'

const pagesOf = (wanted: 'app' | 'public' | 'resource') =>
  modules.flatMap(({ id, routes = [] }) =>
    routes
      .filter(({ layout: own = 'app' }) => own === wanted)
      .map(({ path, file }) => route(path, `../modules/${id}/${file}`, { id: `${id}/${file}` })),
  )

const publicPages = pagesOf('public')

export default [
  index('routes/home.tsx'),
  ...prefix('auth', [
    index('routes/auth.tsx'),
    route('forgot', 'routes/auth-forgot.tsx'),
    route('reset', 'routes/auth-reset.tsx'),
  ]),
  route('logout', 'routes/logout.ts'),
  route('branding/logo', 'routes/branding-logo.ts'),
  route('theme', 'routes/theme.ts'),
  layout('shell/layout.tsx', { id: 'shell' }, [
    route('dashboard', 'routes/dashboard.tsx'),
    route('search', 'routes/search.tsx'),
    route('trash', 'routes/trash.tsx'),
    ...modules.flatMap(({ records = [] }) =>
      records.map(({ kind }) => route(`history/${kind}/:id`, 'routes/history.tsx', { id: `history/${kind}` })),
    ),
    route('settings', 'routes/settings.tsx'),
    route('branding', 'routes/branding.tsx'),
    route('upgrade', 'routes/upgrade.tsx'),
    ...pagesOf('app'),
  ]),
  ...(publicPages.length ? [layout('shell/public-layout.tsx', { id: 'public' }, publicPages)] : []),
  ...pagesOf('resource'),
  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig
