import { authorize, type Ctx } from '#tenants/context.ts'
import type { ExportedClient } from '../csv/export.ts'
import type { Scope } from '../list-state.ts'
import { client, type ClientRecord } from '../records.ts'
import { scopeConditions } from './list.ts'

const batchSize = 500

/** Clients in batches, oldest first, so that importing them keeps their order. */
export async function* streamClients(ctx: Ctx, scope: Scope = 'current'): AsyncGenerator<ExportedClient[]> {
  authorize(ctx, 'crm:client:read')
  let after = { createdAt: '-infinity', id: 0 }
  for (;;) {
    const clients = await ctx.query<ClientRecord>({
      name: `crm.export-${scope}`,
      text: `select ${client.select} from client where coach_id = $1 and ${scopeConditions[scope]}
        and (created_at, id) > ($2::timestamptz, $3::bigint) order by client.created_at, client.id limit ${batchSize}`,
      values: [ctx.coachId, after.createdAt, after.id],
    })
    yield clients
    const last = clients.at(-1)
    if (!last || clients.length < batchSize) return
    after = { createdAt: last.createdAt, id: last.id }
  }
}
