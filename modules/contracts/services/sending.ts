import { randomBytes } from 'node:crypto'
import { AppError } from '#app/lib/errors.ts'
import { formatMoney } from '#app/lib/money.ts'
import { dayMs, formatCalendarDate, localDate } from '#app/lib/time.ts'
import { beyondClient, publish } from '#modules/core/events.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { assertNotReadOnly, getClient, lockCurrentClient } from '#modules/crm/index.ts'
import { requireVerifiedEmail } from '#tenants/accounts/email-verification.ts'
import type { Device } from '#tenants/auth/device.ts'
import { countAttempt } from '#tenants/auth/rate-limit.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { assertStorage } from '#tenants/storage.ts'
import { hashText, toCanonicalText } from '../canonical-text.ts'
import { contractSent, contractVoided } from '../events.ts'
import { contractFields, type EmailKind } from '../fields.ts'
import { fillPlaceholders, listPlaceholders, type PlaceholderValues } from '../placeholders.ts'
import { getContract, getContractForEdit } from '../queries/contracts.ts'
import type { ContractRecord } from '../records.ts'
import { lockDraft } from './contracts.ts'
import { emailQueue } from './emails.ts'
import { lockOpen } from './lock.ts'
import { addTrailEntry, getCoachName, getPracticeName } from './trail.ts'

const permission = 'contracts:contract:write'

/**
 * Sends a draft: from now on its text never changes. With `sendEmail` the client gets the link. Throws not_found,
 * plan_limit, conflict for one that was sent, validation_failed for placeholders without a value, rate_limited, and
 * forbidden for emails of a coach who hasn't confirmed their address.
 */
export async function sendContract(
  ctx: WriteCtx,
  id: number,
  { sendEmail = false, device = null }: { sendEmail?: boolean; device?: Device | null } = {},
): Promise<ContractRecord> {
  authorize(ctx, permission)
  if (sendEmail) requireVerifiedEmail(ctx)
  const { clientId } = await getContract(ctx, id)
  await lockCurrentClient(ctx, clientId!)
  await assertNotReadOnly(ctx, clientId!)
  await freeze(ctx, id, { isEmailed: sendEmail, device })
  if (sendEmail) await emailLink(ctx, id)
  return getContract(ctx, id)
}

/** Fixes the text of a draft, whose client is locked. */
export async function freeze(
  ctx: WriteCtx,
  id: number,
  { isEmailed, device = null }: { isEmailed: boolean; device?: Device | null },
): Promise<void> {
  await assertStorage(ctx)
  const row = await lockDraft(ctx, id)
  const record = await getContract(ctx, id)
  const client = await getClient(ctx, record.clientId!)
  const values = getPlaceholderValues(ctx, { ...record, clientName: client.name, clientEmail: client.email })
  const missing = listPlaceholders(row.body).filter((name) => values[name] === null)
  if (missing.length) throw missingValues(missing)
  const text = toCanonicalText(row.title, fillPlaceholders(row.body, values))
  const textSha256 = hashText(text)
  const now = ctx.now()
  ctx.em.assign(row, {
    state: 'open',
    text,
    textSha256,
    clientName: client.name,
    clientEmail: client.email,
    practiceName: getPracticeName(ctx),
    code: createCode(),
    sentAt: now,
    expiresAt: new Date(now.getTime() + row.expiresInDays * dayMs),
    linkNumber: 1,
    version: row.version + 1,
    updatedAt: now,
  })
  await ctx.em.flush()
  await addTrailEntry(ctx, id, {
    kind: 'sent',
    party: 'coach',
    name: getCoachName(ctx),
    detail: isEmailed ? `To ${client.email}` : null,
    sha256: textSha256,
    device,
  })
  await publish(ctx, contractSent, { contractId: id })
}

const missingValues = (names: string[]): AppError => {
  const labels = names.map((name) => (name === 'product' || name === 'price' ? contractFields[name].label : name))
  return new AppError('validation_failed', `Enter what the text needs first: ${labels.join(', ')}.`)
}

