import { RemixBrowser } from '@remix-run/react'
import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { NonceContext } from './nonce.ts'

const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce

/** React throws away what the server sent of a part whose code is still on its way when something is pressed: it comes first. */
async function widgetsAtHand(): Promise<void> {
  const paths = document.querySelector<HTMLElement>('[data-widgets]')?.dataset.widgets
  if (!paths) return
  const { loadWidgets } = await import('#modules/core/slot.tsx')
  await loadWidgets(paths.split(' ')).catch(() => undefined)
}

// The router aborts a load that another one overtakes (a filter chosen while the board is freshened), and nobody is left to
// catch what that rejects: it is no failure.
window.addEventListener('unhandledrejection', (event) => {
  if (event.reason instanceof DOMException && event.reason.name === 'AbortError') event.preventDefault()
})

widgetsAtHand().then(() =>
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
