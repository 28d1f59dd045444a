import { getClient } from '#modules/crm/index.ts'
import { authorize, type WriteCtx } from '#tenants/context.ts'
import type { CountInput } from '../forms.ts'

/** Chooses how the sessions of a client count; null for by whether the client has paid. Throws not_found. */
export async function setCounting(ctx: WriteCtx, { clientId, counting }: CountInput): Promise<void> {
  authorize(ctx, 'hours:entry:write')
  await getClient(ctx, clientId)
  if (counting === null)
    await ctx.query({
      name: 'hours.delete-counting',
      text: 'delete from hours_counting where coach_id = $1 and client_id = $2',
      values: [ctx.coachId, clientId],
    })
  else
    await ctx.query({
      name: 'hours.set-counting',
      text: `insert into hours_counting (coach_id, client_id, counting, updated_at) values ($1, $2, $3, $4)
        on conflict (coach_id, client_id) do update
        set counting = excluded.counting, updated_at = excluded.updated_at`,
      values: [ctx.coachId, clientId, counting, ctx.now()],
    })
}
