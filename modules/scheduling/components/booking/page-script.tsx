/**
 * The only script of the booking pages, which work without it: opens the page in the browser's time zone if the URL has
 * none, and sends a form only once unless it opens another window.
 */
const source = `
(() => {
  const params = new URLSearchParams(location.search)
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const { zone } = document.currentScript.dataset
  if (zone && !params.has('zone') && timeZone && timeZone !== zone) {
    params.set('zone', timeZone)
    location.replace(location.pathname + '?' + params + location.hash)
  }
  const sent = new WeakSet()
  addEventListener('submit', (event) => {
    if (event.target.target === '_blank') return
    if (sent.has(event.target)) event.preventDefault()
    sent.add(event.target)
  })
  addEventListener('pageshow', (event) => { if (event.persisted) location.reload() })
})()`

/** `zone`: what the page shows; null to leave it. */
export function PageScript({ zone, nonce }: { zone: string | null; nonce: string }) {
  // oxlint-disable-next-line react/no-danger -- a constant, which React would escape
  return <script nonce={nonce} data-zone={zone ?? undefined} dangerouslySetInnerHTML={{ __html: source }} />
}
