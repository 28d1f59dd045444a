import { createWriteStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { openPromise } from 'yauzl'
import { ZipFile } from 'yazl'

/** The files of an archive by path. */
export async function readArchive(file: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  const zip = await openPromise(file, { lazyEntries: true })
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  return files
}

export async function writeArchive(file: string, files: Map<string, Buffer>): Promise<void> {
  const zip = new ZipFile()
  for (const [path, content] of files) zip.addBuffer(content, path, { compress: content.length > 16 * 1024 ** 2 })
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(file))
}
