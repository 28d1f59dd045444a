import { isoTimestamp } from '#db/read-pool.ts'
import { authorize, type Ctx } from '#tenants/context.ts'
import type { DeliveryState } from '../fields.ts'

export type Endpoint = {
  id: number
  url: string
  events: string[]
  failingSince: string | null
  lastSuccessAt: string | null
  disabledAt: string | null
}
export type Delivery = {
  id: number
  messageId: string
  event: string
  body: string
  state: DeliveryState
  attempts: number
  responseStatus: number | null
  response: string | null
  problem: string | null
  createdAt: string
  nextAttemptAt: string | null
}

/** Oldest first. */
export async function listEndpoints(ctx: Ctx): Promise<Endpoint[]> {
  authorize(ctx, 'webhooks:endpoint:read')
  return ctx.query<Endpoint>(endpointQuery(ctx, null))
}

export async function findEndpoint(ctx: Ctx, id: number): Promise<Endpoint | null> {
  authorize(ctx, 'webhooks:endpoint:read')
  const [endpoint] = await ctx.query<Endpoint>(endpointQuery(ctx, id))
  return endpoint ?? null
}

const endpointQuery = (ctx: Ctx, id: number | null) => ({
  name: 'webhooks.endpoints',
  text: `select id, url, events, ${isoTimestamp('failing_since')} as "failingSince",
      ${isoTimestamp('last_success_at')} as "lastSuccessAt", ${isoTimestamp('disabled_at')} as "disabledAt"
    from webhook_endpoint where coach_id = $1 and ($2::bigint is null or id = $2) order by id`,
  values: [ctx.coachId, id],
})

export async function countEndpoints(ctx: Ctx): Promise<number> {
  const [row] = await ctx.query<{ count: number }>({
    name: 'webhooks.count',
    text: 'select count(*)::int as count from webhook_endpoint where coach_id = $1',
    values: [ctx.coachId],
  })
  return row!.count
}

/** The log of an endpoint, newest first, after the entry `after`. */
export async function listDeliveries(
  ctx: Ctx,
  endpointId: number,
  { rows, after = null }: { rows: number; after?: number | null },
): Promise<Delivery[]> {
  authorize(ctx, 'webhooks:endpoint:read')
  return ctx.query<Delivery>({
    name: 'webhooks.deliveries',
    text: `select id, message_id as "messageId", event, body, state, attempts, response_status as "responseStatus", response,
        problem, ${isoTimestamp('created_at')} as "createdAt", ${isoTimestamp('next_attempt_at')} as "nextAttemptAt"
      from webhook_delivery where coach_id = $1 and endpoint_id = $2 and ($3::bigint is null or id < $3)
      order by id desc limit $4`,
    values: [ctx.coachId, endpointId, after, rows],
  })
}
