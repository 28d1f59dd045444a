import { formatDay } from '#app/lib/time.ts'
import type { PortalLink } from '#modules/core/manifest.ts'
import type { Ctx } from '#tenants/context.ts'
import { resourceTypes } from './fields.ts'
import { formatFileSize } from './format.ts'
import { getSharePath } from './public-link.ts'
import { listSharedFiles } from './queries/client-files.ts'

const homeRows = 5
const pageRows = 200

export const portalPage = async (): Promise<PortalLink> => ({ label: 'Files', to: '/portal/files' })

/** The latest files for the client in the portal; null without one. */
export async function loadPortalFiles(ctx: Ctx) {
  const files = await listFiles(ctx, homeRows + 1)
  return files.length ? { files: files.slice(0, homeRows), hasMore: files.length > homeRows } : null
}
export type PortalFiles = NonNullable<Awaited<ReturnType<typeof loadPortalFiles>>>

/** The page of all files for the client. */
export const loadPortalFilesPage = async (ctx: Ctx) => ({ files: await listFiles(ctx, pageRows) })

async function listFiles(ctx: Ctx, rows: number) {
  const files = await listSharedFiles(ctx, rows)
  return files.map(({ shareId, name, type, size, sharedAt, isOpened }) => ({
    shareId,
    name,
    details: [
      resourceTypes[type],
      ...(size === null ? [] : [formatFileSize(size)]),
      formatDay(sharedAt, ctx.now(), ctx.client!.timezone),
    ].join(' · '),
    isNew: !isOpened,
    to: getSharePath(ctx, shareId, ctx.client!.id),
  }))
}
export type PortalFile = Awaited<ReturnType<typeof listFiles>>[number]
