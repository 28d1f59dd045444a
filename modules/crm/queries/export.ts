import { authorize, type Ctx } from '#tenants/context.ts'
import type { ExportedClient } from '../csv/export.ts'
import type { PlaceName } from '../list-state.ts'
import { clientRecordSql, type ClientRecord } from '../output.ts'
import { inPlace } from './list.ts'

const batchRows = 500

/** All current clients, or all that are in the archive, oldest first, so that an import lists them in the same order; in batches as they are read. */
export async function* allClients(ctx: Ctx, place: PlaceName = 'current'): AsyncGenerator<ExportedClient[]> {
  authorize(ctx, 'crm:client:read')
  let after = { createdAt: '-infinity', id: 0 }
  for (;;) {
    const clients = await ctx.rows<ClientRecord>({
      name: `crm.export-${place}`,
      text: `select ${clientRecordSql} from client where ${inPlace[place]}
        and (created_at, id) > ($1::timestamptz, $2::bigint) order by client.created_at, client.id limit ${batchRows}`,
      values: [after.createdAt, after.id],
    })
    yield clients
    const last = clients.at(-1)
    if (!last || clients.length < batchRows) return
    after = { createdAt: last.createdAt, id: last.id }
  }
}
