import sharp from 'sharp'
import { serveRequests } from '#app/lib/child-program.ts'

// The program of the process that `render.ts` starts: makes small pictures of pictures, one after the other.

/** WebP without anything else that was in the file, such as where it was taken. */
export type Pictures = { thumbnail: Uint8Array; preview: Uint8Array }

/** A telephone's largest pictures have 50 million. A larger one is refused before it is decoded. */
const maxPixels = 64_000_000
const maxSeconds = 15
/** Twice as wide as they are shown. */
const sizes = { thumbnail: 160, preview: 1600 }

sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
const loaders = ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif']
sharp.unblock({ operation: loaders })

/** Null: this is no picture that can be shown. */
async function render(content: Uint8Array): Promise<Pictures | null> {
  const draw = (size: number): Promise<Buffer> =>
    sharp(content, { limitInputPixels: maxPixels, failOn: 'truncated', sequentialRead: true, pages: 1 })
      .timeout({ seconds: maxSeconds })
      .autoOrient()
      .resize({ width: size, height: size, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 78 })
      .toBuffer()
  try {
    const preview = await draw(sizes.preview)
    return { preview, thumbnail: await draw(sizes.thumbnail) }
  } catch {
    return null
  }
}

serveRequests(render)
