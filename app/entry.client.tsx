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
