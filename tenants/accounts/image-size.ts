import { crc32 } from 'node:zlib'

export type ImageSize = { width: number; height: number }

/** The size of a PNG whose chunks are intact up to its end; null for anything else. */
export function readPngSize(data: Buffer): ImageSize | null {
  if (data.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') return null
  let size: ImageSize | null = null
  let hasPixels = false
  // A chunk: the length of its content, its type, the content, a checksum.
  for (let start = 8; start + 12 <= data.length; ) {
    const length = data.readUInt32BE(start)
    const end = start + 12 + length
    if (end > data.length) return null
    const type = data.toString('latin1', start + 4, start + 8)
    if (crc32(data.subarray(start + 4, end - 4)) !== data.readUInt32BE(end - 4)) return null
    if (!size) {
      if (type !== 'IHDR' || length !== 13) return null
      size = { width: data.readUInt32BE(start + 8), height: data.readUInt32BE(start + 12) }
    }
    if (type === 'IDAT') hasPixels = true
    if (type === 'IEND') return hasPixels ? size : null
    start = end
  }
  return null
}

const startOfScan = 0xda
const endOfImage = Buffer.from('ffd9', 'hex')
/** These markers are in the range of those that begin a frame. */
const tableMarkers = [0xc4, 0xc8, 0xcc]

/** The size of a JPEG whose segments can be followed to its pixels, and which has an end; null for anything else. */
export function readJpegSize(data: Buffer): ImageSize | null {
  if (data.toString('hex', 0, 2) !== 'ffd8') return null
  let size: ImageSize | null = null
  // A segment: 0xff, a marker, the length of the rest, the content.
  for (let start = 2; start + 9 <= data.length; ) {
    if (data[start] !== 0xff) return null
    const marker = data[start + 1]!
    if (marker === 0xff) {
      start += 1
      continue
    }
    if (marker === startOfScan) return size && data.includes(endOfImage, start) ? size : null
    if (marker >= 0xc0 && marker <= 0xcf && !tableMarkers.includes(marker))
      size = { height: data.readUInt16BE(start + 5), width: data.readUInt16BE(start + 7) }
    const length = data.readUInt16BE(start + 2)
    if (length < 2) return null
    start += 2 + length
  }
  return null
}
