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
  const contributions = ctx.extensions.contributions
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

/** The params of the slot `session.preparation`. */
export const readPreparation = ({ client, since, last }: Record<string, string | undefined>) => ({
  clientId: Number(client),
  since: since ? new Date(since) : null,
  lastSessionId: Number(last) || null,
  /** For titles. */
  period: since ? 'since the last session' : 'so far',
})

/** The remaining sessions of each client with a package, such as '3 of 12 sessions left'. */
export async function listSessionsLeft(ctx: Ctx, clientIds: number[]): Promise<Record<number, string>> {
  if (!clientIds.length) return {}
  const parts = await fillSlot(ctx, 'client.sessions-left', { ids: clientIds.join(',') })
  return Object.assign({}, ...parts.map(({ data }) => data))
}

export async function getSessionsLeft(ctx: Ctx, clientId: number | null): Promise<string | null> {
  return clientId === null ? null : ((await listSessionsLeft(ctx, [clientId]))[clientId] ?? null)
}
