import type { AppError } from '#app/lib/errors.ts'
import type { OutboxMail } from '#tenants/mail.ts'

// Pages that stand when nothing else does: no styles, no scripts, no database.

const frame = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>:root{color-scheme:light dark}body{font:16px/1.6 system-ui,sans-serif;max-width:40rem;margin:12vh auto;padding:0 1.5rem}h1{font:500 1.75rem/1.3 Georgia,serif}small{color:GrayText}article{border-top:1px solid GrayText;padding:1rem 0}iframe{width:100%;height:24rem;border:1px solid GrayText;background:#fff}</style>
</head><body><main>${body}</main></body></html>`

/** What is answered where no page of the product can be: an unknown host, a refused request, a failure. */
export function failurePage(error: AppError, requestId: string): string {
  const heading =
    error.status === 421
      ? 'Nothing lives at this address'
      : error.status >= 500
        ? 'Something went wrong on our side'
        : 'This did not work'
  return frame(
    heading,
    `<h1>${heading}</h1><p>${escaped(error.message)}</p><p><small>Request ${escaped(requestId)}</small></p>`,
  )
}

/** The mails that no server was configured for, newest first. */
export function outboxPage(mails: OutboxMail[]): string {
  const one = (
    mail: OutboxMail,
  ) => `<article><p><strong>${escaped(mail.subject)}</strong><br><small>${escaped(mail.from)} to ${escaped(mail.to)}, ${escaped(mail.sentAt)}</small></p>
<pre style="white-space:pre-wrap">${linked(escaped(mail.text))}</pre></article>`
  return frame(
    'Outbox',
    `<h1>Outbox</h1><p>No mail server is configured (SMTP_URL), so mails wait here.</p>${mails.map(one).join('') || '<p>Nothing was sent yet.</p>'}`,
  )
}

const linked = (text: string): string => text.replaceAll(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`)

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
