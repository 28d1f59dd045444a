/** The indexes that turbo-stream uses for special values. */
const specialIndex = {
  undefined: -7,
  null: -5,
  nan: -2,
  infinity: -6,
  negativeInfinity: -3,
  negativeZero: -4,
}

/**
 * Encodes loader data in the format of turbo-stream, which Remix reads in the browser: a flat array of unique values
 * that refer to each other by index. Handles JSON values only and is synchronous, so it takes half as long as
 * turbo-stream. Throws TypeError for other values, such as a Date or a Map.
 */
export function encodeLoaderData(data: object): string {
  const encoded: string[] = []
  const indexes = new Map<unknown, number>()

  function addValue(value: unknown): number {
    const known = indexes.get(value)
    if (known !== undefined) return known
    const special = toSpecialIndex(value)
    if (special !== undefined) return special
    const index = encoded.push('') - 1
    indexes.set(value, index)
    encoded[index] = encode(value)
    return index
  }

  function encode(value: unknown): string {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      return JSON.stringify(value)
    let text = ''
    if (Array.isArray(value)) {
      for (const item of value) text += `${text && ','}${addValue(item)}`
      return `[${text}]`
    }
    if (!isPlainObject(value)) throw new TypeError('Loader data must be JSON')
    for (const key of Object.keys(value)) text += `${text && ','}"_${addValue(key)}":${addValue(value[key])}`
    return `{${text}}`
  }

  addValue(data)
  return `[${encoded.join(',')}]\n`
}

function toSpecialIndex(value: unknown): number | undefined {
  if (value === undefined) return specialIndex.undefined
  if (value === null) return specialIndex.null
  if (typeof value !== 'number') return undefined
  if (Number.isNaN(value)) return specialIndex.nan
  if (value === Infinity) return specialIndex.infinity
  if (value === -Infinity) return specialIndex.negativeInfinity
  return Object.is(value, -0) ? specialIndex.negativeZero : undefined
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
