import { randomBytes } from 'node:crypto'
import { AppError } from '#app/lib/errors.ts'
import type { WriteCtx } from '../context.ts'
import type { Platform } from '../platform.ts'
import { Account, Upload } from '../schema.ts'

export const maxLogoBytes = 5 * 1024 * 1024
const begin = '/uploads/'

export const noImage = (): AppError =>
  new AppError('validation_failed', 'Please upload an image file (PNG, JPG, or SVG).', { field: 'logo' })
export const tooLargeImage = (): AppError =>
  new AppError('too_large', 'Please upload an image smaller than 5MB.', { field: 'logo' })

/**
 * Keeps a picture (PNG, JPEG or SVG, by its content) and makes it the coach's logo instead of the one before. Answers its
 * address. Throws validation_failed, too_large.
 */
export async function saveLogo(ctx: WriteCtx, content: Uint8Array): Promise<string> {
  if (content.byteLength > maxLogoBytes) throw tooLargeImage()
  const contentType = typeOf(content)
  if (!contentType) throw noImage()
  const key = randomBytes(16).toString('hex')
  await ctx.rows({
    name: 'logo.save',
    text: `insert into upload (coach_id, key, content_type, content, created_at) values ($1, $2, $3, $4, $5)
      on conflict (coach_id) do update set key = excluded.key, content_type = excluded.content_type, content = excluded.content, created_at = excluded.created_at`,
    values: [ctx.coachId, key, contentType, Buffer.from(content), ctx.now()],
  })
  await setLogo(ctx, begin + key)
  return begin + key
}

/** Without a logo the first letter of the practice's name stands in. */
export async function removeLogo(ctx: WriteCtx): Promise<void> {
  await ctx.em.nativeDelete(Upload, { coachId: ctx.coachId })
  await setLogo(ctx, null)
}

async function setLogo(ctx: WriteCtx, logoUrl: string | null): Promise<void> {
  const account = await ctx.em.findOneOrFail(Account, { id: ctx.coachId })
  ctx.em.assign(account, { logoUrl, updatedAt: ctx.now() })
  await ctx.em.flush()
}

/** Whether an address is one of the coach's own uploads, as it stands in `logoUrl`. */
export async function isOwnUpload(ctx: WriteCtx, address: string): Promise<boolean> {
  return (
    address.startsWith(begin) &&
    (await ctx.em.count(Upload, { coachId: ctx.coachId, key: address.slice(begin.length) })) > 0
  )
}

/** What is stored under a key that cannot be guessed: anybody who was shown the page may fetch it. Null: nothing. */
export async function uploadOf(
  platform: Platform,
  key: string,
): Promise<{ contentType: string; content: Buffer } | null> {
  if (!/^[0-9a-f]{32}$/.test(key)) return null
  const [upload] = await platform.reads.look<{ contentType: string; content: Buffer }>({
    name: 'upload',
    text: 'select content_type as "contentType", content from uploaded($1)',
    values: [key],
  })
  return upload ?? null
}

/** By what the file is, not by what it is called. */
function typeOf(content: Uint8Array): string | null {
  const hex = Buffer.from(content.subarray(0, 8)).toString('hex')
  if (hex === '89504e470d0a1a0a') return 'image/png'
  if (hex.startsWith('ffd8ff')) return 'image/jpeg'
  return isSvg(Buffer.from(content.subarray(0, 4096)).toString('utf8')) ? 'image/svg+xml' : null
}

/** Whether what comes after the declaration, comments and the document type is an <svg>. Step by step: a pattern for it can be made to take forever. */
function isSvg(text: string): boolean {
  let rest = text.replace(/^\uFEFF/, '').trimStart()
  for (const [begin, end] of [
    ['<?xml', '?>'],
    ['<!--', '-->'],
    ['<!doctype', '>'],
    ['<!--', '-->'],
  ] as const) {
    while (rest.slice(0, begin.length).toLowerCase() === begin) {
      const at = rest.indexOf(end)
      if (at < 0) return false
      rest = rest.slice(at + end.length).trimStart()
    }
  }
  return /^<svg[\s>/]/i.test(rest)
}
