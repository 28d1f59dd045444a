import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** Keys derived from SECRET_KEY. The first key signs; signatures of the others still count, so keys can be rotated. */
export type Secrets = {
  sign(purpose: string, value: string): string
  /** The value that was signed for `purpose`, or null when the signature is not ours. */
  open(purpose: string, signed: string): string | null
}

export function secretsFrom(keys: string[]): Secrets {
  const derived = (key: string, purpose: string) => Buffer.from(hkdfSync('sha256', key, '', purpose, 32))
  const mac = (key: string, purpose: string, value: string) => createHmac('sha256', derived(key, purpose)).update(value).digest()
  return {
    sign: (purpose, value) => `${Buffer.from(value).toString('base64url')}.${mac(keys[0]!, purpose, value).toString('base64url')}`,
    open(purpose, signed) {
      const [encoded = '', signature = ''] = signed.split('.')
      const value = Buffer.from(encoded, 'base64url').toString()
      const given = Buffer.from(signature, 'base64url')
      const ours = keys.some((key) => {
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
