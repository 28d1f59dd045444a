import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { WriteCtx } from '#tenants/context.ts'

export type EventType<S extends z.ZodType = z.ZodType> = { name: string; payload: S }

export type Subscriber = {
  /** Its queue: `<own module>.on.<event>`. */
  name: string
  event: string
  /** Runs also for coaches for whom the module is switched off: its rows, which are kept, would be wrong otherwise. */
  keepsData?: boolean
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
 * whom the module is switched off.
 */
export function subscribe<S extends z.ZodType>(
  module: string,
  event: EventType<S>,
  handle: (ctx: WriteCtx, payload: z.output<S>) => Promise<void>,
  { keepsData = false } = {},
): Subscriber {
  return {
    name: `${module}.on.${event.name}`,
    event: event.name,
    keepsData,
    handle: (ctx, payload) => handle(ctx, event.payload.parse(payload)),
  }
}

/** As `publish`, for many events of one type: one statement for each subscriber. */
export async function publishAll<S extends z.ZodType>(
  ctx: Pick<WriteCtx, 'coachId' | 'enqueueAll' | 'platform'>,
  event: EventType<S>,
  payloads: z.input<S>[],
): Promise<void> {
  const { coachId } = ctx
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
  ctx: Pick<WriteCtx, 'coachId' | 'enqueue' | 'platform'>,
  event: EventType<S>,
  payload: z.input<S>,
): Promise<void> {
  const data = { eventId: randomUUID(), coachId: ctx.coachId, payload: event.payload.parse(payload) }
  for (const subscriber of ctx.platform.extensions.subscribers)
    if (subscriber.event === event.name) await ctx.enqueue(subscriber.name, data)
}
