import { RemixBrowser } from '@remix-run/react'
import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { NonceContext } from './nonce.ts'

const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce

/**
 * Loads the widgets before hydration. Otherwise an early click makes React discard the server's HTML of lazy
 * components. Also decodes the page's data: `RemixBrowser` throws a promise until this is done, and a key or click that
 * arrives while the root is suspended makes React give up the page.
 */
async function prepare(): Promise<void> {
  try {
    RemixBrowser({})
  } catch (decoding) {
    await decoding
  }
  const paths = document.querySelector<HTMLElement>('[data-widgets]')?.dataset.widgets
  if (!paths) return
  const { loadWidgets } = await import('#modules/core/slot.tsx')
  await loadWidgets(paths.split(' ')).catch(() => undefined)
}

/**
 * Remix asks for the routes of a path before it sends the first form of a page with a parameter in its path. Those of
 * this page came with it. Without a response, an error would replace the page and what was typed.
 */
function respondWithKnownRoutes(): void {
  const ownPath = location.pathname
  const { fetch } = window
  window.fetch = (input, init) =>
    input instanceof URL && input.pathname === '/__manifest' && input.searchParams.getAll('p').join() === ownPath
      ? Promise.resolve(Response.json({}))
      : fetch(input, init)
}
respondWithKnownRoutes()

// The router aborts a load when a newer one starts, without handling the rejection. That isn't an error.
window.addEventListener('unhandledrejection', (event) => {
  if (event.reason?.name === 'AbortError') event.preventDefault()
})

prepare().then(() =>
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <NonceContext.Provider value={nonce}>
          <RemixBrowser />
        </NonceContext.Provider>
      </StrictMode>,
    )
  }),
)
