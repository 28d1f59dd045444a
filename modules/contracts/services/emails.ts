import { formatCalendarDate, localDate } from '#app/lib/time.ts'
import { toCoach, wantsEmail } from '#modules/core/notifications.ts'
import { getClient, isReadOnly } from '#modules/crm/index.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { getSender } from '#tenants/accounts/jobs.ts'
import type { Ctx } from '#tenants/context.ts'
import { isRefused, wasNotTaken } from '#tenants/mail-errors.ts'
import { sendEmail, type Email } from '#tenants/mail.ts'
import type { Platform } from '#tenants/platform.ts'
import { getContractFile } from '../documents/contract-file.ts'
import { contractTables, isVisible } from '../joins.ts'
import { contractLink } from '../link.ts'
import { statusSql } from '../records.ts'
import type { ContractStatus, EmailKind, EmailState } from '../fields.ts'

export const emailQueue = 'contracts.email'

export type EmailJob = { coachId: number; emailId: number }

type EmailedContract = {
  id: number
  kind: EmailKind
  title: string
  clientId: number | null
  clientName: string
  clientEmail: string | null
  status: ContractStatus
  linkNumber: number
  expiresAt: Date
  clientSignedAt: Date | null
  reason: string | null
}

/**
 * Sends one of the emails about a contract if what it says is still so and there is an address, at most once: it is
 * marked before the mail server gets it, and sent again only if the server certainly did not take it (decision 0053).
 */
export async function sendContractEmail(platform: Platform, { coachId, emailId }: EmailJob): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `contract-email-${emailId}`)
  if (!ctx?.account.emailVerified) return
  const contract = await findContract(ctx, emailId)
  if (!contract || !statuses[contract.kind].includes(contract.status)) return
  const { id, kind } = contract
  if (!isForClient(kind) && !(await wantsEmail(ctx, notificationKinds[kind]))) return
  const email = isForClient(kind)
    ? await toClientEmail(ctx, id, kind, contract)
    : await toCoachEmail(ctx, id, kind, contract)
  if (!email || !(await setState(ctx, emailId, { from: 'waiting', to: 'sending' }))) return
  try {
    await sendEmail(platform.config, email, platform.now())
  } catch (error) {
    if (isRefused(error)) return void (await setState(ctx, emailId, { from: 'sending', to: 'failed' }))
    if (wasNotTaken(error)) await setState(ctx, emailId, { from: 'sending', to: 'waiting' })
    // Without the server's own message, which quotes the address.
    throw Object.assign(new Error('The mail server did not take an email.'), {
      code: (error as { code?: string }).code,
    })
  }
  await setState(ctx, emailId, { from: 'sending', to: 'sent' })
}

async function setState(ctx: Ctx, id: number, state: { from: EmailState; to: EmailState }): Promise<boolean> {
  const changed = await ctx.write((tx) =>
    tx.query({
      name: 'contracts.set-email-state',
      text: `update contract_email set state = $4, sent_at = case when $4 = 'sent' then $5::timestamptz end
        where coach_id = $1 and id = $2 and state = $3 returning id`,
      values: [ctx.coachId, id, state.from, state.to, ctx.now()],
    }),
  )
  return changed.length > 0
}

/** The notifications that the coach can switch off. */
const notificationKinds = {
  viewed: 'contracts.viewed',
  signed: 'contracts.signed',
  declined: 'contracts.declined',
  'copy-coach': 'contracts.completed',
} as const satisfies Record<Exclude<EmailKind, ClientEmailKind>, string>

type ClientEmailKind = 'link' | 'reminder' | 'copy-client'
const isForClient = (kind: EmailKind): kind is ClientEmailKind =>
  kind === 'link' || kind === 'reminder' || kind === 'copy-client'

