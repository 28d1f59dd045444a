import { brotliDecompressSync } from 'node:zlib'
import { AppError } from '#app/lib/errors.ts'
import type { Config } from '../config.ts'

export type PasswordOwner = { email: string; firstName: string; lastName: string }

/**
 * Rejects a new password that an attacker would try first: one of the commonest 100,000, or little more than the
 * owner's name or email address or the platform's name. Throws validation_failed at `field`.
 */
export async function checkNewPassword(
  config: Config,
  password: string,
  owner: PasswordOwner,
  field = 'password',
): Promise<void> {
  const [localPart = '', domain = ''] = owner.email.split('@')
  const names = [
    owner.email,
    localPart,
    domain,
    owner.firstName + owner.lastName,
    owner.lastName + owner.firstName,
    owner.firstName,
    owner.lastName,
    config.platformName,
  ]
  if (names.some((name) => isLittleMoreThan(password, name)))
    throw new AppError('validation_failed', "Don't use your name or email address as the password.", { field })
  if (await isCommonPassword(password))
    throw new AppError('validation_failed', 'Too many people use this password. Choose another one.', { field })
}

/** Ignores letter case. */
export async function isCommonPassword(password: string): Promise<boolean> {
  const list = await (commonPasswords ??= loadCommonPasswords())
  return list.includes(`\n${password.toLowerCase()}\n`)
}

/** One text, because a set of 100,000 strings takes ten times the memory. */
let commonPasswords: Promise<string> | undefined

export async function loadCommonPasswords(): Promise<string> {
  const { default: list } = await import('./common-passwords.json', { with: { type: 'json' } })
  return `\n${brotliDecompressSync(Buffer.from(list.brotli, 'base64')).toString()}\n`
}

/** Names of fewer letters are part of many good passwords. */
const minNameLength = 3
/** As many characters beside the name don't make it hard to guess. */
const maxOtherCharacters = 4

function isLittleMoreThan(password: string, name: string): boolean {
  const [text, word] = [toLetters(password), toLetters(name)]
  return word.length >= minNameLength && text.includes(word) && text.replaceAll(word, '').length <= maxOtherCharacters
}

const toLetters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
