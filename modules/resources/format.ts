/** '212 bytes', '34 KB', '2.4 MB': for clients. */
export function formatFileSize(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`
  const kilobytes = Math.round(bytes / 1024)
  return kilobytes < 1024 ? `${kilobytes} KB` : formatSize(bytes)
}

/** In MB with one decimal. Source: part-2 §9. */
export const formatSize = (bytes: number | null): string =>
  bytes === null ? '–' : `${(bytes / 1024 ** 2).toFixed(1)} MB`
