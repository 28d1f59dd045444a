import type { AppError } from './errors.ts'

/** The rest of a larger request is not read. */
const maxDrainedBytes = 256 * 1024 * 1024
/** The space for the other fields of the form. */
const formOverheadBytes = 64 * 1024

/**
 * The body of a form with a file of at most `maxBytes`. A longer body is cut off, so that `requireFile` rejects its
 * file, and drained, because browsers don't show a response while they are still sending.
 */
export async function limitUpload(request: Request, maxBytes: number): Promise<Pick<Response, 'formData'>> {
  const limit = maxBytes + formOverheadBytes
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = request.body?.getReader()
  for (let read = await reader?.read(); read?.value && size <= maxDrainedBytes; read = await reader?.read()) {
    if (size < limit) chunks.push(read.value.subarray(0, limit - size))
    size += read.value.byteLength
  }
  const contentType = request.headers.get('content-type') ?? ''
  const [, boundary] = /^multipart\/form-data;.*\bboundary="?([^";]+)/.exec(contentType) ?? []
  if (size > limit && boundary) chunks.push(Buffer.from(`\r\n--${boundary}--\r\n`))
  return new Response(Buffer.concat(chunks), { headers: { 'content-type': contentType } })
}

type FileLimits = {
  maxBytes: number
  /** The error if there is no file. */
  missing: () => AppError
  tooLarge: () => AppError
}

/** A file field of a form that `limitUpload` has read. Throws `missing`, `tooLarge`. */
export function requireFile(file: unknown, { maxBytes, missing, tooLarge }: FileLimits): File {
  if (!(file instanceof File) || (file.name === '' && file.size === 0)) throw missing()
  if (file.size > maxBytes) throw tooLarge()
  return file
}
