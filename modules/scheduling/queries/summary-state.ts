import { fillSlot } from '#modules/core/slots.ts'
import type { Ctx } from '#tenants/context.ts'

/** Whether another module makes the summary of this session by itself. */
export async function isBeingSummarized(ctx: Ctx, appointmentId: number): Promise<boolean> {
  const results = await fillSlot(ctx, 'session.summary', { id: String(appointmentId) })
  return results.some(({ data }) => data === true)
}
