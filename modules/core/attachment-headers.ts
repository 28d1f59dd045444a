/** Headers of a file that browsers save under `name`. */
export function attachmentHeaders(name: string, contentType: string): Record<string, string> {
  const asciiName = name.normalize('NFKD').replace(/[^\x20-\x7e]|["\\]/g, '')
  const encodedName = encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return {
    'Content-Type': contentType,
    'Content-Disposition': `attachment; filename="${asciiName}"; filename*=UTF-8''${encodedName}`,
    'X-Content-Type-Options': 'nosniff',
  }
}
