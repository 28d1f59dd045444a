import { authorize, type Ctx } from '#tenants/context.ts'
import type { ExportedClient } from '../csv/export.ts'
import type { Scope } from '../list-state.ts'
import { client, type ClientRecord } from '../records.ts'
import { conditionSql, loadConditions, type FilterState } from './filters.ts'

const batchSize = 500

/** Clients that match, or of those `ids` alone, in batches, oldest first, so that importing them keeps their order. */
export async function* streamClients(
  ctx: Ctx,
  scope: Scope = 'current',
  filters: FilterState = { q: '', status: null, tag: '', filters: [] },
  ids: number[] = [],
): AsyncGenerator<ExportedClient[]> {
  authorize(ctx, 'crm:client:read')
  const conditions = await loadConditions(ctx, filters)
  if (ids.length)
    conditions.push({ name: 'ids', value: ids, sql: (placeholder) => `id = any(${placeholder}::bigint[])` })
  const { name, where, values } = conditionSql(scope, conditions, 4)
  let after = { createdAt: '-infinity', id: 0 }
  for (;;) {
    const clients = await ctx.query<ClientRecord>({
      name: `crm.export-${name}`,
      text: `select ${client.select} from client where coach_id = $1 and ${where}
        and (created_at, id) > ($2::timestamptz, $3::bigint) order by client.created_at, client.id limit ${batchSize}`,
      values: [ctx.coachId, after.createdAt, after.id, ...values],
    })
    yield clients
    const last = clients.at(-1)
    if (!last || clients.length < batchSize) return
    after = { createdAt: last.createdAt, id: last.id }
  }
}
