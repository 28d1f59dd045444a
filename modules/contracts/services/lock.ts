import { AppError } from '#app/lib/errors.ts'
import type { WriteCtx } from '#tenants/context.ts'
import type { ContractState } from '../fields.ts'
import { contractTables, isVisible } from '../joins.ts'
import { contract } from '../records.ts'

export type OpenContract = {
  state: ContractState
  title: string
  clientId: number
  clientName: string
  clientSignedAt: Date | null
  coachSignedAt: Date | null
  viewedAt: Date | null
  isExpired: boolean
  textSha256: Buffer
  linkNumber: number
}

/**
 * Locks a contract that can be signed, so that of two changes at the same time the second one sees the first. Throws
 * not_found, also for a `linkNumber` that a newer link has replaced, and conflict with the subject `draft`, or the state
 * in which it has ended.
 */
export async function lockOpen(ctx: WriteCtx, id: number, linkNumber?: number): Promise<OpenContract> {
  const [row] = await ctx.query<OpenContract>({
    name: 'contracts.lock',
    text: `select k.state, k.title, k.client_id as "clientId", k.client_name as "clientName",
        k.client_signed_at as "clientSignedAt", k.coach_signed_at as "coachSignedAt", k.viewed_at as "viewedAt",
        k.expires_at <= $3 as "isExpired", k.text_sha256 as "textSha256",
        k.link_number as "linkNumber"
      from ${contractTables} where k.coach_id = $1 and k.id = $2 and ${isVisible} for update of k`,
    values: [ctx.coachId, id, ctx.now()],
  })
  if (!row || (linkNumber !== undefined && row.linkNumber !== linkNumber)) throw contract.notFound()
  const state = row.state === 'open' && row.isExpired ? 'expired' : row.state
  if (state !== 'open') throw new AppError('conflict', refusals[state], { subject: state })
  return row
}

const refusals: Record<Exclude<ContractState, 'open'>, string> = {
  draft: 'This contract was not sent yet.',
  completed: 'This contract is signed already.',
  declined: 'This contract was declined.',
  expired: 'This contract has expired.',
  voided: 'This contract was withdrawn.',
}
