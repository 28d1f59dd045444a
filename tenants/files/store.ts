import type { Readable } from 'node:stream'

/**
 * Keeps the bytes of files: on the local disk, or in a bucket. Services use `files.ts`, which also counts them and
 * knows whose they are. Every call but `list` throws AppError: `not_found` for missing bytes, `unavailable` when there
 * is no room or the store doesn't answer.
 */
export type FileStore = {
  /** Keeps `content` under a new key. Keeps nothing if it throws, or if `content` fails. */
  write(key: FileKey, content: Readable): Promise<void>
  /** The bytes from `start` to `end`, both included. */
  read(key: FileKey, range?: ByteRange): Promise<Readable>
  /** Also what an interrupted write left. A key without bytes is no error. */
  delete(key: FileKey): Promise<void>
  /** All files below a prefix such as `12/`, also interrupted writes. */
  list(prefix?: string): AsyncIterable<StoredBytes>
  /** A file that comes in parts: all of `partBytes`, but the last one. Returns the store's name for it. */
  startParts(key: FileKey): Promise<string>
  /** Keeps the part `index` (from 0), also again. */
  writePart(upload: PartialFile, index: number, content: Readable): Promise<void>
  /** Makes the parts one file of `size` bytes. There are at most 1,000. */
  joinParts(upload: PartialFile, size: number): Promise<void>
  /** Deletes the parts. */
  dropParts(upload: PartialFile): Promise<void>
  close(): void
}
/** `<coach>/<32 hexadecimal digits>` */
export type FileKey = `${number}/${string}`
export type ByteRange = { start: number; end: number }
export type PartialFile = { key: FileKey; storeId: string }
export type StoredBytes = { key: FileKey; size: number; modifiedAt: Date }

/** The smallest part that S3 takes. Over a slow line it arrives within a minute. */
export const partBytes = 5 * 1024 ** 2
