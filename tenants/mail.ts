import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createTransport } from 'nodemailer'
import { dayMs } from '#app/lib/time.ts'
import { hasLocalOrigin, type Config } from './config.ts'
import { isLoopback } from './local-addresses.ts'
import { planIncludes } from './accounts/plans.ts'
import type { HostTenant } from './auth/viewer.ts'

/**
 * An email of plain paragraphs, which may have several lines, with at most one button. `from` null: sent in the
 * platform's name.
 */
export type Email = {
  to: string
  subject: string
  paragraphs: string[]
  button: { label: string; url: string } | null
  from: Pick<HostTenant, 'name' | 'primaryColor' | 'plan'> | null
  /** The page where the coach switches emails like this one off. */
  settingsUrl?: string
  /** The address for replies; by default the platform's, which nobody reads. */
  replyTo?: string
  /** Files that calendars act on, with one event each: a request may have one only (RFC 5546). */
  invitations?: Invitation[]
  attachments?: Attachment[]
}
export type Attachment = { fileName: string; contentType: string; content: Buffer }
export type Invitation = { method: 'REQUEST' | 'CANCEL' | 'PUBLISH'; content: string }

/** Emails contain links that sign in, so the outbox keeps few of them. */
const outboxLimit = 100

/** Milliseconds: a mail server that is cut off must not keep other emails waiting for minutes. */
const mailTimeouts = { connectionTimeout: 10_000, greetingTimeout: 15_000, socketTimeout: 30_000 }

/** An email as the outbox stores it. */
export type OutboxEmail = {
  to: string
  from: string
  subject: string
  text: string
  html: string
  sentAt: string
  replyTo?: string
  invitations?: Invitation[]
  /** Their contents in base64. */
  attachments?: { fileName: string; contentType: string; content: string }[]
}

/**
 * Sends through SMTP_URL, or writes to the outbox in DATA_DIR. Throws the server's error, so that the job is retried.
 */
export async function sendEmail(config: Config, email: Email, now: Date): Promise<void> {
  const message = {
    to: email.to,
    from: { name: email.from?.name ?? config.platformName, address: getSenderAddress(config) },
    subject: email.subject,
    text: formatText(email, config),
    html: formatHtml(email, config),
    ...(email.replyTo === undefined ? {} : { replyTo: email.replyTo }),
  }
  const { invitations = [], attachments = [] } = email
  if (config.smtpUrl) {
    const transport = createMailTransport(config.smtpUrl)
    // The first one is a form of the text, which every mail program looks for; the others are files.
    const [first, ...others] = invitations
    const files = [
      ...attachments.map(({ fileName, ...file }) => ({ filename: fileName, ...file })),
      ...others.map(({ method, content }, index) => ({
        filename: `invite-${index + 2}.ics`,
        contentType: `text/calendar; charset=utf-8; method=${method}`,
        content,
      })),
    ]
    const icalEvent = first && { ...first, filename: 'invite.ics' }
    await transport.sendMail({ ...message, attachments: files, ...(icalEvent ? { icalEvent } : {}) })
    transport.close()
    return
  }
  const entry: OutboxEmail = {
    ...message,
    ...(invitations.length ? { invitations } : {}),
    ...(attachments.length
      ? { attachments: attachments.map((file) => ({ ...file, content: file.content.toString('base64') })) }
      : {}),
    from: `${message.from.name} <${message.from.address}>`,
    sentAt: now.toISOString(),
  }
  const name = `${formatFileTime(entry.sentAt)}-${crypto.randomUUID()}.json`
  await mkdir(getOutboxDir(config), { recursive: true, mode: 0o700 })
  await deleteOldEmails(config, now)
  // Rename when complete, so that a reader never sees half an email.
  await writeFile(path.join(getOutboxDir(config), `.${name}`), JSON.stringify(entry), { mode: 0o600 })
  await rename(path.join(getOutboxDir(config), `.${name}`), path.join(getOutboxDir(config), name))
}

/**
 * Without TLS from the start (`smtps:`) a mail server on another machine must offer STARTTLS with a valid certificate.
 */
function createMailTransport(url: string) {
  return createTransport({ url, requireTLS: !isLoopback(new URL(url).hostname), ...mailTimeouts })
}

