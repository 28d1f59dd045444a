/** The id of a record as an address or a form carries it: a positive integer. 0, which nothing has, for what is none. */
export function parseId(sent: unknown): number {
  const id = typeof sent === 'string' && /^[1-9]\d{0,15}$/.test(sent) ? Number(sent) : 0
  return Number.isSafeInteger(id) ? id : 0
}
