import { matchRoutes } from '@remix-run/react'
import { useEffect } from 'react'

/**
 * Props of a form that is sent to another page. They load that page's code in advance: without it, a form sent while
 * the server is unreachable would lose its page. `action` is a path without a query.
 */
export function usePreloadedAction(action: string): { action: string; 'data-discover': 'true' } {
  useEffect(() => preloadRoute(action), [action])
  // Makes Remix ask for the manifest of the route.
  return { action, 'data-discover': 'true' }
}

/** Loads the code once the manifest of the route is known. Returns a function that stops waiting for it. */
function preloadRoute(path: string): () => void {
  const router = window.__remixRouter
  const load = (): boolean => {
    const matches = matchRoutes(router.routes, path) ?? []
    if (!matches.length || matches.at(-1)?.route.path === '*') return false
    const modules = matches.flatMap(({ route }) => window.__remixManifest.routes[route.id ?? '']?.module ?? [])
    // A failure is no loss: Remix tries again when the form is sent.
    for (const module of modules) import(/* @vite-ignore */ module).catch(() => undefined)
    return true
  }
  if (load()) return () => undefined
  const unsubscribe = router.subscribe(() => {
    if (load()) unsubscribe()
  })
  return unsubscribe
}
