import type { WriteCtx } from '#tenants/context.ts'

/**
 * Applies changed buffers to the appointments that have not ended: the trigger of `appointment` keeps their busy times.
 */
export async function refreshBusyTimes(ctx: WriteCtx, { typeId }: { typeId?: number } = {}): Promise<void> {
  const [suffix, filter, values] =
    typeId === undefined ? ['', '', []] : ['-type', 'and appointment_type_id = $3', [typeId]]
  await ctx.query({
    name: `scheduling.refresh-busy-times${suffix}`,
    text: `update appointment set status = status
      where coach_id = $1 and end_time > $2 and deleted_at is null ${filter}`,
    values: [ctx.coachId, ctx.now(), ...values],
  })
}
