import { createChildProgram } from '#app/lib/child-program.ts'
import { AppError } from '#app/lib/errors.ts'
import type { Pictures } from './render-process.ts'

const render = createChildProgram<Uint8Array, Pictures | null>({
  file: 'modules/resources/previews/render-process.ts',
  memory: 200,
  env: { VIPS_BLOCK_UNTRUSTED: '1' },
  timeout: 60_000,
  idle: 10_000,
  busy: () => new AppError('unavailable', 'Too many previews are being made.'),
})

/**
 * Makes the thumbnail and the preview of a picture, decoded in a process of its own: a file that attacks the decoder reaches nothing there,
 * and one that takes too long or too much memory ends with it. Null for what can't be decoded. Throws unavailable.
 */
export async function renderPictures(content: Uint8Array): Promise<Pictures | null> {
  try {
    return await render(content)
  } catch (error) {
    if (error instanceof AppError) throw error
    return null
  }
}
