import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const ivBytes = 12
const tagBytes = 16

/** Encrypts `text` with the first of the keys. It can only be decrypted for the same `purpose`. */
export function encrypt(secretKeys: string[], purpose: string, text: string): string {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(secretKeys[0]!), iv).setAAD(Buffer.from(purpose))
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), content]).toString('base64url')
}

/** The text, and whether the first key encrypted it. Null if none of the keys did, or for another purpose. */
export function decrypt(
  secretKeys: string[],
  purpose: string,
  encrypted: string,
): { text: string; isCurrentKey: boolean } | null {
  const bytes = Buffer.from(encrypted, 'base64url')
  const iv = bytes.subarray(0, ivBytes)
  const tag = bytes.subarray(ivBytes, ivBytes + tagBytes)
  for (const [index, secretKey] of secretKeys.entries()) {
    const decipher = createDecipheriv('aes-256-gcm', deriveKey(secretKey), iv, { authTagLength: tagBytes })
    decipher.setAAD(Buffer.from(purpose)).setAuthTag(tag)
    try {
      const content = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()])
      return { text: content.toString('utf8'), isCurrentKey: index === 0 }
    } catch {
      // Another key encrypted it.
    }
  }
  return null
}

const deriveKey = (secretKey: string): Buffer => Buffer.from(hkdfSync('sha256', secretKey, '', 'encryption', 32))