/** The values of the placeholders of a contract as of now; null where nothing is known. */
export function getPlaceholderValues(
  ctx: Ctx,
  {
    clientName,
    clientEmail,
    product,
    price,
  }: { clientName: string | null; clientEmail: string | null; product: string | null; price: number | null },
): PlaceholderValues {
  const { email, timezone, currency } = ctx.account
  return {
    'client name': clientName,
    'client email': clientEmail || null,
    'coach name': getCoachName(ctx),
    'coach email': email,
    'practice name': getPracticeName(ctx),
    date: formatCalendarDate(localDate(ctx.now(), timezone), { month: 'long', day: 'numeric', year: 'numeric' }),
    product,
    price: price === null ? null : formatMoney(price, currency),
  }
}

const codeLetters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** 24 letters and digits that are hard to confuse: 120 bits. */
const createCode = (): string => [...randomBytes(24)].map((byte) => codeLetters[byte % 32]).join('')

/** Emails the link of an open contract. Throws rate_limited. */
export async function emailLink(ctx: WriteCtx, id: number): Promise<void> {
  const rules = [
    { key: `contract-email:${ctx.coachId}:${id}`, attempts: 5, minutes: 60 },
    { key: `contract-email-all:${ctx.coachId}`, attempts: 200, minutes: 60 },
  ]
  await countAttempt(ctx.platform, { rules, address: ctx.address, account: ctx.coachId })
  await enqueueLink(ctx, id)
}

/** Without the coach's limits: for emails that nobody asks for. */
export async function enqueueLink(ctx: WriteCtx, id: number): Promise<void> {
  await enqueueEmail(ctx, { contractId: id, kind: 'link' })
  await ctx.query({
    name: 'contracts.emailed',
    text: 'update contract set emailed_at = $3, updated_at = $3 where coach_id = $1 and id = $2',
    values: [ctx.coachId, id, ctx.now()],
  })
}

/** The client in the portal sees no emails. */
export const enqueueEmail = (ctx: WriteCtx, email: { contractId: number; kind: EmailKind }): Promise<void> =>
  beyondClient(ctx, async () => {
    const emailId = await insertRow(ctx, {
      table: 'contract_email',
      name: 'contracts.insert-email',
      row: { ...email, createdAt: ctx.now() },
    })
    await ctx.enqueue(emailQueue, { coachId: ctx.coachId, emailId })
  })

/**
 * Makes a new link, which ends the one before, and emails it. Throws not_found, conflict unless the client can still
 * sign, forbidden, plan_limit for a read-only client, rate_limited.
 */
export async function resendContract(
  ctx: WriteCtx,
  id: number,
  { device = null }: { device?: Device | null } = {},
): Promise<ContractRecord> {
  authorize(ctx, permission)
  requireVerifiedEmail(ctx)
  const { clientId } = await getContractForEdit(ctx, id)
  if (clientId === null) throw new AppError('conflict', 'The client of this contract was deleted.')
  await assertNotReadOnly(ctx, clientId)
  const client = await getClient(ctx, clientId)
  const open = await lockOpen(ctx, id)
  if (open.clientSignedAt) throw new AppError('conflict', 'The client has signed this contract already.')
  await ctx.query({
    name: 'contracts.next-link',
    text: `update contract set link_number = link_number + 1, updated_at = $3 where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id, ctx.now()],
  })
  const detail = `To ${client.email}`
  await addTrailEntry(ctx, id, { kind: 'linked', party: 'coach', name: getCoachName(ctx), detail, device })
  await emailLink(ctx, id)
  return getContract(ctx, id)
}

/** Ends an open contract. Throws not_found, and conflict for one that is not open. */
export async function voidContract(
  ctx: WriteCtx,
  id: number,
  { reason = null, device = null }: { reason?: string | null; device?: Device | null } = {},
): Promise<ContractRecord> {
  authorize(ctx, permission)
  await lockOpen(ctx, id)
  await closeContract(ctx, id, 'voided')
  await addTrailEntry(ctx, id, { kind: 'voided', party: 'coach', name: getCoachName(ctx), detail: reason, device })
  await publish(ctx, contractVoided, { contractId: id })
  return getContract(ctx, id)
}

export async function closeContract(
  ctx: WriteCtx,
  id: number,
  state: 'voided' | 'declined' | 'expired' | 'completed',
): Promise<void> {
  await ctx.query({
    name: 'contracts.close',
    text: `update contract set state = $3, closed_at = $4, version = version + 1, updated_at = $4
      where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id, state, ctx.now()],
  })
}
