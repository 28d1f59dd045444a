import { randomInt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { AppError } from '#app/lib/errors.ts'
import type { Ctx, WriteCtx } from '../context.ts'
import { withTenant, type Platform, type TenantTransaction } from '../platform.ts'
import { AuthenticatorApp, RecoveryCode } from '../schema.ts'
import { confirmPassword, isOwnPassword } from './confirm-password.ts'
import type { Device } from './device.ts'
import { decrypt, encrypt } from './encryption.ts'
import { withRateLimit } from './rate-limit.ts'
import { recordSecurityEvent } from './security-events.ts'
import { logSecurity } from './security-log.ts'
import { hashToken } from './signing-keys.ts'

const period = 30
const setupMinutes = 15
const recoveryCodeCount = 10
const recoveryCodeLength = 24

export type SecondFactor = { isOn: boolean; recoveryCodesLeft: number }

/** Whether an authenticator app is set up, and how many recovery codes are left. */
export async function getSecondFactor(ctx: Ctx): Promise<SecondFactor> {
  const [row] = await ctx.query<SecondFactor>({
    name: 'second-factor.get',
    text: `select
      exists (select 1 from authenticator_app where coach_id = $1 and confirmed_at is not null) as "isOn",
      (select count(*)::int from recovery_code where coach_id = $1 and used_at is null) as "recoveryCodesLeft"`,
    values: [ctx.coachId],
  })
  return row!
}

/** Whether signing in to the account needs a code. */
export async function needsCode(platform: Platform, coachId: number): Promise<boolean> {
  const [rows] = await platform.readPool.queryAsTenant(coachId, [
    {
      name: 'second-factor.needs-code',
      text: 'select id from authenticator_app where coach_id = $1 and confirmed_at is not null',
      values: [coachId],
    },
  ])
  return rows!.length > 0
}

/** Creates the secret of a new authenticator app; `confirmSetup` turns it on. Throws conflict if one is on. */
export async function startSetup(ctx: WriteCtx, password: string): Promise<void> {
  await confirmPassword(ctx, password)
  const secret = encrypt(ctx.platform.config.secretKeys, purposeFor(ctx.coachId), new Secret({ size: 20 }).base32)
  const created = await ctx.query({
    name: 'authenticator-app.start',
    text: `insert into authenticator_app (coach_id, secret, created_at) values ($1, $2, $3)
      on conflict (coach_id) do update set secret = excluded.secret, created_at = excluded.created_at
        where authenticator_app.confirmed_at is null
      returning id`,
    values: [ctx.coachId, secret, ctx.now()],
  })
  if (!created.length) throw new AppError('conflict', 'Two-step sign-in is already on.')
}

/**
 * The secret and the address for the QR code of a setup that isn't finished; null without one in the last 15 minutes.
 */
export async function getSetup(ctx: Ctx): Promise<{ secret: string; uri: string } | null> {
  const [row] = await ctx.query<{ secret: string }>({
    name: 'authenticator-app.setup',
    text: `select secret from authenticator_app
      where coach_id = $1 and confirmed_at is null and created_at > $2`,
    values: [ctx.coachId, setupsSince(ctx)],
  })
  if (!row) return null
  const { totp } = openSecret(ctx.platform, ctx.coachId, row.secret)
  totp.issuer = ctx.platform.config.platformName
  totp.label = ctx.account.email
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/** Setups that were started before this time have expired. */
const setupsSince = (ctx: Ctx): Date => new Date(ctx.now().getTime() - setupMinutes * 60_000)

/** Removes the secret of a setup that isn't finished, if there is one. */
export async function cancelSetup(ctx: WriteCtx): Promise<void> {
  await ctx.em.nativeDelete(AuthenticatorApp, { coachId: ctx.coachId, confirmedAt: null })
}

/**
 * Turns the authenticator app on with its first code. Returns the recovery codes, which can't be shown again. Throws
 * validation_failed, and conflict after 15 minutes.
 */
export async function confirmSetup(ctx: WriteCtx, code: string, device: Device): Promise<string[]> {
  const setup = { coachId: ctx.coachId, confirmedAt: null, createdAt: { $gt: setupsSince(ctx) } }
  const app = await ctx.em.findOne(AuthenticatorApp, setup)
  if (!app)
    throw new AppError(
      'conflict',
      `This key has expired: a setup must be finished within ${setupMinutes} minutes. Start again.`,
    )
  const { totp } = openSecret(ctx.platform, ctx.coachId, app.secret)
  const now = ctx.now()
  const confirmed = await ctx.em.nativeUpdate(AuthenticatorApp, setup, {
    confirmedAt: now,
    lastUsedStep: getStep(totp, normalize(code), now),
  })
  if (!confirmed) throw new AppError('conflict', 'Two-step sign-in is already on.')
  await recordSecurityEvent(ctx, ctx.coachId, { kind: 'authenticator_added', device, now })
  return createRecoveryCodes(ctx)
}

/** Turns two-step sign-in off. Throws validation_failed unless `passwordOrCode` is the password or a valid code. */
export async function turnOff(ctx: WriteCtx, passwordOrCode: string, device: Device): Promise<void> {
  const { coachId, platform } = ctx
  await withCodeLimit(platform, { coachId, device }, async () => {
    if (await isOwnPassword(ctx, passwordOrCode)) return
    const field = 'passwordOrCode'
    if (!isCode(passwordOrCode)) throw new AppError('validation_failed', 'This password is wrong.', { field })
    await useCode(ctx, platform, coachId, passwordOrCode, { device, field })
  })
  if (!(await ctx.em.nativeDelete(AuthenticatorApp, { coachId }))) return
  await ctx.em.nativeDelete(RecoveryCode, { coachId })
  await recordSecurityEvent(ctx, coachId, { kind: 'authenticator_removed', device, now: ctx.now() })
}

/** Replaces the recovery codes. Returns the new ones, which can't be shown again. */
export async function renewRecoveryCodes(ctx: WriteCtx, password: string, device: Device): Promise<string[]> {
  await confirmPassword(ctx, password)
  if (!(await getSecondFactor(ctx)).isOn) throw new AppError('conflict', 'Two-step sign-in is off.')
  await ctx.em.nativeDelete(RecoveryCode, { coachId: ctx.coachId })
  await recordSecurityEvent(ctx, ctx.coachId, { kind: 'recovery_codes_created', device, now: ctx.now() })
  return createRecoveryCodes(ctx)
}

async function createRecoveryCodes({ em, coachId }: WriteCtx): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, createRecoveryCode)
  for (const code of codes) em.create(RecoveryCode, { coachId, codeHash: hashCode(code) })
  await em.flush()
  return codes
}

