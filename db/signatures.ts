import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import type pg from 'pg'

/**
 * Signs what this process tells the database about itself. SQL that somebody else runs as the serving role can't sign,
 * so it can't name another actor. See decision 0055.
 */
export type DatabaseSigner = {
  /** Names the account that acts in a transaction of the tenant `coachId`; null: a job or a visitor. */
  signActor(coachId: number, actorId: number | null): string
  /** Asks for the credentials of the account of `email`. */
  signCredentials(email: string): string
}

/** Longer than two clocks may differ: a signature counts for the transaction that begins before it expires. */
const validSeconds = 600
/** The block of SHA-256, and the constants of HMAC. */
const [blockBytes, innerByte, outerByte] = [64, 0x36, 0x5c]

export function createDatabaseSigner(secretKey: string): DatabaseSigner {
  const key = createSecretKey(deriveKey(secretKey))
  return {
    signActor: (coachId, actorId) => sign(key, `actor:${coachId}`, String(actorId ?? '')),
    signCredentials: (email) => sign(key, `credentials:${email}`, ''),
  }
}

/** The functions of the database that verify it know the format, too. */
function sign(key: KeyObject, subject: string, value: string): string {
  // The database compares it with its own clock, not with the one of tests.
  const expires = Math.floor(Date.now() / 1000) + validSeconds
  const signature = createHmac('sha256', key).update(`${value}:${expires}:${subject}`).digest('hex')
  return `${value}:${expires}:${signature}`
}

/** Lets the functions of the database verify what is signed with one of `secretKeys`, and with no other key. */
export async function storeSignatureKeys(owner: pg.Client, secretKeys: string[]): Promise<void> {
  const { rows } = await owner.query<{ found: boolean }>(
    `select to_regclass('public.signature_key') is not null as found`,
  )
  // Only a database of the first versions has none.
  if (!rows[0]!.found) return
  const keys = secretKeys.map(deriveKey)
  const values = [keys.map((key) => pad(key, innerByte)), keys.map((key) => pad(key, outerByte))]
  await owner.query(
    `insert into signature_key (inner_pad, outer_pad) select * from unnest($1::bytea[], $2::bytea[])
      on conflict do nothing`,
    values,
  )
  await owner.query('delete from signature_key where inner_pad <> all ($1::bytea[])', [values[0]])
}

const deriveKey = (secretKey: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', 'database signatures', 32))

/** What HMAC hashes before a message: the database has SHA-256 and no HMAC. */
const pad = (key: Buffer, byte: number): Buffer =>
  Buffer.from(Array.from({ length: blockBytes }, (_, index) => (key[index] ?? 0) ^ byte))
