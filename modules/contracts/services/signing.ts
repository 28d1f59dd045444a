import { AppError } from '#app/lib/errors.ts'
import { beyondClient, publish } from '#modules/core/events.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { logActivity } from '#modules/crm/index.ts'
import { toDeviceColumns, type Device } from '#tenants/auth/device.ts'
import { authorize, requireClient, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { contractCompleted, contractDeclined, contractSigned, contractViewed } from '../events.ts'
import { consentSentence, type Party } from '../fields.ts'
import { findDrawingProblem } from '../drawing.ts'
import type { SignForm } from '../forms.ts'
import { closeContract, enqueueEmail } from './sending.ts'
import { lockOpen, type OpenContract } from './lock.ts'
import { addTrailEntry, getCoachName } from './trail.ts'

/** The client signs by a link, or in the portal. */
export function authorizeClient(ctx: Ctx): void {
  if (ctx.client) requireClient(ctx, 'client:contract:write')
  else authorize(ctx, 'contracts:signature:write')
}

type Signature = Pick<SignForm, 'name' | 'drawing' | 'hash'>

/** `linkNumber`: of the link that the client uses, which a newer one may have ended; none in the portal. */
type Visit = { device: Device; linkNumber?: number }

/**
 * Signs an open contract as the client. Throws not_found; conflict with the subject `signed`, `text` for another text
 * than that on the page, or the state of one that is not open; validation_failed for a drawing that is no signature.
 */
export async function signAsClient(ctx: WriteCtx, id: number, signature: Signature, visit: Visit): Promise<void> {
  authorizeClient(ctx)
  await sign(ctx, id, { ...signature, party: 'client', ...visit })
}

/** Signs an open contract as the coach. Throws as `signAsClient` does. */
export async function signAsCoach(ctx: WriteCtx, id: number, signature: Signature, device: Device): Promise<void> {
  authorize(ctx, 'contracts:contract:write')
  await sign(ctx, id, { ...signature, party: 'coach', device })
}

async function sign(
  ctx: WriteCtx,
  id: number,
  { party, name, drawing, hash, device, linkNumber }: Signature & Visit & { party: Party },
): Promise<void> {
  const problem = drawing === null ? null : findDrawingProblem(drawing)
  if (problem) throw new AppError('validation_failed', problem, { field: 'drawing' })
  const open = await lockOpen(ctx, id, linkNumber)
  const [own, other] =
    party === 'client' ? [open.clientSignedAt, open.coachSignedAt] : [open.coachSignedAt, open.clientSignedAt]
  if (own) throw new AppError('conflict', 'You have signed this contract already.', { subject: 'signed' })
  if (open.textSha256.toString('hex') !== hash)
    throw new AppError('conflict', 'This page shows another text. Reload it before you sign.', { subject: 'text' })
  await insertRow(ctx, {
    table: 'contract_signature',
    name: 'contracts.insert-signature',
    row: {
      contractId: id,
      party,
      name,
      method: drawing === null ? 'typed' : 'drawn',
      drawing,
      consent: consentSentence,
      textSha256: open.textSha256,
      ...toDeviceColumns(device),
      signedAt: ctx.now(),
    },
  })
  await addTrailEntry(ctx, id, {
    kind: 'signed',
    party,
    name,
    detail: consentSentence,
    sha256: open.textSha256,
    device,
  })
  await markSigned(ctx, id, { party, isComplete: other !== null })
  await publish(ctx, contractSigned, { contractId: id, party })
  if (other) await complete(ctx, id)
  else if (party === 'client') await enqueueEmail(ctx, { contractId: id, kind: 'signed' })
  await log(ctx, open, other ? 'Contract completed' : 'Contract signed', party)
}

/** In one statement with the end of the contract: it is completed by the second signature. */
async function markSigned(
  ctx: WriteCtx,
  id: number,
  { party, isComplete }: { party: Party; isComplete: boolean },
): Promise<void> {
  await ctx.query({
    name: `contracts.mark-signed.${party}`,
    text: `update contract set ${party}_signed_at = $3::timestamptz, state = case when $4::boolean then 'completed' else state end,
        closed_at = case when $4 then $3::timestamptz end, version = version + 1, updated_at = $3::timestamptz
      where coach_id = $1 and id = $2`,
    values: [ctx.coachId, id, ctx.now(), isComplete],
  })
}

async function complete(ctx: WriteCtx, id: number): Promise<void> {
  await addTrailEntry(ctx, id, { kind: 'completed', party: null })
  await publish(ctx, contractCompleted, { contractId: id })
  for (const kind of ['copy-client', 'copy-coach'] as const) await enqueueEmail(ctx, { contractId: id, kind })
}

const log = (ctx: WriteCtx, { title, clientId, clientName }: OpenContract, what: string, party: Party | null) =>
  beyondClient(ctx, () =>
    logActivity(ctx, {
      type: 'contract_changed',
      title: what,
      description: `${party === 'coach' ? getCoachName(ctx) : clientName}: ${title}`,
      clientId,
    }),
  )

/** The client opens the contract: the first time is in the trail. Throws not_found; conflict unless it is open. */
export async function viewContract(ctx: WriteCtx, id: number, { device, linkNumber }: Visit): Promise<void> {
  authorizeClient(ctx)
  const open = await lockOpen(ctx, id, linkNumber)
  if (open.viewedAt) return
  await ctx.query({
    name: 'contracts.mark-viewed',
    text: 'update contract set viewed_at = $3, updated_at = $3 where coach_id = $1 and id = $2',
    values: [ctx.coachId, id, ctx.now()],
  })
  await addTrailEntry(ctx, id, { kind: 'viewed', party: 'client', name: open.clientName, device })
  await publish(ctx, contractViewed, { contractId: id })
  await enqueueEmail(ctx, { contractId: id, kind: 'viewed' })
}

/** The client declines an open contract that they haven't signed. Throws not_found; conflict for any other. */
export async function declineContract(
  ctx: WriteCtx,
  id: number,
  { reason, device, linkNumber }: Visit & { reason: string | null },
): Promise<void> {
  authorizeClient(ctx)
  const open = await lockOpen(ctx, id, linkNumber)
  if (open.clientSignedAt)
    throw new AppError('conflict', 'You have signed this contract already.', { subject: 'signed' })
  await closeContract(ctx, id, 'declined')
  await addTrailEntry(ctx, id, { kind: 'declined', party: 'client', name: open.clientName, detail: reason, device })
  await publish(ctx, contractDeclined, { contractId: id })
  await enqueueEmail(ctx, { contractId: id, kind: 'declined' })
  await log(ctx, open, 'Contract declined', null)
}
