import { z } from 'zod'
import type { StripeConfig } from '#tenants/config.ts'
import { withTenant, type Platform, type TenantTransaction } from '#tenants/platform.ts'
import { loadStripe } from '../vendor/client.ts'
import { findPlatformCoach, isHandled } from './event-types.ts'
import { requestEvent } from './queue.ts'

/** `platform`: the platform's own account. `connect`: those of the coaches. `thin`: the states of these. */
export const endpoints = ['platform', 'connect', 'thin'] as const
export type Endpoint = (typeof endpoints)[number]

/** `refused`: not Stripe's. `ignored`: an account or a type of event that we don't know. */
export type WebhookResult = 'stored' | 'known' | 'ignored' | 'refused'

type WebhookRequest = { endpoint: Endpoint; body: Buffer; signature: string | null }

/** Seconds that a signature may be old, and that Stripe's clock may be ahead. */
const toleranceSeconds = 300

/** An event as we need it. `object`: its payload, which decides nothing but whose event it is. */
export type ReceivedEvent = {
  eventId: string
  accountId: string | null
  type: string
  objectId: string
  createdAt: Date
  customerId: string | null
}

/** Stores an event of a webhook once, with the job that applies it. */
export async function receiveWebhook(
  platform: Platform,
  { endpoint, body, signature }: WebhookRequest,
): Promise<WebhookResult> {
  const secret = platform.config.stripe && getSecret(platform.config.stripe, endpoint)
  if (!secret || !(await isSigned(platform, { body, signature, secret }))) return 'refused'
  const event = readEvent(endpoint, body)
  if (!event) return 'refused'
  if (!isHandled(event)) return 'ignored'
  const coachId = event.accountId
    ? await findAccountCoach(platform, event.accountId)
    : await findPlatformCoach(platform, event)
  if (coachId === null) return 'ignored'
  return withTenant(platform, coachId, async (tx) =>
    (await storeEvent({ ...tx, coachId }, event)) ? 'stored' : 'known',
  )
}

const getSecret = (config: StripeConfig, endpoint: Endpoint): string | undefined =>
  ({ platform: config.webhookSecret, connect: config.connectWebhookSecret, thin: config.thinWebhookSecret })[endpoint]

type Signed = { body: Buffer; signature: string | null; secret: string }

/** The SDK accepts any time in the future: a signature could then be replayed for as long. */
async function isSigned({ config, now }: Platform, { body, signature, secret }: Signed): Promise<boolean> {
  if (!signature) return false
  const seconds = Number(/(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature)?.[1])
  if (!(seconds <= now().getTime() / 1000 + toleranceSeconds)) return false
  const { webhooks } = await loadStripe(config)
  try {
    return webhooks.signature!.verifyHeader(
      body,
      signature,
      secret,
      toleranceSeconds,
      undefined as never,
      now().getTime(),
    )
  } catch {
    return false
  }
}

const timestamp = z.union([
  z.number().transform((seconds) => new Date(seconds * 1000)),
  z.iso.datetime().pipe(z.coerce.date()),
])
const id = z.string().min(1).max(255)
const SnapshotEvent = z.object({
  object: z.literal('event'),
  id,
  type: id,
  account: id.optional(),
  created: timestamp,
  data: z.object({ object: z.object({ id, customer: id.nullish().catch(null) }) }),
})
const ThinEvent = z.object({
  object: z.literal('v2.core.event'),
  id,
  type: id,
  created: timestamp,
  related_object: z.object({ id }),
})

/** Null for what is no event of this endpoint. */
function readEvent(endpoint: Endpoint, body: Buffer): ReceivedEvent | null {
  const json = parseJson(body.toString('utf8'))
  if (endpoint === 'thin') {
    const thin = ThinEvent.safeParse(json)
    if (!thin.success) return null
    const { id: eventId, type, created: createdAt, related_object } = thin.data
    return { eventId, type, createdAt, accountId: related_object.id, objectId: related_object.id, customerId: null }
  }
  const parsed = SnapshotEvent.safeParse(json)
  if (!parsed.success || (endpoint === 'connect') !== (parsed.data.account !== undefined)) return null
  const { id: eventId, type, created: createdAt, account: accountId = null, data } = parsed.data
  const { id: objectId, customer } = data.object
  return { eventId, type, createdAt, accountId, objectId, customerId: customer ?? null }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export async function findAccountCoach({ readPool }: Platform, accountId: string): Promise<number | null> {
  const [row] = await readPool.queryGlobal<{ coachId: number | null }>({
    name: 'stripe.find-coach',
    text: 'select find_stripe_coach($1) as "coachId"',
    values: [accountId],
  })
  return row?.coachId ?? null
}

type Store = Pick<TenantTransaction, 'query' | 'enqueue'> & { coachId: number }

/** Returns whether it is new. */
export async function storeEvent(ctx: Store, event: Omit<ReceivedEvent, 'customerId'>): Promise<boolean> {
  const [stored] = await ctx.query<{ id: number }>({
    name: 'stripe.store-event',
    text: `insert into stripe_event (coach_id, account_id, event_id, type, object_id, created_at)
      values ($1, $2, $3, $4, $5, $6)
      on conflict (coach_id, (coalesce(account_id, '')), event_id) do nothing returning id`,
    values: [ctx.coachId, event.accountId, event.eventId, event.type, event.objectId, event.createdAt],
  })
  if (stored) await requestEvent(ctx, stored.id)
  return stored !== undefined
}
