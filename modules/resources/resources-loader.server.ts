import { formatDate } from '#app/lib/time.ts'
import { listClientNames, listClientOptions } from '#modules/crm/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { listStartedUploads } from '#tenants/files/uploads.ts'
import { formatSize } from './format.ts'
import type { ResourceListState } from './list-state.ts'
import { listFilesPage, listTags, type ListedResource } from './queries/files.ts'
import { listFolderOptions } from './queries/folders.ts'

/** Most clients that a form lists. */
const maxClients = 500

export async function loadResourcesPage(ctx: Ctx, state: ResourceListState) {
  const [{ rows, count, counts }, folders, tags, [client]] = await Promise.all([
    listFilesPage(ctx, state),
    listFolderOptions(ctx),
    listTags(ctx),
    state.client ? listClientNames(ctx, [state.client]) : [],
  ])
  return {
    rows: rows.map((row) => toRow(row, ctx.account.timezone)),
    count,
    counts,
    folders,
    tags,
    client: client && !client.inTrash ? { id: client.id, name: client.name } : null,
  }
}

export function toRow({ size, createdAt, ...row }: ListedResource, timezone: string) {
  return { ...row, size: formatSize(size), date: formatDate(createdAt, timezone) }
}

/** The choices of the dialogs, and the uploads that were interrupted. */
export async function loadUploadDialog(ctx: Ctx) {
  const [clients, started] = await Promise.all([listClientOptions(ctx, { rows: maxClients }), listStartedUploads(ctx)])
  return {
    clients: clients.map(({ id, name }) => ({ id, name })),
    started,
  }
}
