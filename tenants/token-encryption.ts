import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** The location of a stored token: it can't be read in another column, for another provider or coach. */
export type TokenLocation = { coachId: number; provider: string; column: string }

const version = 'v1'
const tagBytes = 16

/** Encrypts a token of a vendor with the first of the keys: `v1.<key id>.<iv>.<data>`. */
export function encryptToken(secretKeys: string[], location: TokenLocation, token: string): string {
  const { id, key } = deriveKey(secretKeys[0]!)
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(toAad(location))
  const data = Buffer.concat([cipher.update(token, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return [version, id, iv.toString('base64url'), data.toString('base64url')].join('.')
}

/** The token, whichever of the keys encrypted it. Null if none of them did, or for another column. */
export function decryptToken(secretKeys: string[], location: TokenLocation, encrypted: string): string | null {
  const [usedVersion, keyId, iv = '', encoded = ''] = encrypted.split('.')
  const key = secretKeys.map(deriveKey).find(({ id }) => id === keyId)?.key
  const data = Buffer.from(encoded, 'base64url')
  if (usedVersion !== version || !key || data.length < tagBytes) return null
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), { authTagLength: tagBytes })
    decipher.setAAD(toAad(location)).setAuthTag(data.subarray(-tagBytes))
    return Buffer.concat([decipher.update(data.subarray(0, -tagBytes)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

const toAad = ({ coachId, provider, column }: TokenLocation): Buffer => Buffer.from(`${coachId}:${provider}:${column}`)

function deriveKey(secretKey: string): { id: string; key: Buffer } {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'tokens', 32))
  // Says which of the keys it is, not what it is.
  return { id: createHash('sha256').update(key).digest('base64url').slice(0, 8), key }
}
