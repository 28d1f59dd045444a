import { isoTimestamp } from '#db/read-pool.ts'
import { listNewest, type Filter as SqlFilter, type Page } from '#tenants/api/list-newest.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { ContractStatus } from '../fields.ts'
import { clientNameSql, contractTables, isVisible } from '../joins.ts'
import { contract, statusSql, type ContractRecord } from '../records.ts'

const permission = 'contracts:contract:read'

type Filter = { status?: ContractStatus | undefined; clientId?: number | undefined }

/** Newest first. */
export async function listContracts(
  ctx: Ctx,
  { status, clientId, ...page }: Page & Filter = {},
): Promise<ContractRecord[]> {
  authorize(ctx, permission)
  const where: Record<string, SqlFilter> = {
    isVisible,
    status: status !== undefined && [`(${statusSql}) = ?`, status],
    client: clientId !== undefined && ['k.client_id = ?', clientId],
  }
  return listNewest(ctx, {
    name: 'contracts.list',
    select: contract.select,
    from: contractTables,
    values: [ctx.now()],
    where,
    time: 'k.created_at',
    id: 'k.id',
    ...page,
  })
}

/** Throws not_found, also for one in the trash. */
export async function getContract(ctx: Ctx, id: number): Promise<ContractRecord> {
  const { version: _version, linkNumber: _number, emailedAt: _emailed, ...record } = await getContractForEdit(ctx, id)
  return record
}

export type ContractForEdit = ContractRecord & { version: number; linkNumber: number; emailedAt: string | null }

/** The contract with its version and link. Throws not_found. */
export async function getContractForEdit(ctx: Ctx, id: number): Promise<ContractForEdit> {
  authorize(ctx, permission)
  const [row] = await ctx.query<ContractForEdit>({
    name: 'contracts.get',
    text: `select ${contract.select}, k.version, k.link_number as "linkNumber",
        ${isoTimestamp('k.emailed_at')} as "emailedAt"
      from ${contractTables} where k.coach_id = $1 and k.id = $3 and ${isVisible}`,
    values: [ctx.coachId, ctx.now(), id],
  })
  if (!row) throw contract.notFound()
  return row
}

export type ListedContract = {
  id: number
  title: string
  clientId: number | null
  clientName: string
  status: ContractStatus
  createdAt: string
  sentAt: string | null
  expiresAt: string | null
  closedAt: string | null
}
const listed = `k.id, k.title, k.client_id as "clientId", ${clientNameSql} as "clientName", ${statusSql} as status,
  ${isoTimestamp('k.created_at')} as "createdAt", ${isoTimestamp('k.sent_at')} as "sentAt",
  ${isoTimestamp('k.expires_at')} as "expiresAt", ${isoTimestamp('k.closed_at')} as "closedAt"`

/** One page of the contracts: the newest first. */
export async function listContractsPage(
  ctx: Ctx,
  { status, page, rows }: { status: ContractStatus | null; page: number; rows: number },
): Promise<{ contracts: ListedContract[]; count: number }> {
  authorize(ctx, permission)
  const where = `where k.coach_id = $1 and ${isVisible} and ($3::text is null or (${statusSql}) = $3)`
  const values = [ctx.coachId, ctx.now(), status]
  const [contracts, [found]] = (await ctx.queryAll([
    {
      name: 'contracts.page',
      text: `select ${listed} from ${contractTables} ${where}
        order by k.created_at desc, k.id desc limit $4 offset $5`,
      values: [...values, rows, (page - 1) * rows],
    },
    { name: 'contracts.count', text: `select count(*)::int as count from ${contractTables} ${where}`, values },
  ])) as [ListedContract[], [{ count: number }]]
  return { contracts, count: found.count }
}

/** The contracts of a client: the latest first, at most `rows`. */
export async function listContractsOfClient(ctx: Ctx, clientId: number, rows: number): Promise<ListedContract[]> {
  authorize(ctx, permission)
  return ctx.query<ListedContract>({
    name: 'contracts.of-client',
    text: `select ${listed} from ${contractTables}
      where k.coach_id = $1 and k.client_id = $3 and ${isVisible}
      order by coalesce(k.closed_at, k.sent_at, k.created_at) desc, k.id desc limit $4`,
    values: [ctx.coachId, ctx.now(), clientId, rows],
  })
}

/** The contracts of a client that lack a signature, the first to expire first. */
export async function listUnsignedOfClient(ctx: Ctx, clientId: number, rows: number): Promise<ListedContract[]> {
  authorize(ctx, permission)
  return ctx.query<ListedContract>({
    name: 'contracts.unsigned-of-client',
    text: `select ${listed} from ${contractTables}
      where k.coach_id = $1 and k.client_id = $3 and k.state = 'open' and k.expires_at > $2 and ${isVisible}
      order by k.expires_at, k.id limit $4`,
    values: [ctx.coachId, ctx.now(), clientId, rows],
  })
}

/** The contracts that the client has signed and the coach has not, the first to expire first. */
export async function listWaitingForCoach(ctx: Ctx, rows: number): Promise<ListedContract[]> {
  authorize(ctx, permission)
  return ctx.query<ListedContract>({
    name: 'contracts.waiting-for-coach',
    text: `select ${listed} from ${contractTables}
      where k.coach_id = $1 and k.state = 'open' and k.expires_at > $2 and k.client_signed_at is not null
        and ${isVisible}
      order by k.expires_at, k.id limit $3`,
    values: [ctx.coachId, ctx.now(), rows],
  })
}
