import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { setClient } from '#db/read-pool.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import type { TenantTransaction } from '#tenants/platform.ts'

export type EventType<S extends z.ZodType = z.ZodType> = { name: string; payload: S }

export type Subscriber = {
  /** Its queue: `<own module>.on.<event>`. */
  name: string
  event: string
  /** Runs also for coaches for whom the module is switched off: its rows, which are kept, would be wrong otherwise. */
  keepsData?: boolean
  retryLimit?: number
  handle: (ctx: WriteCtx, payload: unknown) => Promise<void>
}

/**
 * A fact that other modules may react to, in the past tense: `crm.client-created`. The payload holds ids, not copies.
 */
export function defineEvent<S extends z.ZodType>(name: `${string}.${string}`, payload: S): EventType<S> {
  return { name, payload }
}

/**
 * A reaction of `module` to an event. It runs after the commit, in a transaction of its own, and is retried when it
 * throws, so it must be idempotent. To take part in the change itself, implement a hook. `keepsData`: also for coaches for
 * whom the module is switched off. `retryLimit`: as of a job.
 */
export function subscribe<S extends z.ZodType>(
  module: string,
  event: EventType<S>,
  handle: (ctx: WriteCtx, payload: z.output<S>) => Promise<void>,
  { keepsData = false, retryLimit }: { keepsData?: boolean; retryLimit?: number } = {},
): Subscriber {
  return {
    name: `${module}.on.${event.name}`,
    event: event.name,
    keepsData,
    ...(retryLimit === undefined ? {} : { retryLimit }),
    handle: (ctx, payload) => handle(ctx, event.payload.parse(payload)),
  }
}

/** An event that coaches may have sent to other programs, with a label that they read. */
export type PublishedEvent = { event: EventType; label: string }

/** In the transaction of a change. Without `extensions` in a job of the platform. */
type EventCtx = Pick<TenantTransaction, 'query' | 'enqueue' | 'enqueueAll'> &
  Pick<Ctx, 'coachId' | 'platform'> &
  Partial<Pick<Ctx, 'extensions' | 'client' | 'automationRun'>>

/** Takes note of events of one type in their transaction, if it is in `publishedEvents`. */
export type EventRecorder = (ctx: EventCtx, event: string, payloads: unknown[]) => Promise<void>

/** As `publish`, for many events of one type: one statement for each subscriber. */
export async function publishAll<S extends z.ZodType>(
  ctx: EventCtx,
  event: EventType<S>,
  payloads: z.input<S>[],
): Promise<void> {
  const { coachId } = ctx
  if (payloads.length) await record(ctx, event, payloads)
  for (const subscriber of ctx.platform.extensions.subscribers)
    if (subscriber.event === event.name && payloads.length)
      await ctx.enqueueAll(
        subscriber.name,
        payloads.map((payload) => ({
          data: { eventId: randomUUID(), coachId, payload: event.payload.parse(payload) },
        })),
      )
}

/**
 * Publishes the event in the caller's transaction: one job for each subscriber, delivered if and only if the change
 * commits and retried on its own.
 */
export async function publish<S extends z.ZodType>(
  ctx: EventCtx,
  event: EventType<S>,
  payload: z.input<S>,
): Promise<void> {
  const data = { eventId: randomUUID(), coachId: ctx.coachId, payload: event.payload.parse(payload) }
  for (const subscriber of ctx.platform.extensions.subscribers)
    if (subscriber.event === event.name) await ctx.enqueue(subscriber.name, data)
  await record(ctx, event, [payload])
}

async function record<S extends z.ZodType>(ctx: EventCtx, event: EventType<S>, payloads: z.input<S>[]): Promise<void> {
  const { eventRecorders, publishedEvents } = ctx.extensions ?? ctx.platform.extensions
  if (!eventRecorders.length || !publishedEvents.some((published) => published.event.name === event.name)) return
  const parsed = payloads.map((payload) => event.payload.parse(payload))
  await beyondClient(ctx, async () => {
    for (const recordEvents of eventRecorders) await recordEvents(ctx, event.name, parsed)
  })
}

/** In the transaction of a client in the portal: `work` may read and write what is not the client's. */
export async function beyondClient(
  { query, client }: Pick<EventCtx, 'query' | 'client'>,
  work: () => Promise<void>,
): Promise<void> {
  if (!client) return work()
  await query(setClient(null))
  try {
    await work()
  } finally {
    // After a failed statement this fails too, and the transaction can only roll back.
    await query(setClient(client.id)).catch(() => {})
  }
}
