/** The id in an address; 0, which nothing has, for what is no id. */
export function idOf(param: string | undefined): number {
  return param !== undefined && /^[1-9]\d{0,15}$/.test(param) && Number.isSafeInteger(Number(param)) ? Number(param) : 0
}
