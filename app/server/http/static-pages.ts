import type { AppError } from '#app/lib/errors.ts'
import type { OutboxEmail } from '#tenants/mail.ts'

// Pages that need no build, scripts or database, so that they work when nothing else does.

/** The HTML of an error outside the product's pages: an unknown host, a rejected request, a failure. */
export function errorPage(error: AppError, requestId: string): string {
  const heading = error.status === 421 || error.status === 404 ? 'Page not found' : 'Something went wrong'
  return htmlDocument(
    heading,
    `<h1>${heading}</h1><p>${escapeHtml(error.message)}</p><p><small>Request ${escapeHtml(requestId)}</small></p>`,
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

function outboxEntry({ subject, from, to, sentAt, text }: OutboxEmail): string {
  return `<article><p><strong>${escapeHtml(subject)}</strong><br>
<small>${escapeHtml(from)} to ${escapeHtml(to)}, ${escapeHtml(sentAt)}</small></p>
<pre style="white-space:pre-wrap">${linkUrls(escapeHtml(text))}</pre></article>`
}

const styles = `
:root { color-scheme: light dark }
body { font: 16px/1.6 system-ui, sans-serif; max-width: 40rem; margin: 12vh auto; padding: 0 1.5rem }
h1 { font: 500 1.75rem/1.3 Georgia, serif }
small { color: GrayText }
article { border-top: 1px solid GrayText; padding: 1rem 0 }`

const htmlDocument = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>${styles}</style>
</head><body><main>${body}</main></body></html>`

const linkUrls = (text: string): string =>
  text.replaceAll(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`)

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
