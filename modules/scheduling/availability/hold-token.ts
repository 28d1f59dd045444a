import { createHash, randomBytes } from 'node:crypto'

/** The secret with which a visitor's browser refers to its hold. */
export const createHoldToken = (): string => randomBytes(24).toString('base64url')

/** Only the hash is stored. */
export const hashHoldToken = (token: string): Buffer => createHash('sha256').update(token).digest()
