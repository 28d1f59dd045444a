import { localDate } from '#app/lib/time.ts'
import { byteOrderMark, formatCsv } from '#modules/core/csv/write.ts'
import type { Ctx } from '#tenants/context.ts'
import { resourceTypes } from './fields.ts'
import type { ResourceFilters } from './list-state.ts'
import { listFilesForExport, type ListedResource } from './queries/files.ts'

// Programs read this file: columns are added at the end only.
const headers = ['Name', 'Type', 'Client', 'Folder', 'Tags', 'Bytes', 'Address', 'Shared', 'Uploaded']
const batchSize = 500

/** A CSV file of the resources, oldest first, one piece per batch. */
export async function* exportResources(ctx: Ctx, filters: ResourceFilters): AsyncGenerator<string> {
  yield byteOrderMark + formatCsv([headers])
  for (let after = 0; ; ) {
    const rows = await listFilesForExport(ctx, filters, after, batchSize)
    if (rows.length) yield formatCsv(rows.map((row) => toCells(row, ctx.account.timezone)))
    const last = rows.at(-1)
    if (!last || rows.length < batchSize) return
    after = last.id
  }
}

const toCells = (row: ListedResource, timezone: string): string[] => [
  row.name,
  resourceTypes[row.type],
  row.clientName ?? '',
  row.folderName ?? '',
  row.tags.join(', '),
  row.size === null ? '' : String(row.size),
  row.url ?? '',
  row.isShared ? 'yes' : 'no',
  localDate(row.createdAt, timezone),
]
