import type { AppError } from './errors.ts'

/** Larger requests are rejected without reading them. */
const maxDrainedBytes = 256 * 1024 * 1024
/** The space for the other fields of the form. */
const formOverheadBytes = 64 * 1024

type UploadLimits = {
  maxBytes: number
  /** The error if there is no file. */
  missing: () => AppError
  tooLarge: () => AppError
}

/**
 * Reads the file in the field `name` of a form, with at most `maxBytes` in memory. Drains a request that is too large,
 * because browsers don't show a response while they are still sending. Throws `missing`, `tooLarge`.
 */
export async function readUploadedFile(
  request: Request,
  name: string,
  { maxBytes, missing, tooLarge }: UploadLimits,
): Promise<{ name: string; content: Uint8Array }> {
  if (!request.headers.get('content-type')?.startsWith('multipart/form-data')) throw missing()
  const body = await readBody(request, maxBytes + formOverheadBytes, tooLarge)
  const form = await new Response(body, { headers: { 'content-type': request.headers.get('content-type') ?? '' } })
    .formData()
    .catch(() => null)
  const file = form?.get(name)
  if (!(file instanceof File) || (file.name === '' && file.size === 0)) throw missing()
  if (file.size > maxBytes) throw tooLarge()
  return { name: file.name, content: new Uint8Array(await file.arrayBuffer()) }
}

async function readBody(request: Request, limit: number, tooLarge: () => AppError): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get('content-length')) > maxDrainedBytes) throw tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = request.body?.getReader()
  for (let read = await reader?.read(); read?.value && size <= maxDrainedBytes; read = await reader?.read()) {
    size += read.value.byteLength
    if (size <= limit) chunks.push(read.value)
    else chunks.length = 0
  }
  if (size > limit) throw tooLarge()
  return concatBytes(chunks, size)
}

function concatBytes(chunks: Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}