/** The contract of an email that waits, with its client's name and address as they are now. */
async function findContract(ctx: Ctx, emailId: number): Promise<EmailedContract | null> {
  const [row] = await ctx.query<EmailedContract>({
    name: 'contracts.emailed-contract',
    text: `select k.id, m.kind, k.title, k.client_id as "clientId", coalesce(c.name, k.client_name) as "clientName",
        c.email as "clientEmail", ${statusSql} as status, k.link_number as "linkNumber", k.expires_at as "expiresAt",
        k.client_signed_at as "clientSignedAt", (
          select e.detail from contract_event e
          where e.coach_id = $1 and e.contract_id = k.id and e.kind = 'declined' order by e.id limit 1) as reason
      from ${contractTables} join contract_email m on m.coach_id = $1 and m.contract_id = k.id
      where k.coach_id = $1 and m.id = $3 and m.state = 'waiting' and k.state <> 'draft' and ${isVisible}`,
    values: [ctx.coachId, ctx.now(), emailId],
  })
  return row ?? null
}

const openStatuses: ContractStatus[] = ['sent', 'viewed', 'signed_by_coach']

/** The statuses in which an email is true. */
const statuses: Record<EmailKind, ContractStatus[]> = {
  link: openStatuses,
  reminder: openStatuses,
  viewed: ['viewed', 'signed_by_coach'],
  signed: ['signed_by_client'],
  declined: ['declined'],
  'copy-client': ['completed'],
  'copy-coach': ['completed'],
}

async function toClientEmail(
  ctx: Ctx,
  id: number,
  kind: ClientEmailKind,
  { title, clientId, clientName, clientEmail, linkNumber, expiresAt }: EmailedContract,
): Promise<Email | null> {
  const from = await getSender(ctx.platform, ctx.coachId)
  if (!from || !clientEmail || clientId === null) return null
  const common = { to: clientEmail, from, replyTo: ctx.account.email }
  if (kind === 'copy-client')
    return {
      ...common,
      subject: `Signed: ${title}`,
      paragraphs: [`Hello ${clientName},`, `You and ${from.name} have signed “${title}”. Your copy is attached.`],
      button: null,
      attachments: [await toAttachment(ctx, id)],
    }
  const url = contractLink.getUrl(ctx, { id, number: linkNumber })
  if (!url || (await isReadOnly(ctx, await getClient(ctx, clientId)))) return null
  const end = formatCalendarDate(localDate(expiresAt, ctx.account.timezone), {
    month: 'long',
    day: 'numeric',
    year: 'numeric',
  })
  return {
    ...common,
    subject: kind === 'link' ? `Please sign: ${title}` : `Reminder: please sign ${title}`,
    paragraphs: [
      `Hello ${clientName},`,
      kind === 'link'
        ? `${from.name} sends you “${title}” to read and sign.`
        : `“${title}” from ${from.name} is still waiting for your signature.`,
      `The link is for you alone and works until ${end}.`,
    ],
    button: { label: 'Read and sign', url },
  }
}

async function toCoachEmail(
  ctx: Ctx,
  id: number,
  kind: Exclude<EmailKind, ClientEmailKind>,
  { title, clientName, reason }: EmailedContract,
): Promise<Email> {
  const { firstName } = ctx.account
  const texts: Record<typeof kind, [subject: string, text: string]> = {
    viewed: [`${clientName} has opened ${title}`, `${clientName} has opened “${title}”.`],
    signed: [`${clientName} has signed ${title}`, `${clientName} has signed “${title}”. It needs your signature now.`],
    declined: [
      `${clientName} has declined ${title}`,
      `${clientName} has declined “${title}”.${reason ? `\n\n“${reason}”` : ''}`,
    ],
    'copy-coach': [`Signed: ${title}`, `You and ${clientName} have signed “${title}”. Your copy is attached.`],
  }
  const [subject, text] = texts[kind]
  return {
    ...toCoach(ctx),
    subject,
    paragraphs: [`Hello ${firstName},`, text],
    button: { label: 'Open the contract', url: `${ctx.platform.config.origin}/contracts/${id}` },
    ...(kind === 'copy-coach' ? { attachments: [await toAttachment(ctx, id)] } : {}),
  }
}

async function toAttachment(ctx: Ctx, id: number) {
  const { name, content } = await getContractFile(ctx, id)
  return { fileName: name, contentType: 'application/pdf', content }
}
