import { isoTimestamp } from '#db/read-pool.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { Method, Party, TrailKind } from '../fields.ts'

export type TrailEntry = {
  id: number
  kind: TrailKind
  party: Party | null
  name: string | null
  detail: string | null
  sha256: string | null
  ipAddress: string | null
  userAgent: string | null
  at: string
}

export type SignatureRecord = {
  party: Party
  name: string
  method: Method
  drawing: string | null
  consent: string
  signedAt: string
}

/** The audit trail of a contract that the caller may see, oldest first. */
export const listTrail = (ctx: Ctx, contractId: number): Promise<TrailEntry[]> =>
  ctx.query<TrailEntry>({
    name: 'contracts.trail',
    text: `select id, kind, party, name, detail, encode(sha256, 'hex') as sha256, ip_address as "ipAddress",
        user_agent as "userAgent", ${isoTimestamp('created_at')} as at
      from contract_event where coach_id = $1 and contract_id = $2 order by id`,
    values: [ctx.coachId, contractId],
  })

/** The signatures of a contract that the caller may see, oldest first. */
export const listSignatures = (ctx: Ctx, contractId: number): Promise<SignatureRecord[]> =>
  ctx.query<SignatureRecord>({
    name: 'contracts.signatures',
    text: `select party, name, method, drawing, consent, ${isoTimestamp('signed_at')} as "signedAt"
      from contract_signature where coach_id = $1 and contract_id = $2 order by signed_at, id`,
    values: [ctx.coachId, contractId],
  })

export type TimelineEvent = {
  id: number
  contractId: number
  kind: TrailKind
  party: Party | null
  title: string
  at: string
}

/** The trail of all contracts of a client, the latest first. */
export async function listTimelineEvents(ctx: Ctx, clientId: number, rows: number): Promise<TimelineEvent[]> {
  authorize(ctx, 'contracts:contract:read')
  return ctx.query<TimelineEvent>({
    name: 'contracts.timeline',
    text: `select e.id, e.contract_id as "contractId", e.kind, e.party, k.title, ${isoTimestamp('e.created_at')} as at
      from contract k join contract_event e on e.coach_id = $1 and e.contract_id = k.id
      where k.coach_id = $1 and k.client_id = $2 and e.kind not in ('printed', 'linked', 'reminded')
      order by e.created_at desc, e.id desc limit $3`,
    values: [ctx.coachId, clientId, rows],
  })
}
