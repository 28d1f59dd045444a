import type { AppError } from './errors.ts'

/** More than this isn't even read to be thrown away. */
const patience = 256 * 1024 * 1024
/** What a form may hold beside its file. */
const rest = 64 * 1024

type Limits = {
  maxBytes: number /** Thrown where there is no file. */
  missing: () => AppError
  tooLarge: () => AppError
}

/**
 * The file in the field `name` of a form, at most `maxBytes` of it in memory. What is larger is read to its end and thrown
 * away, since browsers show no answer to what they're still sending. Throws `missing`, `tooLarge`.
 */
export async function uploadedFile(
  request: Request,
  name: string,
  { maxBytes, missing, tooLarge }: Limits,
): Promise<{ name: string; content: Uint8Array }> {
  if (!request.headers.get('content-type')?.startsWith('multipart/form-data')) throw missing()
  const body = await bodyUpTo(request, maxBytes + rest, tooLarge)
  const form = await new Response(body, { headers: { 'content-type': request.headers.get('content-type') ?? '' } })
    .formData()
    .catch(() => null)
  const file = form?.get(name)
  if (!(file instanceof File) || (file.name === '' && file.size === 0)) throw missing()
  if (file.size > maxBytes) throw tooLarge()
  return { name: file.name, content: new Uint8Array(await file.arrayBuffer()) }
}

async function bodyUpTo(request: Request, limit: number, tooLarge: () => AppError): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get('content-length')) > patience) throw tooLarge()
  const pieces: Uint8Array[] = []
  let size = 0
  const reader = request.body?.getReader()
  for (let read = await reader?.read(); read?.value && size <= patience; read = await reader?.read()) {
    size += read.value.byteLength
    if (size <= limit) pieces.push(read.value)
    else pieces.length = 0
  }
  if (size > limit) throw tooLarge()
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
