import { randomBytes } from 'node:crypto'
import { AppError } from '#app/lib/errors.ts'
import type { WriteCtx } from '../context.ts'
import type { Platform } from '../platform.ts'
import { Account, Upload, type UploadKind } from '../schema.ts'
import { readJpegSize, readPngSize, type ImageSize } from './image-size.ts'
import { hasTooManyParts, sanitizeSvg } from './svg.ts'

export const maxImageBytes = 5 * 1024 * 1024
/** On each side: a small file can decode to gigabytes in the browsers of all who see it. */
const maxImagePixels = 8_192
const uploadsPath = '/uploads/'

export const notAnImageError = (kind: UploadKind): AppError =>
  new AppError('validation_failed', 'Please upload an image file (PNG, JPG, or SVG).', { field: kind })
export const imageTooLargeError = (kind: UploadKind): AppError =>
  new AppError('too_large', 'Please upload an image smaller than 5MB.', { field: kind })

const tooManyPartsError = (kind: UploadKind): AppError =>
  new AppError('too_large', 'This drawing has too many parts. Please upload it as a PNG.', { field: kind })
const tooManyPixelsError = (kind: UploadKind): AppError => {
  const side = maxImagePixels.toLocaleString('en-US')
  return new AppError('too_large', `Please upload an image of at most ${side} by ${side} pixels.`, { field: kind })
}

/** The first one is suggested. */
const extensions: Record<string, string[]> = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/svg+xml': ['svg'],
}
const wrongNameError = (kind: UploadKind, extension: string): AppError =>
  new AppError(
    'validation_failed',
    `This is a ${extension.toUpperCase()} file with another name. Rename it so that it ends with .${extension}.`,
    { field: kind },
  )

/**
 * Stores an image (PNG, JPEG or SVG, by its content) as the coach's logo or photo and returns its URL. An SVG is
 * reduced to its drawing. The extension of `name`, the uploaded file's, must be one of its type. Throws
 * validation_failed, too_large.
 */
export async function saveImage(ctx: WriteCtx, kind: UploadKind, content: Uint8Array, name?: string): Promise<string> {
  if (content.byteLength > maxImageBytes) throw imageTooLargeError(kind)
  const image = parseImage(kind, Buffer.from(content))
  if (!image) throw notAnImageError(kind)
  const allowed = extensions[image.contentType]!
  if (name !== undefined && !allowed.includes(name.toLowerCase().replace(/^.*\./s, '')))
    throw wrongNameError(kind, allowed[0]!)
  if (image.size && Math.max(image.size.width, image.size.height) > maxImagePixels) throw tooManyPixelsError(kind)
  const key = randomBytes(16).toString('hex')
  await ctx.query({
    name: 'image.save',
    text: `insert into upload (coach_id, kind, key, content_type, content, created_at) values ($1, $2, $3, $4, $5, $6)
      on conflict (coach_id, kind) do update set key = excluded.key, content_type = excluded.content_type,
        content = excluded.content, created_at = excluded.created_at`,
    values: [ctx.coachId, kind, key, image.contentType, image.content, ctx.now()],
  })
  await setImage(ctx, kind, uploadsPath + key)
  return uploadsPath + key
}

export async function deleteImage(ctx: WriteCtx, kind: UploadKind): Promise<void> {
  await ctx.em.nativeDelete(Upload, { coachId: ctx.coachId, kind })
  await setImage(ctx, kind, null)
}

async function setImage(ctx: WriteCtx, kind: UploadKind, url: string | null): Promise<void> {
  const account = await ctx.em.findOneOrFail(Account, { id: ctx.coachId })
  ctx.em.assign(account, { [kind === 'logo' ? 'logoUrl' : 'profileImageUrl']: url, updatedAt: ctx.now() })
  await ctx.em.flush()
}

/** Whether an address is the logo that the coach uploaded. */
export async function isOwnLogo(ctx: WriteCtx, address: string): Promise<boolean> {
  return (
    address.startsWith(uploadsPath) &&
    (await ctx.em.count(Upload, { coachId: ctx.coachId, kind: 'logo', key: address.slice(uploadsPath.length) })) > 0
  )
}

/** An image by its key, which can't be guessed: anyone may load it. */
export async function findImage(
  platform: Platform,
  key: string,
): Promise<{ contentType: string; content: Buffer; fileName: string } | null> {
  if (!/^[0-9a-f]{32}$/.test(key)) return null
  const [image] = await platform.readPool.queryGlobal<{ contentType: string; content: Buffer }>({
    name: 'image.get',
    text: 'select content_type as "contentType", content from find_upload($1)',
    values: [key],
  })
  return image ? { ...image, fileName: `image.${extensions[image.contentType]![0]}` } : null
}

type Image = { contentType: string; content: Buffer; size: ImageSize | null }

/** Reads an image by its content, not by the file's name. Returns null for a damaged file or another type. */
function parseImage(kind: UploadKind, content: Buffer): Image | null {
  const contentType = detectImageType(content)
  if (contentType === 'image/svg+xml') {
    const text = content.toString('utf8').replace(/^\uFEFF/, '')
    if (hasTooManyParts(text)) throw tooManyPartsError(kind)
    const drawing = sanitizeSvg(text)
    return drawing === null ? null : { contentType, content: Buffer.from(drawing), size: null }
  }
  const size = contentType === 'image/png' ? readPngSize(content) : readJpegSize(content)
  return contentType && size && size.width && size.height ? { contentType, content, size } : null
}

function detectImageType(content: Buffer): string | null {
  const hex = content.toString('hex', 0, 8)
  if (hex === '89504e470d0a1a0a') return 'image/png'
  if (hex.startsWith('ffd8ff')) return 'image/jpeg'
  return isSvg(content.toString('utf8', 0, 4096)) ? 'image/svg+xml' : null
}

/**
 * Whether an <svg> follows the XML declaration, comments and document type. Not a regular expression: crafted input
 * could make one take exponential time.
 */
function isSvg(text: string): boolean {
  let rest = text.replace(/^\uFEFF/, '').trimStart()
  for (const [start, end] of [
    ['<?xml', '?>'],
    ['<!--', '-->'],
    ['<!doctype', '>'],
    ['<!--', '-->'],
  ] as const) {
    while (rest.slice(0, start.length).toLowerCase() === start) {
      const index = rest.indexOf(end)
      if (index < 0) return false
      rest = rest.slice(index + end.length).trimStart()
    }
  }
  return /^<svg[\s>/]/i.test(rest)
}
