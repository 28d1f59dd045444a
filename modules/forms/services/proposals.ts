import { AppError } from '#app/lib/errors.ts'
import { ClientEdit, updateClient } from '#modules/crm/index.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import { findProposal } from '../queries/submissions.ts'
import type { ProposalRecord } from '../records.ts'

const notFound = (): AppError => new AppError('not_found', 'Proposal not found', { subject: 'proposal' })

/**
 * Writes the answer into the field of the client, whose history records it. Throws not_found, conflict once it is
 * decided or while there is no client, validation_failed, plan_limit.
 */
export async function approveProposal(ctx: WriteCtx, id: number): Promise<ProposalRecord> {
  const { clientId, field, value } = await lockOpen(ctx, id)
  if (clientId === null)
    throw new AppError('conflict', 'Convert the prospect into a client first. Then the answer can be taken over.')
  const edit = ClientEdit.safeParse({ [field]: value })
  if (!edit.success) throw new AppError('validation_failed', edit.error.issues[0]!.message, { field })
  await updateClient(ctx, clientId, edit.data)
  return decide(ctx, id, 'approved')
}

/** Leaves the client as they are. Throws not_found, conflict once it is decided. */
export async function dismissProposal(ctx: WriteCtx, id: number): Promise<ProposalRecord> {
  await lockOpen(ctx, id)
  return decide(ctx, id, 'dismissed')
}

async function lockOpen(ctx: WriteCtx, id: number): Promise<ProposalRecord> {
  authorize(ctx, 'forms:submission:write')
  await ctx.query({
    name: 'forms.lock-proposal',
    text: 'select 1 from form_proposal where coach_id = $1 and id = $2 for update',
    values: [ctx.coachId, id],
  })
  const proposal = await findProposal(ctx, id)
  if (!proposal) throw notFound()
  if (proposal.state !== 'open') throw new AppError('conflict', 'This proposal was decided already.')
  return proposal
}

async function decide(ctx: WriteCtx, id: number, state: 'approved' | 'dismissed'): Promise<ProposalRecord> {
  await ctx.query({
    name: 'forms.decide-proposal',
    text: 'update form_proposal set state = $3, decided_at = $4 where coach_id = $1 and id = $2',
    values: [ctx.coachId, id, state, ctx.now()],
  })
  return (await findProposal(ctx, id))!
}
