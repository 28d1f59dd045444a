/** The headers of a CSV file that is saved, not shown. */
export function attachment(name: string): Record<string, string> {
  const plain = name.normalize('NFKD').replace(/[^\x20-\x7e]|["\\]/g, '')
  const extended = encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${plain}"; filename*=UTF-8''${extended}`,
    'X-Content-Type-Options': 'nosniff',
  }
}
