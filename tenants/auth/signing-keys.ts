import {
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto'

/** Keys derived from SECRET_KEY. The first key signs; signatures of the others still count, so keys can be rotated. */
export type Secrets = {
  sign(purpose: string, value: string): string
  /** The value that was signed for `purpose`, or null when the signature is not ours. */
  open(purpose: string, signed: string): string | null
}

export function secretsFrom(keys: string[]): Secrets {
  // Once per process: every page of a list carries a signature.
  const derived = keys.map((key) => createSecretKey(Buffer.from(hkdfSync('sha256', key, '', 'signatures', 32))))
  const mac = (key: KeyObject, purpose: string, value: string) =>
    createHmac('sha256', key).update(`${purpose}\0${value}`).digest()
  return {
    sign: (purpose, value) =>
      `${Buffer.from(value).toString('base64url')}.${mac(derived[0]!, purpose, value).toString('base64url')}`,
    open(purpose, signed) {
      const [encoded = '', signature = ''] = signed.split('.')
      const value = Buffer.from(encoded, 'base64url').toString()
      const given = Buffer.from(signature, 'base64url')
      const ours = derived.some((key) => {
        const wanted = mac(key, purpose, value)
        return given.length === wanted.length && timingSafeEqual(given, wanted)
      })
      return ours ? value : null
    },
  }
}

/** A secret for a cookie or a link (256 bits), and the hash of it that is stored. */
export function newToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashToken(token) }
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
