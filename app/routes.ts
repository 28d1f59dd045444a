import { index, layout, prefix, route, type RouteConfig } from '@remix-run/route-config'
// A relative path: Vite's aliases don't apply to this file.
import { modules } from '../modules/registry.ts'

const moduleRoutes = (type: 'app' | 'public' | 'portal' | 'resource') =>
  modules.flatMap(({ id, routes = [] }) =>
    routes
      .filter(({ layout = 'app' }) => layout === type)
      .map(({ path, file }) => route(path, `../modules/${id}/${file}`, { id: `${id}/${file}` })),
  )

const publicRoutes = moduleRoutes('public')
const portalRoutes = modules.some(({ clientSignIn }) => clientSignIn) ? moduleRoutes('portal') : []

export default [
  index('routes/home.tsx'),
  ...prefix('auth', [
    index('routes/auth.tsx'),
    route('forgot', 'routes/auth-forgot.tsx'),
    route('reset', 'routes/auth-reset.tsx'),
    route('verify', 'routes/auth-verify.tsx'),
    route('email-change', 'routes/auth-email-change.tsx'),
    route('passkey', 'routes/auth-passkey.ts'),
  ]),
  route('onboarding', 'routes/onboarding.tsx'),
  route('demo', 'routes/demo.tsx'),
  route('logout', 'routes/logout.ts'),
  route('closed', 'routes/closed.tsx'),
  route('robots.txt', 'routes/robots.ts'),
  route('sitemap.xml', 'routes/sitemap.ts'),
  route('branding/logo', 'routes/branding-logo.ts'),
  route('settings/account/photo', 'routes/account-photo.ts'),
  route('settings/export/download', 'routes/export-download.ts'),
  route('theme', 'routes/theme.ts'),
  layout('shell/layout.tsx', { id: 'shell' }, [
    route('dashboard', 'routes/dashboard.tsx'),
    route('today', 'routes/today.tsx'),
    route('search', 'routes/search.tsx'),
    route('trash', 'routes/trash.tsx'),
    ...modules.flatMap(({ recordKinds: records = [] }) =>
      records.map(({ kind }) => route(`history/${kind}/:id`, 'routes/history.tsx', { id: `history/${kind}` })),
    ),
    route('settings', 'routes/settings.tsx'),
    route('settings/account', 'routes/account.tsx'),
    route('settings/api-keys', 'routes/api-keys.tsx'),
    route('settings/export', 'routes/export.tsx'),
    route('security', 'routes/security.tsx'),
    route('branding', 'routes/branding.tsx'),
    route('branding/domain', 'routes/branding-domain.tsx'),
    route('upgrade', 'routes/upgrade.tsx'),
    ...moduleRoutes('app'),
  ]),
  ...(publicRoutes.length ? [layout('shell/public-layout.tsx', { id: 'public' }, publicRoutes)] : []),
  ...(portalRoutes.length ? [layout('shell/portal-layout.tsx', { id: 'portal' }, portalRoutes)] : []),
  ...moduleRoutes('resource'),
  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig
