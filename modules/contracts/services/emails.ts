import { formatCalendarDate, localDate } from '#app/lib/time.ts'
import { getClient, isReadOnly } from '#modules/crm/index.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { getSender } from '#tenants/accounts/jobs.ts'
import type { Ctx } from '#tenants/context.ts'
import { sendEmail, type Email } from '#tenants/mail.ts'
import type { Platform } from '#tenants/platform.ts'
import { getContractFile } from '../documents/contract-file.ts'
import { contractTables, isVisible } from '../joins.ts'
import { contractLink } from '../link.ts'
import { statusSql } from '../records.ts'
import type { ContractStatus } from '../fields.ts'

export const emailQueue = 'contracts.email'

/** `link` and `reminder` ask the client to sign; the copies have the PDF; the others inform the coach. */
export type EmailKind = 'link' | 'reminder' | 'copy-client' | 'copy-coach' | 'viewed' | 'signed' | 'declined'
export type EmailJob = { coachId: number; contractId: number; kind: EmailKind }

type EmailedContract = {
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

/** Sends one of the emails about a contract, if what it says is still so and there is an address. */
export async function sendContractEmail(platform: Platform, { coachId, contractId, kind }: EmailJob): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `contract-${contractId}`)
  if (!ctx?.account.emailVerified) return
  const contract = await findContract(ctx, contractId)
  if (!contract) return
  const email = isForClient(kind)
    ? await toClientEmail(ctx, contractId, kind, contract)
    : await toCoachEmail(ctx, contractId, kind, contract)
  if (email) await sendEmail(platform.config, email, platform.now())
}

type ClientEmailKind = 'link' | 'reminder' | 'copy-client'
const isForClient = (kind: EmailKind): kind is ClientEmailKind =>
  kind === 'link' || kind === 'reminder' || kind === 'copy-client'

/** Its client's name and address as they are now. */
async function findContract(ctx: Ctx, id: number): Promise<EmailedContract | null> {
  const [row] = await ctx.query<EmailedContract>({
    name: 'contracts.emailed-contract',
    text: `select k.title, k.client_id as "clientId", coalesce(c.name, k.client_name) as "clientName",
        c.email as "clientEmail", ${statusSql} as status, k.link_number as "linkNumber", k.expires_at as "expiresAt",
        k.client_signed_at as "clientSignedAt", (
          select e.detail from contract_event e
          where e.coach_id = $1 and e.contract_id = k.id and e.kind = 'declined' order by e.id limit 1) as reason
      from ${contractTables} where k.coach_id = $1 and k.id = $3 and k.state <> 'draft' and ${isVisible}`,
    values: [ctx.coachId, ctx.now(), id],
  })
  return row ?? null
}

const openStatuses: ContractStatus[] = ['sent', 'viewed', 'signed_by_coach']

async function toClientEmail(
  ctx: Ctx,
  id: number,
  kind: ClientEmailKind,
  { title, clientId, clientName, clientEmail, status, linkNumber, expiresAt }: EmailedContract,
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
  if (!url || !openStatuses.includes(status) || (await isReadOnly(ctx, await getClient(ctx, clientId)))) return null
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
  const { firstName, email: to } = ctx.account
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
    to,
    subject,
    paragraphs: [`Hello ${firstName},`, text],
    button: { label: 'Open the contract', url: `${ctx.platform.config.origin}/contracts/${id}` },
    from: null,
    ...(kind === 'copy-coach' ? { attachments: [await toAttachment(ctx, id)] } : {}),
  }
}

async function toAttachment(ctx: Ctx, id: number) {
  const { name, content } = await getContractFile(ctx, id)
  return { fileName: name, contentType: 'application/pdf', content }
}
