import type { Config } from '../config.ts'
import { deriveSigningKeys } from '../auth/signing-keys.ts'
import { claimStore } from './claim-store.ts'
import { createLocalStore } from './local-store.ts'
import type { FileStore } from './store.ts'

export function createFileStore(config: Config): FileStore {
  return config.s3 ? createLazyS3Store(config.s3, config.secretKeys) : createLocalStore(config.dataDir)
}

/** Loads the S3 client with the first file: it is large. */
function createLazyS3Store(settings: NonNullable<Config['s3']>, secretKeys: string[]): FileStore {
  let opening: Promise<FileStore> | undefined
  const open = () =>
    (opening ??= load().catch((error: unknown) => {
      opening = undefined
      throw error
    }))
  async function load(): Promise<FileStore> {
    const { createS3Store } = await import('./s3-store.ts')
    const store = createS3Store(settings)
    try {
      await claimStore(store, deriveSigningKeys(secretKeys))
      return store
    } catch (error) {
      store.close()
      throw error
    }
  }
  return {
    write: async (...call) => (await open()).write(...call),
    read: async (...call) => (await open()).read(...call),
    delete: async (...call) => (await open()).delete(...call),
    async *list(...call) {
      yield* (await open()).list(...call)
    },
    startParts: async (...call) => (await open()).startParts(...call),
    writePart: async (...call) => (await open()).writePart(...call),
    joinParts: async (...call) => (await open()).joinParts(...call),
    dropParts: async (...call) => (await open()).dropParts(...call),
    close: () => void opening?.then((store) => store.close()).catch(() => {}),
  }
}
