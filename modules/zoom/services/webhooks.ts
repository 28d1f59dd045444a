import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { lookForRecordings, runHook } from '#modules/core/hooks.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { withTenant, type Platform } from '#tenants/platform.ts'
import { parseJson } from '../vendor/errors.ts'
import { checkConnection } from './check.ts'
import { requestEvent } from './queue.ts'

/** Seconds that a request may be old, or that Zoom's clock may be ahead. */
const toleranceSeconds = 300

const deauthorized = 'app_deauthorized'
const recordingEvents = [
  'recording.completed',
  'recording.transcript_completed',
  'recording.trashed',
  'recording.deleted',
]

const Event = z.object({
  event: z.string().min(1).max(255),
  payload: z.object({
    plainToken: z.string().min(1).max(255).optional(),
    user_id: z.string().optional(),
    object: z.object({ host_id: z.string().optional() }).optional(),
  }),
})

export type WebhookRequest = { body: Buffer; timestamp: string | null; signature: string | null }
/** `answer`: what Zoom asks for when the address is set up. */
export type WebhookResult = 'refused' | 'accepted' | { answer: { plainToken: string; encryptedToken: string } }

const sign = (secret: string, text: string | Buffer): string => createHmac('sha256', secret).update(text).digest('hex')

/** Stores an event once, with the job that applies it. Events of others than our coaches are ignored. */
export async function receiveWebhook(platform: Platform, request: WebhookRequest): Promise<WebhookResult> {
  const secret = platform.config.zoom?.webhookSecret
  if (!secret || !isSigned(platform, request, secret)) return 'refused'
  const parsed = Event.safeParse(parseJson(request.body.toString('utf8')))
  if (!parsed.success) return 'refused'
  const { event: type, payload } = parsed.data
  if (type === 'endpoint.url_validation') {
    const { plainToken } = payload
    return plainToken ? { answer: { plainToken, encryptedToken: sign(secret, plainToken) } } : 'refused'
  }
  const userId = type === deauthorized ? payload.user_id : payload.object?.host_id
  if (!userId || (type !== deauthorized && !recordingEvents.includes(type))) return 'accepted'
  const bodyHash = createHash('sha256').update(request.body).digest()
  for (const coachId of await findCoaches(platform, userId))
    await withTenant(platform, coachId, async (tx) => {
      const [stored] = await tx.query<{ id: number }>({
        name: 'zoom.store-event',
        text: `insert into zoom_event (coach_id, body_hash, type, created_at) values ($1, $2, $3, $4)
          on conflict (coach_id, body_hash) do nothing returning id`,
        values: [coachId, bodyHash, type, platform.now()],
      })
      if (stored) await requestEvent({ ...tx, coachId }, stored.id)
    })
  return 'accepted'
}

function isSigned({ now }: Platform, { body, timestamp, signature }: WebhookRequest, secret: string): boolean {
  if (!timestamp || !/^\d{1,12}$/.test(timestamp) || !signature) return false
  if (Math.abs(now().getTime() / 1000 - Number(timestamp)) > toleranceSeconds) return false
  const expected = Buffer.from(`v0=${sign(secret, Buffer.concat([Buffer.from(`v0:${timestamp}:`), body]))}`)
  const received = Buffer.from(signature)
  return received.length === expected.length && timingSafeEqual(received, expected)
}

async function findCoaches({ readPool }: Platform, userId: string): Promise<number[]> {
  const rows = await readPool.queryGlobal<{ coachId: number }>({
    name: 'zoom.find-coaches',
    text: 'select find_zoom_coaches($1) as "coachId"',
    values: [userId],
  })
  return rows.map(({ coachId }) => coachId)
}

/** Applies an event once: the present state at Zoom counts, not what the event says. */
export async function applyEvent(ctx: Ctx, id: number): Promise<void> {
  const [event] = await ctx.query<{ type: string }>({
    name: 'zoom.event',
    text: 'select type from zoom_event where coach_id = $1 and id = $2 and applied_at is null',
    values: [ctx.coachId, id],
  })
  if (!event) return
  if (event.type === deauthorized) await checkConnection(ctx)
  await ctx.write(async (tx) => {
    if ((await markApplied(tx, id)) && event.type !== deauthorized) await runHook(tx, lookForRecordings, {})
  })
}

async function markApplied(ctx: WriteCtx, id: number): Promise<boolean> {
  const [applied] = await ctx.query({
    name: 'zoom.event-applied',
    text: `update zoom_event set applied_at = $3 where coach_id = $1 and id = $2 and applied_at is null returning id`,
    values: [ctx.coachId, id, ctx.now()],
  })
  return applied !== undefined
}
