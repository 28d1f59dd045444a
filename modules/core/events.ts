import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { WriteCtx } from '#tenants/context.ts'
import type { Subscriber } from '#tenants/extensions.ts'

export type EventType<S extends z.ZodType = z.ZodType> = { name: string; payload: S }

/** A fact that other modules may react to, in the past tense: `crm.client-added`. The payload holds ids, not copies. */
export function defineEvent<S extends z.ZodType>(name: `${string}.${string}`, payload: S): EventType<S> {
  return { name, payload }
}

/**
 * A reaction of `module` to an event. It runs after the commit, in a transaction of its own, and again when it fails: it
 * must be idempotent. `coachId` of the change is the ctx's.
 */
export function on<S extends z.ZodType>(
  module: string,
  event: EventType<S>,
  handle: (ctx: WriteCtx, payload: z.output<S>) => Promise<void>,
): Subscriber {
  return {
    name: `${module}.on.${event.name}`,
    event: event.name,
    when: 'after',
    handle: (ctx, payload) => handle(ctx, event.payload.parse(payload)),
  }
}

/**
 * A part of another module's change: it runs in the transaction that `include`s the event, and what it throws refuses the
 * change. For what must be true together; everything else reacts with `on`.
 */
export function during<S extends z.ZodType>(
  module: string,
  event: EventType<S>,
  handle: (ctx: WriteCtx, payload: z.output<S>) => Promise<void>,
): Subscriber {
  return { ...on(module, event, handle), when: 'within' }
}

/**
 * Records the event in the caller's transaction: one row for each subscriber's queue, so it is delivered to each of them
 * if, and only if, the change is committed, and retried for each on its own.
 */
export async function record<S extends z.ZodType>(
  ctx: Pick<WriteCtx, 'coachId' | 'enqueue' | 'platform'>,
  event: EventType<S>,
  payload: z.input<S>,
): Promise<void> {
  const data = { eventId: randomUUID(), coachId: ctx.coachId, payload: event.payload.parse(payload) }
  for (const subscriber of ctx.platform.extensions.subscribers)
    if (subscriber.event === event.name && subscriber.when === 'after') await ctx.enqueue(subscriber.name, data)
}

/** Has the other modules do their part of the change, here and now. Answers whether there was anyone to do it. */
export async function include<S extends z.ZodType>(
  ctx: WriteCtx,
  event: EventType<S>,
  payload: z.input<S>,
): Promise<boolean> {
  const parts = ctx.platform.extensions.subscribers.filter(
    (subscriber) => subscriber.event === event.name && subscriber.when === 'within',
  )
  for (const part of parts) await part.handle(ctx, payload)
  return parts.length > 0
}
