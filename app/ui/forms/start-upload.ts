import type { UploadRefused, Watch } from './send-file.ts'

const uploadRefused: UploadRefused['name'] = 'UploadRefused'

// The code that sends files is loaded with the first file.
const load = () => import('./send-file.ts')

/** Sends a file in parts, and returns the id of the complete upload. */
export const sendFile = async (file: File, watch: Watch): Promise<number> => (await load()).sendFile(file, watch)

/** Gives up the upload of a file that was begun. */
export const cancelFile = async (file: File): Promise<void> => (await load()).cancelFile(file)

/** The server's reason for refusing a file, or else `fallback`. */
export const describeUploadError = (error: unknown, fallback: string): string =>
  error instanceof Error && error.name === uploadRefused ? error.message : fallback
