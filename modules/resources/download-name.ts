import { toSafeFileName } from '#tenants/files/file-name.ts'

/** The name of a downloaded file: the resource's, with the extension that the file was uploaded with. */
export function toDownloadName(name: string, fileName: string): string {
  const safe = toSafeFileName(name)
  const extension = /\.[A-Za-z0-9]{1,8}$/.exec(fileName)?.[0] ?? ''
  return safe.toLowerCase().endsWith(extension.toLowerCase()) ? safe : safe + extension
}
