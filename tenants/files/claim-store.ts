import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { AppError } from '#app/lib/errors.ts'
import type { SigningKeys } from '../auth/signing-keys.ts'
import type { FileKey, FileStore } from './store.ts'

/** No coach has the id 0. */
const ownerKey: FileKey = `0/${'0'.repeat(32)}`
const [purpose, value] = ['file-store', 'owner']

/**
 * Signs a store that nobody has signed. Throws unavailable for one that another installation has signed: each would
 * delete the files of the other one, because it has no rows for them.
 */
export async function claimStore(store: FileStore, keys: SigningKeys): Promise<void> {
  const signature = keys.sign(purpose, value)
  const found = await store.read(ownerKey).then(text, (error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  })
  if (found === signature) return
  if (found !== null && keys.verify(purpose, found) !== value)
    throw new AppError('unavailable', 'The storage of files belongs to another installation.')
  // Nobody has signed it, or with a former key.
  await store.write(ownerKey, Readable.from([Buffer.from(signature)]))
}
