import { finished } from 'node:stream/promises'
import type { Readable } from 'node:stream'
import { AppError } from '#app/lib/errors.ts'
import type { Content } from '../api/operation.ts'
import type { Ctx } from '../context.ts'
import { maxFileBytes, storeContent, tooLargeError, type StoredContent } from './files.ts'
import { toSafeFileName } from './file-name.ts'

/** The fields besides the file: few and short. */
const limits = {
  files: 1,
  fields: 20,
  fieldNameSize: 100,
  fieldSize: 64 * 1024,
  parts: 25,
  headerPairs: 20,
  headerSize: 16 * 1024,
}
/** The form around the file has at most this many. */
const overheadBytes = 2 * 1024 ** 2

export type ReceivedForm = { fields: Record<string, string>; name: string; content: StoredContent }

/**
 * Reads a multipart form with one file in the field `file`, which it streams to the store. The caller makes the content
 * a file of a record, or deletes it. Throws bad_request for a form that is no form or was cut off, validation_failed
 * without a file, too_large, plan_limit, unavailable.
 */
export async function receiveForm(ctx: Ctx, form: Content, maxBytes = maxFileBytes): Promise<ReceivedForm> {
  if ((form.length ?? 0) > maxBytes + overheadBytes) throw tooLargeError(maxBytes)
  const { Busboy } = await import('@fastify/busboy')
  const fields: Record<string, string> = Object.create(null) as Record<string, string>
  let file: Promise<{ name: string; content: StoredContent }> | undefined
  let parser: InstanceType<typeof Busboy>
  try {
    parser = new Busboy({ headers: { 'content-type': form.type }, limits })
  } catch {
    throw malformed()
  }
  const failing = new Promise<never>((_resolve, reject) => {
    parser.on('field', (name, value, _nameTruncated, isTruncated) => {
      if (isTruncated) reject(new AppError('too_large', 'A field of this form is too long.'))
      fields[name] = value
    })
    parser.on('file', (field: string, stream: Readable, name: string | undefined) => {
      if (field !== 'file') return void stream.resume()
      form.stream.once('error', (error) => stream.destroy(error))
      file = storeContent(ctx, stream, maxBytes).then((content) => ({
        name: toSafeFileName(decodeName(name ?? '')),
        content,
      }))
      file.catch(reject)
    })
    for (const event of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const)
      parser.on(event, () => reject(new AppError('validation_failed', 'Send one file.', { field: 'file' })))
    form.stream.once('error', reject)
  })
  try {
    await Promise.race([finished(form.stream.pipe(parser)), failing])
    const received = await file
    if (!received) throw new AppError('validation_failed', 'Choose a file.', { field: 'file' })
    return { fields: { ...fields }, ...received }
  } catch (error) {
    form.stream.unpipe(parser)
    parser.destroy()
    const stored = await file?.catch(() => null)
    if (stored) await ctx.platform.fileStore.delete(stored.content.key).catch(() => {})
    throw error instanceof AppError ? error : malformed()
  }
}

/** Browsers write these characters so. */
const decodeName = (name: string): string => name.replaceAll(/%(0[AD]|22)/gi, (code) => decodeURIComponent(code))

const malformed = (): AppError => new AppError('bad_request', 'The form is incomplete. Send the file again.')
