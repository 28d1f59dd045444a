import type { Ctx } from '#tenants/context.ts'
import type { SlotName } from './manifest.ts'

export type Filled = { key: string; module: string; widget: string | undefined; data: unknown }

/** What modules put into a slot, each with its data, in order. */
export async function fill(
  ctx: Ctx,
  slot: SlotName,
  params: Record<string, string | undefined> = {},
): Promise<Filled[]> {
  const shown = ctx.platform.extensions.contributions
    .filter((one) => one.slot === slot && (!one.permission || ctx.can(one.permission)))
    .sort((a, b) => a.order - b.order)
  return Promise.all(
    shown.map(async ({ module, widget, load }) => ({
      key: `${module}/${widget ?? slot}`,
      module,
      widget,
      data: await load(ctx, params),
    })),
  )
}
