import { formatDateTime } from '#app/lib/time.ts'
import type { Ctx } from '#tenants/context.ts'
import { findExport } from '#tenants/exports/exports.ts'
import { formatBytes } from '#tenants/storage.ts'
import type { ExportDetails } from './export-parts.tsx'

/** The coach's latest export, as pages show it; null if there is none. */
export async function loadExport(ctx: Ctx): Promise<ExportDetails | null> {
  const latest = await findExport(ctx)
  return (
    latest && {
      state: latest.state,
      progress: latest.progress,
      size: latest.size === null ? '' : formatBytes(latest.size),
      made: formatDateTime(latest.createdAt, ctx.account),
      expires: latest.expiresAt === null ? '' : formatDateTime(latest.expiresAt, ctx.account),
    }
  )
}
