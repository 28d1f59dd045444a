import type { Ctx } from '#tenants/context.ts'
import type { Contribution, SlotName } from './manifest.ts'

export type RegisteredContribution = Contribution & { module: string }

export type SlotResult = { key: string; module: string; widget: string | undefined; data: unknown }

/** Loads what modules contribute to a slot, in order, without what `ctx` may not see. */
export async function fillSlot(
  ctx: Ctx,
  slot: SlotName,
  params: Record<string, string | undefined> = {},
): Promise<SlotResult[]> {
  const contributions = ctx.platform.extensions.contributions
    .filter((own) => own.slot === slot && (!own.permission || ctx.can(own.permission)))
    .sort((a, b) => a.order - b.order)
  return Promise.all(
    contributions.map(async ({ module, widget, load }) => ({
      key: `${module}/${widget ?? slot}`,
      module,
      widget,
      data: await load(ctx, params),
    })),
  )
}
