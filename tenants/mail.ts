import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createTransport } from 'nodemailer'
import type { Config } from './config.ts'
import { planHas } from './accounts/plans.ts'
import type { HostTenant } from './auth/viewer.ts'

/** A mail in plain paragraphs, with one button. `from` null speaks in the platform's name. */
export type Letter = {
  to: string
  subject: string
  paragraphs: string[]
  button: { label: string; url: string }
  from: Pick<HostTenant, 'name' | 'primaryColor' | 'plan'> | null
}

/** A mail that waited for no server: what the outbox shows. */
export type OutboxMail = { to: string; from: string; subject: string; text: string; html: string; sentAt: string }

/** Sends through SMTP_URL, or puts the mail into the outbox of DATA_DIR. Throws what the server says, so that the job tries again. */
export async function sendLetter(config: Config, letter: Letter, now: Date): Promise<void> {
  const mail = {
    to: letter.to,
    from: { name: letter.from?.name ?? config.platformName, address: senderAddress(config) },
    subject: letter.subject,
    text: plainText(letter, config),
    html: html(letter, config),
  }
  if (config.smtpUrl) {
    const transport = createTransport(config.smtpUrl)
    await transport.sendMail(mail)
    transport.close()
    return
  }
  const entry: OutboxMail = { ...mail, from: `${mail.from.name} <${mail.from.address}>`, sentAt: now.toISOString() }
  const name = `${entry.sentAt.replaceAll(':', '-')}-${crypto.randomUUID()}.json`
  await mkdir(outboxOf(config), { recursive: true, mode: 0o700 })
  // Renamed into place: a reader never finds half a mail.
  await writeFile(path.join(outboxOf(config), `.${name}`), JSON.stringify(entry), { mode: 0o600 })
  await rename(path.join(outboxOf(config), `.${name}`), path.join(outboxOf(config), name))
}

/** The latest mails of the outbox, newest first. */
export async function outbox(config: Config, limit = 50): Promise<OutboxMail[]> {
  const names = await readdir(outboxOf(config)).catch(() => [])
  const latest = names
    .filter((name) => !name.startsWith('.'))
    .sort()
    .reverse()
    .slice(0, limit)
  return Promise.all(
    latest.map(async (name) => JSON.parse(await readFile(path.join(outboxOf(config), name), 'utf8')) as OutboxMail),
  )
}

const outboxOf = (config: Config): string => path.join(config.dataDir, 'outbox')

function senderAddress(config: Config): string {
  if (config.mailFrom) return /<([^>]+)>/.exec(config.mailFrom)?.[1] ?? config.mailFrom
  return `no-reply@${new URL(config.origin).hostname}`
}

function plainText({ paragraphs, button, from }: Letter, config: Config): string {
  return [...paragraphs, `${button.label}: ${button.url}`, ...footer(from, config)].join('\n\n')
}

function html({ paragraphs, button, from }: Letter, config: Config): string {
  const color = from?.primaryColor ?? '#6366f1'
  const paragraph = (text: string) => `<p style="margin:0 0 16px">${escaped(text)}</p>`
  return `<!doctype html><html lang="en"><body style="margin:0;padding:32px 16px;background:#f8f7f5;color:#2a2622;font:16px/26px system-ui,sans-serif">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#fff;border:1px solid #e6e2dd;border-radius:12px">
<p style="margin:0 0 24px;font-weight:600">${escaped(from?.name ?? config.platformName)}</p>
${paragraphs.map(paragraph).join('\n')}
<p style="margin:24px 0"><a href="${escaped(button.url)}" style="display:inline-block;padding:10px 18px;border-radius:8px;background:#2a2622;border-left:6px solid ${color};color:#fff;text-decoration:none;font-weight:600">${escaped(button.label)}</a></p>
${footer(from, config)
  .map((text) => `<p style="margin:0;color:#6b655e;font-size:13px">${escaped(text)}</p>`)
  .join('')}
</div></body></html>`
}

/** Premium shows no platform name anywhere. */
function footer(from: Letter['from'], config: Config): string[] {
  return from && !planHas(from.plan, 'white-label') ? [`Powered by ${config.platformName}`] : []
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
