/** Headers that make browsers save a CSV file instead of showing it. */
export function csvDownloadHeaders(name: string): Record<string, string> {
  const asciiName = name.normalize('NFKD').replace(/[^\x20-\x7e]|["\\]/g, '')
  const encodedName = encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${asciiName}"; filename*=UTF-8''${encodedName}`,
    'X-Content-Type-Options': 'nosniff',
  }
}
