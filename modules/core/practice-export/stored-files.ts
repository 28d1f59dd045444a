import { toSafeFileName } from '#tenants/files/file-name.ts'
import type { FileKey } from '#tenants/files/store.ts'
import type { Reader } from './records.ts'

export type StoredFileEntry = {
  id: number
  key: FileKey
  size: number
  contentType: string
  /** The record that it belongs to. */
  kind: string
  recordId: number
  name: string
  /** In the archive. */
  path: string
}

const extensions: Record<string, string> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' }
const batchSize = 500

/** All files in the store, by id, with the names that their modules know. */
export async function listStoredFiles(reader: Reader): Promise<StoredFileEntry[]> {
  const files: StoredFileEntry[] = []
  for (let after = 0; ; ) {
    const rows = await reader.query<Omit<StoredFileEntry, 'name' | 'path'>>({
      name: 'export.stored-files',
      text: `select id, key, size, content_type as "contentType", kind, record_id as "recordId"
        from stored_file where coach_id = $1 and id > $2 order by id limit ${batchSize}`,
      values: [reader.coachId, after],
    })
    const names = await findNames(
      reader,
      rows.map(({ id }) => id),
    )
    for (const row of rows) {
      const extension = extensions[row.contentType]
      const name = toSafeFileName(names.get(row.id) ?? `${row.kind}${extension ? `.${extension}` : ''}`)
      files.push({ ...row, name, path: `files/${row.id} ${name}` })
    }
    if (rows.length < batchSize) return files
    after = rows.at(-1)!.id
  }
}

async function findNames({ query, platform, coachId }: Reader, ids: number[]): Promise<Map<number, string>> {
  const names = new Map<number, string>()
  for (const [index, { fileNames }] of platform.extensions.practiceExports.entries()) {
    if (!fileNames || !ids.length) continue
    const rows = await query<{ id: number; name: string }>({
      name: `export.file-names.${index}`,
      text: fileNames,
      values: [coachId, ids],
    })
    for (const { id, name } of rows) names.set(id, name)
  }
  return names
}
