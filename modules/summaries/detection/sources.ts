import type { RecordingSource } from '#modules/core/manifest.ts'
import type { Ctx } from '#tenants/context.ts'

/** The services to which the coach is connected. */
export async function listConnectedSources(ctx: Ctx): Promise<RecordingSource[]> {
  const sources = ctx.extensions.recordingSources
  const connected = await Promise.all(sources.map(({ isConnected }) => isConnected(ctx)))
  return sources.filter((_, index) => connected[index])
}
