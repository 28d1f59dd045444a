/** 'Étude: 2 × 30' to 'etude-2-30'. Empty if nothing is left. */
export function toSlug(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, '')
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join('-')
    .slice(0, 60)
    .replace(/-$/, '')
}