// Without letters and digits that look alike.
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** 24 letters and digits in six groups: 119 bits, so that a plain hash is enough. */
function createRecoveryCode(): string {
  const code = Array.from({ length: recoveryCodeLength }, () => letters[randomInt(letters.length)]).join('')
  return code.match(/.{4}/g)!.join('-')
}

const hashCode = (code: string): Buffer => hashToken(`recovery code ${normalize(code)}`)

/**
 * Accepts a code of the authenticator app or a recovery code, each once. Throws unauthorized, with a message for a
 * wrong clock and for recovery codes that are used up; rate_limited after 10 wrong codes in 15 minutes for the account.
 */
export async function checkSecondFactor(
  platform: Platform,
  coachId: number,
  code: string,
  device: Device,
): Promise<void> {
  try {
    await withCodeLimit(platform, { coachId, device }, () =>
      withTenant(platform, coachId, (tx) => useCode(tx, platform, coachId, code, { device, field: 'code' })),
    )
  } catch (error) {
    throw isInvalid(error) ? new AppError('unauthorized', error.message) : error
  }
}

const isInvalid = (error: unknown): error is AppError => error instanceof AppError && error.code === 'validation_failed'

function withCodeLimit(
  platform: Platform,
  { coachId, device: { address } }: { coachId: number; device: Device },
  work: () => Promise<void>,
): Promise<void> {
  const who = { account: coachId, address }
  const rules = [{ key: `second-factor:${coachId}`, attempts: 10, minutes: 15 }]
  return withRateLimit(platform, { rules, ...who }, work, (error) => {
    if (isInvalid(error)) logSecurity(platform, { event: 'second_factor_failed', ...who })
    return isInvalid(error)
  })
}

/** An app's code has 6 digits, a recovery code 24 letters and digits. */
const isCode = (text: string): boolean => /^(\d{6}|[a-z\d]{24})$/.test(normalize(text))

