import { isIP } from 'node:net'
import { AppError } from '#app/lib/errors.ts'
import { lockRow } from '#modules/core/lock-row.ts'
import { hasLocalOrigin } from '#tenants/config.ts'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'
import { decryptToken, encryptToken } from '#tenants/token-encryption.ts'
import { maxEndpoints } from '../fields.ts'
import type { EndpointInput } from '../forms.ts'
import { countEndpoints } from '../queries/webhooks.ts'
import { WebhookEndpoint, type WebhookEndpointRow } from '../schema.ts'
import { isPublicAddress } from './public-address.ts'
import { createSecret } from './signature.ts'

export const endpointNotFound = (): AppError => new AppError('not_found', 'Webhook not found', { subject: 'webhook' })

/** Returns the secret, which is shown once. Throws validation_failed, and conflict beyond the limit. */
export async function createEndpoint(ctx: WriteCtx, input: EndpointInput): Promise<{ id: number; secret: string }> {
  authorize(ctx, 'webhooks:endpoint:write')
  const checked = checkInput(ctx, input)
  // Two forms at the same time must not get past the limit.
  await ctx.query({
    name: 'webhooks.lock-account',
    text: 'select id from account where id = $1 for no key update',
    values: [ctx.coachId],
  })
  if ((await countEndpoints(ctx)) >= maxEndpoints)
    throw new AppError('conflict', `You have ${maxEndpoints} webhooks, as many as possible. Delete one first.`)
  const secret = createSecret()
  const { coachId } = ctx
  const now = ctx.now()
  const row = { coachId, ...checked, secret: encryptSecret(ctx, secret), createdAt: now, updatedAt: now }
  const endpoint = ctx.em.create(WebhookEndpoint, row)
  await ctx.em.flush()
  return { id: endpoint.id, secret }
}

/** Throws not_found and validation_failed. */
export async function updateEndpoint(ctx: WriteCtx, id: number, input: EndpointInput): Promise<void> {
  const endpoint = await lockEndpoint(ctx, id)
  ctx.em.assign(endpoint, { ...checkInput(ctx, input), updatedAt: ctx.now() })
}

/** The former secret ends at once. Returns the new one, which is shown once. Throws not_found. */
export async function renewSecret(ctx: WriteCtx, id: number): Promise<string> {
  const endpoint = await lockEndpoint(ctx, id)
  const secret = createSecret()
  ctx.em.assign(endpoint, { secret: encryptSecret(ctx, secret), updatedAt: ctx.now() })
  return secret
}

/** Events that happen while it is off are not sent later. Throws not_found. */
export async function setEndpointState(ctx: WriteCtx, id: number, isOn: boolean): Promise<void> {
  const endpoint = await lockEndpoint(ctx, id)
  const disabledAt = isOn ? null : (endpoint.disabledAt ?? ctx.now())
  ctx.em.assign(endpoint, { disabledAt, failingSince: null, updatedAt: ctx.now() })
  if (!isOn) await endDeliveries(ctx, id, 'The webhook was switched off.')
}

/** Deletes its log, too. Throws not_found. */
export async function deleteEndpoint(ctx: WriteCtx, id: number): Promise<void> {
  await lockEndpoint(ctx, id)
  await ctx.em.nativeDelete(WebhookEndpoint, { coachId: ctx.coachId, id })
}

export function lockEndpoint(ctx: WriteCtx, id: number): Promise<WebhookEndpointRow> {
  authorize(ctx, 'webhooks:endpoint:write')
  return lockRow(ctx, { notFound: endpointNotFound }, WebhookEndpoint, { coachId: ctx.coachId, id })
}

/** Deliveries that wait for another attempt are not sent any more. */
export async function endDeliveries(ctx: WriteCtx, endpointId: number, problem: string): Promise<void> {
  await ctx.query({
    name: 'webhooks.end-deliveries',
    text: `update webhook_delivery set state = 'failed', next_attempt_at = null, problem = coalesce(problem, $3)
      where coach_id = $1 and endpoint_id = $2 and state = 'pending'`,
    values: [ctx.coachId, endpointId, problem],
  })
}

const location = ({ coachId }: Pick<Ctx, 'coachId'>) => ({ coachId, provider: 'webhooks', column: 'secret' })

const encryptSecret = (ctx: Ctx, secret: string): string =>
  encryptToken(ctx.platform.config.secretKeys, location(ctx), secret)

/** Null if no key of this installation can read it. */
export const decryptSecret = (ctx: Ctx, encrypted: string): string | null =>
  decryptToken(ctx.platform.config.secretKeys, location(ctx), encrypted)

function checkInput(ctx: Ctx, { url, events }: EndpointInput): EndpointInput {
  const known = ctx.extensions.publishedEvents.map(({ event }) => event.name)
  const chosen = [...new Set(events)].filter((name) => known.includes(name))
  if (!chosen.length) throw new AppError('validation_failed', 'Choose at least one event', { field: 'events' })
  return { url: checkUrl(ctx, url), events: chosen }
}

/** The addresses of the name are checked with each call: they may change. */
function checkUrl({ platform }: Ctx, text: string): string {
  const invalid = (message: string) => new AppError('validation_failed', message, { field: 'url' })
  const url = URL.canParse(text) ? new URL(text) : null
  const isLocal = hasLocalOrigin(platform.config)
  if (!url || !/^https?:$/.test(url.protocol)) throw invalid('Enter an address that begins with https://')
  if (url.protocol !== 'https:' && !isLocal) throw invalid('The address must begin with https://')
  if (url.username || url.password) throw invalid('Enter the address without a user name and password')
  url.hash = ''
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const isPublicName = isIP(host)
    ? isPublicAddress(host)
    : host.includes('.') && !/\.(localhost|local|internal)\.?$/.test(host)
  if (!isLocal && !isPublicName) throw invalid('Enter an address that can be reached from the internet')
  return url.href
}