/** Whether /dev/outbox exists: in a local installation without a mail server or a proxy. */
export const showsOutbox = (config: Config): boolean =>
  !config.smtpUrl && config.trustProxy === 0 && hasLocalOrigin(config)

/** The latest emails of the outbox, newest first. */
export async function listOutbox(config: Config, limit = 50): Promise<OutboxEmail[]> {
  const latest = (await listEmailFiles(config)).slice(0, limit)
  const texts = await Promise.all(
    // Another process may have deleted it.
    latest.map((name) => readFile(path.join(getOutboxDir(config), name), 'utf8').catch(() => null)),
  )
  return texts.filter((text) => text !== null).map((text) => JSON.parse(text) as OutboxEmail)
}

/** Deletes the emails that are older than a day, and all but the latest 100. */
export async function deleteOldEmails(config: Config, now: Date): Promise<void> {
  const oldest = formatFileTime(new Date(now.getTime() - dayMs).toISOString())
  const old = (await listEmailFiles(config)).filter((name, index) => index >= outboxLimit || name < oldest)
  await Promise.all(old.map((name) => rm(path.join(getOutboxDir(config), name), { force: true })))
}

export async function clearOutbox(config: Config): Promise<void> {
  await rm(getOutboxDir(config), { recursive: true, force: true })
}

/** Their names, newest first. */
async function listEmailFiles(config: Config): Promise<string[]> {
  const names = await readdir(getOutboxDir(config)).catch(() => [])
  return names
    .filter((name) => !name.startsWith('.'))
    .sort()
    .reverse()
}

const formatFileTime = (isoTime: string): string => isoTime.replaceAll(':', '-')

const getOutboxDir = (config: Config): string => path.join(config.dataDir, 'outbox')

function getSenderAddress(config: Config): string {
  if (config.mailFrom) return /<([^>]+)>/.exec(config.mailFrom)?.[1] ?? config.mailFrom
  return `no-reply@${new URL(config.origin).hostname}`
}

function formatText(email: Email, config: Config): string {
  const { paragraphs, button, settingsUrl } = email
  const link = button ? [`${button.label}: ${button.url}`] : []
  const settings = settingsUrl ? [`${settingsLabel}: ${settingsUrl}`] : []
  return [...paragraphs, ...link, ...formatFooter(email, config), ...settings].join('\n\n')
}

function formatHtml(email: Email, config: Config): string {
  const { paragraphs, button, from, settingsUrl } = email
  const color = from?.primaryColor ?? '#6366f1'
  const card = 'max-width:520px;margin:0 auto;padding:32px;background:#fff;border:1px solid #e6e2dd;border-radius:12px'
  const link =
    'display:inline-block;padding:10px 18px;border-radius:8px;background:#2a2622;color:#fff;' +
    `border-left:6px solid ${color};text-decoration:none;font-weight:600`
  const body = 'margin:0;padding:32px 16px;background:#f8f7f5;color:#2a2622;font:16px/26px system-ui,sans-serif'
  const small = 'margin:0;color:#6b655e;font-size:13px'
  const toParagraph = (style: string) => (text: string) =>
    `<p style="${style}">${escapeHtml(text).replaceAll('\n', '<br>')}</p>`
  return `<!doctype html><html lang="en"><body style="${body}">
<div style="${card}">
${toParagraph('margin:0 0 24px;font-weight:600')(from?.name ?? config.platformName)}
${paragraphs.map(toParagraph('margin:0 0 16px')).join('\n')}
${button ? `<p style="margin:24px 0"><a href="${escapeHtml(button.url)}" style="${link}">${escapeHtml(button.label)}</a></p>` : ''}
${formatFooter(email, config).map(toParagraph(small)).join('')}${settingsUrl ? `<p style="${small}"><a href="${escapeHtml(settingsUrl)}" style="color:inherit">${settingsLabel}</a></p>` : ''}
</div></body></html>`
}

const settingsLabel = 'Choose which emails you get'

/** Premium is white-label: no platform name. */
function formatFooter({ from }: Email, config: Config): string[] {
  return from && !planIncludes(from.plan, 'white-label') ? [`Powered by ${config.platformName}`] : []
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