async function useCode(
  tx: TenantTransaction,
  platform: Platform,
  coachId: number,
  input: string,
  { device, field }: { device: Device; field: string },
): Promise<void> {
  const code = normalize(input)
  try {
    if (/^\d{6}$/.test(code)) await useAppCode(tx, platform, coachId, code)
    else await useRecoveryCode(tx, platform, coachId, code, device)
  } catch (error) {
    throw isInvalid(error) ? new AppError(error.code, error.message, { field }) : error
  }
}

async function useAppCode(tx: TenantTransaction, platform: Platform, coachId: number, code: string): Promise<void> {
  const [app] = await tx.query<{ secret: string }>({
    name: 'authenticator-app.secret',
    text: 'select secret from authenticator_app where coach_id = $1 and confirmed_at is not null',
    values: [coachId],
  })
  if (!app) throw new AppError('validation_failed', wrongCode)
  const { totp, isCurrentKey } = openSecret(platform, coachId, app.secret)
  const step = getStep(totp, code, platform.now())
  const { secretKeys } = platform.config
  const accepted = await tx.query({
    name: 'authenticator-app.use',
    text: `update authenticator_app set last_used_step = $2, secret = $3
      where coach_id = $1 and (last_used_step is null or last_used_step < $2) returning id`,
    // The key that encrypted it may be removed from SECRET_KEY later.
    values: [coachId, step, isCurrentKey ? app.secret : encrypt(secretKeys, purposeFor(coachId), totp.secret.base32)],
  })
  if (!accepted.length)
    throw new AppError('validation_failed', 'This code was already used. Wait for the next one in your app.')
}

async function useRecoveryCode(
  tx: TenantTransaction,
  platform: Platform,
  coachId: number,
  code: string,
  device: Device,
): Promise<void> {
  const now = platform.now()
  const unused = { coachId, usedAt: null }
  const used = await tx.em.nativeUpdate(RecoveryCode, { ...unused, codeHash: hashCode(code) }, { usedAt: now })
  const left = await tx.em.count(RecoveryCode, unused)
  if (used) {
    const details = { name: `${left} left` }
    return recordSecurityEvent(tx, coachId, { kind: 'recovery_code_used', device, now, details })
  }
  throw new AppError(
    'validation_failed',
    left || !isCode(code)
      ? wrongCodeOrRecovery
      : 'All your recovery codes were used. Use your authenticator app or a passkey, or ask the administrator of ' +
          `${platform.config.platformName} to turn off two-step sign-in for your account.`,
  )
}

const wrongCode = 'This code is wrong. Enter the code that your app shows now.'
const wrongCodeOrRecovery = 'This code is wrong. Enter the code that your app shows now, or an unused recovery code.'

/** The 30-second step that `code` belongs to: now, or one step earlier or later. Throws validation_failed. */
function getStep(totp: TOTP, code: string, now: Date): number {
  const timestamp = now.getTime()
  const delta = totp.validate({ token: code, timestamp, window: 1 })
  if (delta !== null) return Math.floor(timestamp / (period * 1000)) + delta
  const isClockWrong = totp.validate({ token: code, timestamp, window: 4 }) !== null
  throw new AppError(
    'validation_failed',
    isClockWrong
      ? "The clock of your phone is wrong. Set it to automatic in the phone's settings, then enter a new code."
      : wrongCode,
    { field: 'code' },
  )
}

function openSecret(platform: Platform, coachId: number, encrypted: string): { totp: TOTP; isCurrentKey: boolean } {
  const secret = decrypt(platform.config.secretKeys, purposeFor(coachId), encrypted)
  // The operator has lost the SECRET_KEY that encrypted it.
  if (!secret)
    throw new AppError(
      'unavailable',
      "Codes of your app can't be checked at the moment. Use a recovery code instead.",
      {
        field: 'code',
      },
    )
  return { totp: new TOTP({ secret: Secret.fromBase32(secret.text), period }), isCurrentKey: secret.isCurrentKey }
}

const purposeFor = (coachId: number): string => `authenticator app of ${coachId}`

/** Apps show codes in groups. */
const normalize = (code: string): string => code.replaceAll(/[\s-]/g, '').toLowerCase()
