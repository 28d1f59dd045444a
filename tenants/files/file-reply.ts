import type { Readable } from 'node:stream'
import { AppError } from '#app/lib/errors.ts'
import type { ByteRange } from './store.ts'

/** A file that a response sends. `tag`: another one for other bytes. */
export type FileSource = { size: number; tag: string; read: (range?: ByteRange) => Promise<Readable> }
export type FileReply = { status: 200 | 206 | 304; headers: Record<string, string>; content: Readable | null }

/**
 * Replies to a GET of a file: with all of it, the range that the request asks for, or headers alone for HEAD and for a
 * copy that is still current. Throws range_not_satisfiable. Source: RFC 9110 §13 and §14.
 */
export async function replyWithFile(request: Request, { size, tag, read }: FileSource): Promise<FileReply> {
  const etag = `"${tag}"`
  const headers = { ETag: etag, 'Accept-Ranges': 'bytes' }
  if (isCurrent(request.headers.get('if-none-match'), etag)) return { status: 304, headers, content: null }
  const range = request.method === 'GET' ? findRange(request.headers, size, etag) : null
  const length = range ? range.end - range.start + 1 : size
  const content = request.method === 'HEAD' ? null : await read(range ?? undefined)
  const sized = { ...headers, 'Content-Length': String(length) }
  if (!range) return { status: 200, headers: sized, content }
  return { status: 206, headers: { ...sized, 'Content-Range': `bytes ${range.start}-${range.end}/${size}` }, content }
}

const isCurrent = (known: string | null, etag: string): boolean =>
  known !== null &&
  known.length <= 1000 &&
  known.split(',').some((each) => ['*', etag, `W/${etag}`].includes(each.trim()))

/**
 * Null for all of the file: without a range, with several, with one that is malformed, and of a file that has changed.
 */
function findRange(headers: Headers, size: number, etag: string): ByteRange | null {
  const condition = headers.get('if-range')
  if (condition !== null && condition !== etag) return null
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(headers.get('range')?.trim() ?? '') ?? []
  if (!first && !last) return null
  if (first && last && Number(last) < Number(first)) return null
  const start = first ? Number(first) : Math.max(0, size - Number(last))
  if (start >= size)
    throw new AppError('range_not_satisfiable', `This file has ${size} bytes.`, {
      headers: { 'Content-Range': `bytes */${size}` },
    })
  return { start, end: first && last ? Math.min(Number(last), size - 1) : size - 1 }
}
