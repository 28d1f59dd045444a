import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { Checksum } from './format.ts'

export type ZipWriter = {
  /** The archive, as it is written. */
  output: Readable
  /** Writes one file after the other: only a part of it is in memory. `isCompressed`: its bytes are already. */
  add(
    path: string,
    parts: Iterable<string | Buffer> | AsyncIterable<string | Buffer>,
    options?: { isCompressed?: boolean },
  ): Promise<Checksum>
  end(): void
}

/** Writes a ZIP archive whose files have the time `now`. */
export function createZipWriter(now: Date): ZipWriter {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const broken = new Promise<never>((_, reject) => {
    zip.on('error', reject)
    output.once('error', reject)
    output.once('close', () => reject(new Error('The archive could not be written')))
  })
  broken.catch(() => {})
  return {
    output,
    async add(path, parts, { isCompressed = false } = {}) {
      const hash = createHash('sha256')
      let bytes = 0
      async function* pass(): AsyncGenerator<Buffer> {
        for await (const part of parts) {
          const buffer = typeof part === 'string' ? Buffer.from(part) : part
          hash.update(buffer)
          bytes += buffer.length
          if (buffer.length) yield buffer
        }
      }
      const content = Readable.from(pass(), { objectMode: false, highWaterMark: 64 * 1024 })
      zip.addReadStream(content, path, { mtime: now, mode: 0o100600, compress: !isCompressed })
      await Promise.race([finished(content, { writable: false }), broken]).catch((error: unknown) => {
        // Closes the file or connection that it is read from.
        content.destroy()
        throw error
      })
      return { bytes, sha256: hash.digest('hex') }
    },
    end: () => zip.end(),
  }
}
