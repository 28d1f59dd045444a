import {
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto'

/** Keys derived from SECRET_KEY. The first one signs; the others still verify, so that keys can be rotated. */
export type SigningKeys = {
  sign(purpose: string, value: string): string
  /** The value that was signed for `purpose`; null for an invalid signature. */
  verify(purpose: string, signed: string): string | null
}

export function deriveSigningKeys(secretKeys: string[]): SigningKeys {
  // Once per process: every page of a list carries a signature.
  const keys = secretKeys.map((secret) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'signatures', 32))),
  )
  return {
    sign: (purpose, value) =>
      `${Buffer.from(value).toString('base64url')}.${getSignature(keys[0]!, purpose, value).toString('base64url')}`,
    verify(purpose, signed) {
      const [encoded = '', signature = ''] = signed.split('.')
      const value = Buffer.from(encoded, 'base64url').toString()
      const actual = Buffer.from(signature, 'base64url')
      const isValid = keys.some((key) => {
        const expected = getSignature(key, purpose, value)
        return actual.length === expected.length && timingSafeEqual(actual, expected)
      })
      return isValid ? value : null
    },
  }
}

const getSignature = (key: KeyObject, purpose: string, value: string) =>
  createHmac('sha256', key).update(`${purpose}\0${value}`).digest()

/** A random token of 256 bits for a cookie or a link, and the hash that is stored. */
export function createToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, tokenHash: hashToken(token) }
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
