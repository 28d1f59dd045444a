import { data, type LoaderFunctionArgs } from '@remix-run/node'
import {
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useMatches,
  useRouteLoaderData,
  type MetaFunction,
  type ShouldRevalidateFunctionArgs,
} from '@remix-run/react'
import type { CSSProperties, ReactNode } from 'react'
import type { Theme } from './lib/flash.ts'
import { shouldRevalidateUnless } from './lib/should-revalidate.ts'
import { useNonce } from './nonce.ts'
import { ErrorPage, errorTitle } from './shell/error-page.tsx'
import { resolveBrand } from './shell/branding.server.ts'
import { renderSupportBar } from './shell/support-bar.server.tsx'
import styles from './styles/app.css?url'
import sans from './styles/fonts/hanken-grotesk-latin-wght-normal.woff2?url'
import serif from './styles/fonts/newsreader-latin-opsz-normal.woff2?url'
import { pageTitle } from './ui/components/branding.tsx'
import { Toaster } from './ui/components/toast.tsx'
import { useFetcher } from './ui/forms/use-fetcher.ts'

const endId = 'page-end'

export const meta: MetaFunction = ({ matches, error }) =>
  pageTitle(matches, error === undefined ? undefined : errorTitle(error))

export function loader({ context }: LoaderFunctionArgs) {
  const { cookies } = context
  const toast = cookies.readToast()
  return data(
    {
      brand: resolveBrand(context),
      theme: cookies.readTheme(),
      toast,
      requestId: context.requestId,
      supportBar: renderSupportBar(context.requestContext.viewer),
    },
    { headers: toast ? { 'Set-Cookie': cookies.toast(null) } : {} },
  )
}

/** Brand, theme and toast change after writes, not on link clicks. */
export function shouldRevalidate(change: ShouldRevalidateFunctionArgs) {
  const { formMethod, currentUrl, nextUrl } = change
  return (formMethod && formMethod !== 'GET') || currentUrl.href === nextUrl.href
    ? shouldRevalidateUnless(change)
    : false
}

export function Layout({ children }: { children: ReactNode }) {
  const root = useRouteLoaderData<typeof loader>('root')
  const nonce = useNonce()
  const theme = useTheme(root?.theme ?? 'system')
  const matches = useMatches()
  const inShell = matches.some((match) => match.id === 'shell')
  const hasScripts = !matches.some((match) => isWithoutScripts(match.handle, match.data))
  const style = root && ({ '--brand': root.brand.color } as CSSProperties)
  return (
    <html lang="en" data-theme={theme} style={style}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Meta />
        {root && <link rel="icon" href={root.brand.favicon} />}
        {root?.brand.ownHost && <meta property="og:site_name" content={root.brand.name} />}
        {root?.brand.previewImage && <meta property="og:image" content={root.brand.previewImage} />}
        <link rel="preload" href={sans} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="preload" href={serif} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="stylesheet" href={styles} />
        {/* Shows a page once all of its HTML is there: what is centered or at the bottom would move before. */}
        <link rel="expect" href={`#${endId}`} {...{ blocking: 'render' }} />
      </head>
      <body>
        <a
          href="#main"
          className="btn btn-secondary sr-only focus:not-sr-only focus:fixed focus:left-3 focus:top-3 focus:z-50"
        >
          Skip to content
        </a>
        {/* Rendered by the server: no page loads code for it. */}
        {root?.supportBar && <div dangerouslySetInnerHTML={{ __html: root.supportBar }} />}
        <Toaster initial={root?.toast ?? null} aboveTabs={inShell}>
          {children}
        </Toaster>
        <div id={endId} hidden />
        {hasScripts && (
          <>
            <ScrollRestoration nonce={nonce} />
            <Scripts nonce={nonce} />
          </>
        )}
      </body>
    </html>
  )
}

export default function Root() {
  return <Outlet />
}

export function ErrorBoundary() {
  const root = useRouteLoaderData<typeof loader>('root')
  return <ErrorPage requestId={root?.requestId} />
}

/**
 * Whether a route exports `handle = { scripts: false }`: its page is plain HTML, light for visitors on a phone. A
 * function decides by the loader's data.
 */
function isWithoutScripts(handle: unknown, data: unknown): boolean {
  if (typeof handle !== 'object' || handle === null || !('scripts' in handle)) return false
  const { scripts } = handle
  return scripts === false || (typeof scripts === 'function' && data !== undefined && scripts(data) === false)
}

/** The theme, or the pending one while it is being saved. */
function useTheme(saved: Theme): Theme {
  const pending = useFetcher({ key: 'theme' }).formData?.get('theme')
  return pending === 'light' || pending === 'dark' || pending === 'system' ? pending : saved
}
