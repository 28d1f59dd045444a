import { createHmac } from 'node:crypto'
import { newId, type StripeEvent } from './objects.ts'

/** The endpoints, each with its own secret: the platform's account, the coaches' accounts, the states of these. */
export type Endpoint = 'platform' | 'connect' | 'thin'

export const webhookSecrets: Record<Endpoint, string> = {
  platform: 'whsec_of_the_platform',
  connect: 'whsec_of_the_accounts',
  thin: 'whsec_of_their_states',
}

/** A request to a webhook endpoint. */
export type Delivery = { endpoint: Endpoint; type: string; body: string; signature: string }

type ThinEvent = {
  id: string
  object: 'v2.core.event'
  type: string
  created: string
  livemode: false
  context: string
  related_object: { id: string; type: 'v2.core.account'; url: string }
}

export const thinEvent = (type: string, accountId: string, at: Date): ThinEvent => ({
  id: newId('evt_test'),
  object: 'v2.core.event',
  type,
  created: at.toISOString(),
  livemode: false,
  context: accountId,
  related_object: { id: accountId, type: 'v2.core.account', url: `/v2/core/accounts/${accountId}` },
})

/** Signs a body as Stripe does. `secret`: another one, for a request that is not Stripe's. */
export function sign(
  endpoint: Endpoint,
  body: string,
  at: Date,
  { secret = webhookSecrets[endpoint] }: { secret?: string } = {},
): string {
  const seconds = Math.floor(at.getTime() / 1000)
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${signature}`
}

export function toDelivery(event: StripeEvent | ThinEvent, at: Date): Delivery {
  const endpoint = event.object === 'v2.core.event' ? 'thin' : event.account ? 'connect' : 'platform'
  const body = JSON.stringify(event)
  return { endpoint, type: event.type, body, signature: sign(endpoint, body, at) }
}
