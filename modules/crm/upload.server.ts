import { AppError } from '#app/lib/errors.ts'
import { tooLargeFile } from './csv/read.ts'

/** More than this isn't even read to be thrown away. */
const patience = 256 * 1024 * 1024
/** What a form may hold beside its file. */
const rest = 64 * 1024

/**
 * The file in the field `name` of a form, at most `maxBytes` of it in memory. What is larger is read to its end and thrown
 * away, since browsers show no answer to what they're still sending. Throws too_large, validation_failed.
 */
export async function uploadedFile(request: Request, name: string, maxBytes: number): Promise<{ name: string; content: Uint8Array }> {
  if (!request.headers.get('content-type')?.startsWith('multipart/form-data')) throw noFile(name)
  const body = await bodyUpTo(request, maxBytes + rest)
  const form = await new Response(body, { headers: { 'content-type': request.headers.get('content-type') ?? '' } }).formData().catch(() => null)
  const file = form?.get(name)
  if (!(file instanceof File) || (file.name === '' && file.size === 0)) throw noFile(name)
  if (file.size > maxBytes) throw tooLargeFile()
  return { name: file.name, content: new Uint8Array(await file.arrayBuffer()) }
}

const noFile = (field: string): AppError => new AppError('validation_failed', 'Choose a CSV file.', { field })

async function bodyUpTo(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get('content-length')) > patience) throw tooLargeFile()
  const pieces: Uint8Array[] = []
  let size = 0
  const reader = request.body?.getReader()
  for (let read = await reader?.read(); read?.value && size <= patience; read = await reader?.read()) {
    size += read.value.byteLength
    if (size <= limit) pieces.push(read.value)
    else pieces.length = 0
  }
  if (size > limit) throw tooLargeFile()
  return joined(pieces, size)
}

function joined(pieces: Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.byteLength
  }
  return whole
}
