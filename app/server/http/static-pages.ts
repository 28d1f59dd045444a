import { toFaviconUrl } from '#app/lib/brand.ts'
import type { AppError } from '#app/lib/errors.ts'
import type { HostTenant } from '#tenants/auth/viewer.ts'
import type { OutboxEmail } from '#tenants/mail.ts'

// Pages that need no build, scripts or database, so that they work when nothing else does.

/**
 * The HTML of an error outside the product's pages: an unknown host, a rejected request, a failure. In the name of the
 * coach whose host it is.
 */
export function errorPage(error: AppError, requestId: string, tenant: HostTenant | null): string {
  const heading = error.status === 421 || error.status === 404 ? 'Page not found' : 'Something went wrong'
  const name = tenant ? `<p><strong>${escapeHtml(tenant.name)}</strong></p>` : ''
  return htmlDocument(
    tenant ? `${heading} · ${escapeHtml(tenant.name)}` : heading,
    `${name}<h1>${heading}</h1><p>${escapeHtml(error.message)}</p><p><small>Request ${escapeHtml(requestId)}</small></p>`,
    { icon: tenant && toFaviconUrl(tenant.primaryColor, [...tenant.name][0]?.toUpperCase() ?? null) },
  )
}

/** Sends a coach on to their own host. While a page loads, its script replaces it in the history. */
export function handoverPage({ origin, token, nonce }: { origin: string; token: string; nonce: string }): string {
  return htmlDocument(
    'Opening your site',
    `<h1>Opening your site</h1>
<form method="post" action="${escapeHtml(origin)}/handover">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<p><button>Continue to ${escapeHtml(new URL(origin).host)}</button></p>
</form>
<script nonce="${nonce}">document.forms[0].submit()</script>`,
    { nonce },
  )
}

/** Emails that were not sent because SMTP_URL is unset, newest first. */
export function outboxPage(emails: OutboxEmail[]): string {
  return htmlDocument(
    'Outbox',
    `<h1>Outbox</h1><p>Emails are stored here because no mail server is configured (SMTP_URL).</p>
${emails.map(outboxEntry).join('') || '<p>No emails yet.</p>'}`,
  )
}

function outboxEntry({ subject, from, to, sentAt, text, html }: OutboxEmail): string {
  const sandbox = 'allow-popups allow-top-navigation-by-user-activation'
  return `<article><h2>${escapeHtml(subject)}</h2>
<p><small>${escapeHtml(from)} to ${escapeHtml(to)}, ${escapeHtml(sentAt)}</small></p>
<iframe title="${escapeHtml(subject)}" sandbox="${sandbox}" srcdoc="${escapeHtml(`<base target="_top">${html}`)}"></iframe>
<details><summary>Plain text</summary><pre>${linkUrls(escapeHtml(text))}</pre></details></article>`
}

/** The colors of app/styles/tokens.css, with system fonts. */
const styles = `
:root { color-scheme: light dark;
  --canvas: light-dark(oklch(.98 .0035 80), oklch(.172 .005 70));
  --surface: light-dark(oklch(.998 .001 80), oklch(.205 .0055 70));
  --line: light-dark(oklch(.915 .0055 78), oklch(.296 .007 70));
  --ink: light-dark(oklch(.235 .01 65), oklch(.945 .005 80));
  --ink-3: light-dark(oklch(.52 .0095 70), oklch(.685 .008 76)) }
body { margin: 0; background: var(--canvas); color: var(--ink); font: 16px/1.6 system-ui, sans-serif }
main { max-width: 40rem; margin: 12vh auto; padding: 2rem; background: var(--surface);
  border: 1px solid var(--line); border-radius: 12px }
h1 { margin: 0; font: 500 1.875rem/1.3 Newsreader, Georgia, serif }
h2 { margin: 0; font-size: 1rem }
small, summary { color: var(--ink-3) }
a { color: inherit }
article { margin-top: 1.5rem; padding-top: 1.5rem; border-top: 1px solid var(--line) }
iframe { width: 100%; height: 24rem; border: 1px solid var(--line); border-radius: 8px; background: #fff }
pre { white-space: pre-wrap }`

const htmlDocument = (
  title: string,
  body: string,
  { nonce = '', icon = null }: { nonce?: string; icon?: string | null } = {},
): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
${icon ? `<link rel="icon" href="${escapeHtml(icon)}">` : ''}
<style${nonce && ` nonce="${nonce}"`}>${styles}</style>
</head><body><main>${body}</main></body></html>`

const linkUrls = (text: string): string =>
  text.replaceAll(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`)

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
