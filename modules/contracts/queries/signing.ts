import { isoTimestamp } from '#db/read-pool.ts'
import { authorize, requireClient, type Ctx } from '#tenants/context.ts'
import type { ContractStatus } from '../fields.ts'
import { contractTables, isVisible } from '../joins.ts'
import { statusSql } from '../records.ts'
import { authorizeClient } from '../services/signing.ts'

/** A contract as its client sees it. */
export type SigningContract = {
  id: number
  title: string
  text: string
  textSha256: string
  status: ContractStatus
  clientName: string
  practiceName: string
  linkNumber: number
  expiresAt: string
  viewedAt: string | null
  clientSignedAt: string | null
  closedAt: string | null
  code: string
}

const columns = `k.id, k.title, k.text, encode(k.text_sha256, 'hex') as "textSha256", ${statusSql} as status,
  k.client_name as "clientName", k.practice_name as "practiceName", k.link_number as "linkNumber", k.code,
  ${isoTimestamp('k.expires_at')} as "expiresAt", ${isoTimestamp('k.viewed_at')} as "viewedAt",
  ${isoTimestamp('k.client_signed_at')} as "clientSignedAt", ${isoTimestamp('k.closed_at')} as "closedAt"`

/** For the page of a link and for the portal. Null for one that was never sent, or whose client is in the trash. */
export async function findSigningContract(ctx: Ctx, id: number): Promise<SigningContract | null> {
  authorizeClient(ctx)
  const [row] = await ctx.query<SigningContract>({
    name: 'contracts.signing',
    text: `select ${columns} from ${contractTables}
      where k.coach_id = $1 and k.id = $3 and k.state <> 'draft' and k.client_id is not null and ${isVisible}
        and ($4::bigint is null or k.client_id = $4)`,
    values: [ctx.coachId, ctx.now(), id, ctx.client?.id ?? null],
  })
  return row ?? null
}

/** The contracts of the client in the portal: those that wait for their signature first, then the latest. */
export async function listOwnContracts(ctx: Ctx, rows: number): Promise<SigningContract[]> {
  const client = requireClient(ctx, 'client:contract:read')
  return ctx.query<SigningContract>({
    name: 'contracts.own',
    text: `select ${columns} from ${contractTables}
      where k.coach_id = $1 and k.client_id = $3 and k.state <> 'draft' and ${isVisible}
      order by k.state = 'open' and k.expires_at > $2 and k.client_signed_at is null desc, k.sent_at desc, k.id desc
      limit $4`,
    values: [ctx.coachId, ctx.now(), client.id, rows],
  })
}

export type VerifiedContract = {
  id: number
  status: ContractStatus
  textSha256: string
  practiceName: string
  sentAt: string
  closedAt: string | null
  fileSha256: string | null
}

/** A contract for the page with its code, which shows nothing of its text. Null for an unknown code. */
export async function findVerifiedContract(ctx: Ctx, code: string): Promise<VerifiedContract | null> {
  authorize(ctx, 'contracts:verification:read')
  const [row] = await ctx.query<VerifiedContract>({
    name: 'contracts.verified',
    text: `select k.id, ${statusSql} as status, encode(k.text_sha256, 'hex') as "textSha256",
        k.practice_name as "practiceName", ${isoTimestamp('k.sent_at')} as "sentAt",
        ${isoTimestamp('k.closed_at')} as "closedAt", (
          select encode(f.sha256, 'hex') from contract_file f
          where f.coach_id = $1 and f.contract_id = k.id) as "fileSha256"
      from contract k where k.coach_id = $1 and k.code = $3`,
    values: [ctx.coachId, ctx.now(), code],
  })
  return row ?? null
}
