const here = 'http://here.invalid'

/**
 * `address` as a path of this host that can stand in a Location header; null when it leads elsewhere. Browsers drop tabs and
 * line feeds and take `\` for `/`, so it is read the way they read it, and must still be a path then.
 */
export function ownPath(address: unknown): string | null {
  if (typeof address !== 'string' || !address.startsWith('/') || !URL.canParse(address, here)) return null
  const { origin, pathname, search } = new URL(address, here)
  return origin === here && !pathname.startsWith('//') ? pathname + search : null
}
