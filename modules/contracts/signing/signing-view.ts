import { formatDateTime } from '#app/lib/time.ts'
import type { Ctx } from '#tenants/context.ts'
import type { ContractStatus } from '../fields.ts'
import type { SigningContract } from '../queries/signing.ts'

/** `cover`: before the client has opened it. `waiting`: for the coach's signature. `over`: the link alone has expired. */
export type SigningStage = 'cover' | 'open' | 'waiting' | 'completed' | 'declined' | 'expired' | 'voided' | 'over'

const stages: Record<Exclude<ContractStatus, 'draft'>, SigningStage> = {
  sent: 'open',
  viewed: 'open',
  signed_by_coach: 'open',
  signed_by_client: 'waiting',
  completed: 'completed',
  declined: 'declined',
  expired: 'expired',
  voided: 'voided',
}

/** A contract as its page shows it to the client. `isLink`: the page of a link, which is open to anyone who has it. */
export function toSigningView(
  ctx: Ctx,
  contract: SigningContract,
  { isLink, nonce }: { isLink: boolean; nonce: string },
) {
  const { id, title, text, textSha256, practiceName, status, expiresAt, viewedAt, clientSignedAt, closedAt } = contract
  const zone = { ...ctx.account, timezone: ctx.client?.timezone ?? ctx.account.timezone }
  const format = (at: string | null) => at && formatDateTime(at, zone)
  const stage = getStage(ctx, contract, isLink)
  const showsText = stage === 'open' || stage === 'waiting' || stage === 'completed'
  return {
    id,
    title,
    text: showsText ? text : null,
    hash: textSha256,
    practiceName,
    stage,
    status,
    wasViewed: viewedAt !== null,
    expiresAt: format(expiresAt)!,
    signedAt: format(clientSignedAt),
    closedAt: format(closedAt),
    coach: { email: ctx.account.email },
    nonce,
  }
}
export type SigningView = ReturnType<typeof toSigningView>

function getStage(ctx: Ctx, { status, viewedAt, expiresAt }: SigningContract, isLink: boolean): SigningStage {
  const stage = stages[status as Exclude<ContractStatus, 'draft'>]
  if (!isLink) return stage
  if (stage === 'open' && viewedAt === null) return 'cover'
  return (stage === 'waiting' || stage === 'completed') && new Date(expiresAt) <= ctx.now() ? 'over' : stage
}
