import type { WriteCtx } from '#tenants/context.ts'

/** `P` is the payload. */
export type Hook<P> = { name: string; keepsData: boolean; payload?: P }

export type HookImplementation = {
  module: string
  hook: string
  /** Runs also for coaches without the module: its rows, which are kept, would be wrong otherwise. */
  keepsData?: boolean
  run: (ctx: WriteCtx, payload: never) => Promise<void>
}

/**
 * A point in one module's change at which other modules take part, named as a command: `crm.sell-product`. `keepsData`:
 * also those that are switched off for the coach.
 */
export function defineHook<P>(name: `${string}.${string}`, { keepsData = false } = {}): Hook<P> {
  return { name, keepsData }
}

/** Run while the coach chooses a currency: a module refuses one in which its prices can't be paid. */
export const assertCurrency = defineHook<{ currency: string }>('core.assert-currency', { keepsData: true })

/**
 * Run before a visitor pays for what another module sells: reserves it until `until`, and a little longer, because the
 * webhook of the payment may come late. Throws conflict if it is no longer available.
 */
export const keepSold = defineHook<{ saleId: number; until: Date }>('core.keep-sold')

/** Run in the transaction in which such a sale is paid, after the money is booked: the client gets what was sold. */
export const deliverSold = defineHook<{ saleId: number; clientId: number | null }>('core.deliver-sold', {
  keepsData: true,
})

/** Run when the refund of such a sale fails, so that the money stays with the coach. */
export const soldRefundFailed = defineHook<{ saleId: number }>('core.sold-refund-failed', { keepsData: true })

/** Run when a service may have a new recording: sessions whose recordings are sought are looked for at once. */
export const lookForRecordings = defineHook<Record<never, never>>('core.look-for-recordings')

/**
 * The part of `module` in another module's change. It runs inside that transaction; throwing rejects the whole change.
 */
export function implementHook<P>(
  module: string,
  hook: Hook<P>,
  run: (ctx: WriteCtx, payload: P) => Promise<void>,
): HookImplementation {
  return { module, hook: hook.name, keepsData: hook.keepsData, run }
}

/** Runs every implementation of the coach's modules, in their order. Returns whether there was one. */
export async function runHook<P>(ctx: WriteCtx, hook: Hook<P>, payload: P): Promise<boolean> {
  const implementations = ctx.extensions.hooks.filter((own) => own.hook === hook.name)
  for (const { run } of implementations) await run(ctx, payload as never)
  return implementations.length > 0
}
