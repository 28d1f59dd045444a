import { crc32, deflateSync } from 'node:zlib'

/** A gray PNG of `width` × `height` pixels; `claimed` overrides the size in its header. */
export function png(width: number, height: number, claimed: { width?: number; height?: number } = {}): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(claimed.width ?? width, 0)
  header.writeUInt32BE(claimed.height ?? height, 4)
  header[8] = 8
  const pixels = deflateSync(Buffer.alloc((width + 1) * height))
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

/** The segments of a JPEG of `width` × `height` pixels. */
export function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from('ffc0000b080000000001011100', 'hex')
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  const application = Buffer.from('ffe000104a46494600010100000100010000', 'hex')
  const scan = Buffer.from('ffda0008010100003f0055', 'hex')
  return Buffer.concat([Buffer.from('ffd8', 'hex'), application, frame, scan, Buffer.from('ffd9', 'hex')])
}
