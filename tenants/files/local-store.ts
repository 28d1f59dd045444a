import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, truncate, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { Writable, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { callbackify } from 'node:util'
import { AppError } from '#app/lib/errors.ts'
import { releaseOwned } from '#app/lib/release-memory.ts'
import { getErrorCode } from '#db/error-mapping.ts'
import { partBytes, type FileKey, type FileStore } from './store.ts'

const partialSuffix = '.partial'
/** Fewer, larger chunks cost less than the default of 64 kB. */
const chunkBytes = 256 * 1024

/** Files on this machine, in `<dataDir>/files/<coach>/`. Not for several machines, unless they share the folder. */
export function createLocalStore(dataDir: string): FileStore {
  const root = path.join(dataDir, 'files')
  const toPath = (key: FileKey): string => path.join(root, key)
  const toPartialPath = (key: FileKey): string => toPath(key) + partialSuffix

  return {
    async write(key, content) {
      const partial = toPartialPath(key)
      try {
        await mkdir(path.dirname(partial), { recursive: true, mode: 0o700 })
        await writeTo(await open(partial, 'w', 0o600), 0, content)
        await rename(partial, toPath(key))
      } catch (error) {
        await rm(partial, { force: true })
        throw toStoreError(error)
      }
    },
    async read(key, range) {
      const file = await open(toPath(key)).catch((error: unknown) => {
        throw toStoreError(error)
      })
      return createReadStream('', { fd: file, highWaterMark: chunkBytes, ...range })
    },
    async delete(key) {
      for (const file of [toPath(key), toPartialPath(key)]) await rm(file, { force: true })
    },
    async *list(prefix = '') {
      const folders = prefix ? [prefix.replace(/\/.*/, '')] : await listNames(root)
      for (const folder of folders) {
        for (const name of await listNames(path.join(root, folder))) {
          const found = await stat(path.join(root, folder, name)).catch(() => null)
          const key = `${folder}/${name.replace(partialSuffix, '')}` as FileKey
          if (found?.isFile() && key.startsWith(prefix)) yield { key, size: found.size, modifiedAt: found.mtime }
        }
      }
    },
    async startParts(key) {
      try {
        await mkdir(path.dirname(toPath(key)), { recursive: true, mode: 0o700 })
        await (await open(toPartialPath(key), 'a', 0o600)).close()
      } catch (error) {
        throw toStoreError(error)
      }
      return ''
    },
    async writePart({ key }, index, content) {
      try {
        await writeTo(await open(toPartialPath(key), 'r+'), index * partBytes, content)
      } catch (error) {
        // The next attempt overwrites the bytes that were written.
        throw toStoreError(error, noRoomForPart)
      }
    },
    async joinParts({ key }, size) {
      try {
        // A last part that was cut off and sent again can have left bytes after the end.
        await truncate(toPartialPath(key), size)
        await rename(toPartialPath(key), toPath(key))
      } catch (error) {
        throw toStoreError(error)
      }
    },
    dropParts: ({ key }) => rm(toPartialPath(key), { force: true }),
    close() {},
  }
}

/** Writes `content` from `start` on, down to the disk, and closes the file. */
async function writeTo(file: FileHandle, start: number, content: Readable): Promise<void> {
  let end = start
  const write = callbackify(async (chunks: Buffer[]): Promise<void> => {
    const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
    for (let written = 0; written < length; ) {
      const rest = written ? [Buffer.concat(chunks).subarray(written)] : chunks
      written += (await file.writev(rest, end + written)).bytesWritten
    }
    end += length
    for (const chunk of chunks) releaseOwned(chunk)
  })
  const output = new Writable({
    // Chunks that arrive during a write are written at once.
    highWaterMark: 4 * chunkBytes,
    write: (chunk: Buffer, _encoding, done) => write([chunk], done),
    writev: (chunks: { chunk: Buffer }[], done) =>
      write(
        chunks.map(({ chunk }) => chunk),
        done,
      ),
    final: callbackify(() => file.sync()),
  })
  try {
    await pipeline(content, output)
  } finally {
    await file.close()
  }
}

const listNames = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

const noRoom = 'The server has no room for this file. Nothing was saved. Please try again later.'
const noRoomForPart =
  'The server has no room for the next part of this file. What has arrived is kept: the upload goes on when there is room.'

/** Any other error, such as one of the content that is being written, stays as it is. */
function toStoreError(error: unknown, withoutRoom = noRoom): unknown {
  const code = getErrorCode(error)
  if (code === 'ENOENT') return new AppError('not_found', 'File not found')
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EROFS') return new AppError('unavailable', withoutRoom)
  return error
}
