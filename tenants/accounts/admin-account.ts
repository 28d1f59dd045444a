import { AppError } from '#app/lib/errors.ts'
import { deleteSecondFactors, endAccess } from '../auth/one-time-tokens.ts'
import { recordSecurityEvent } from '../auth/security-events.ts'
import { findAccountByEmail, hashPassword, verifyPassword } from '../auth/sign-in.ts'
import { ConfigError, type Config } from '../config.ts'
import { withTenant, type Platform } from '../platform.ts'
import { Account } from '../schema.ts'
import { createAccount } from './accounts.ts'
import { isCommonPassword } from './passwords.ts'

/**
 * Makes the account of ADMIN_EMAIL the only administrator, as the database's owner. ADMIN_PASSWORD replaces another
 * password and ends all sessions. Throws ConfigError for an account that may belong to somebody else.
 */
export async function ensureAdmin(platform: Platform): Promise<void> {
  const { admin } = platform.config
  if (!admin) return
  const id = (await findAccountByEmail(platform, admin.email))?.id ?? (await createAdmin(platform, admin.email))
  await promote(platform, id, admin)
  const administrators = await platform.readPool.queryGlobal<{ id: number }>({
    name: 'admin-account.list',
    text: 'select id from list_administrators()',
  })
  for (const other of administrators) if (other.id !== id) await demote(platform, other.id)
}

/** Throws ConfigError for an ADMIN_PASSWORD that is one of the commonest. */
export async function checkAdminPassword({ admin }: Config): Promise<void> {
  if (admin?.password !== undefined && (await isCommonPassword(admin.password)))
    throw new ConfigError(`ADMIN_PASSWORD can't be used: too many people use this password.`)
}

async function createAdmin(platform: Platform, email: string): Promise<number> {
  try {
    const account = { email, firstName: 'Platform', lastName: 'Admin' }
    return await createAccount(platform, account, async ({ em }, id) => {
      await em.nativeUpdate(Account, { id }, { isAdmin: true })
    })
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'conflict')) throw error
    // Another process created it at the same time, or the account was removed.
    const account = await findAccountByEmail(platform, email)
    if (!account) throw new ConfigError(`ADMIN_EMAIL can't be used: the account of ${email} was removed.`)
    return account.id
  }
}

type AdminAccount = { isAdmin: boolean; emailVerifiedAt: Date | null; passwordHash: string | null }

async function promote(
  platform: Platform,
  id: number,
  { email, password }: { email: string; password: string | undefined },
): Promise<void> {
  const [rows] = await platform.readPool.queryAsTenant(id, [
    {
      name: 'admin-account.get',
      text: `select is_admin as "isAdmin", email_verified_at as "emailVerifiedAt", password_hash as "passwordHash"
        from account where id = $1`,
      values: [id],
    },
  ])
  const { isAdmin, emailVerifiedAt, passwordHash } = (rows as AdminAccount[])[0]!
  // Anybody can register any address.
  const isOwner = isAdmin || emailVerifiedAt !== null
  if (!isOwner && password === undefined)
    throw new ConfigError(
      `ADMIN_EMAIL can't be used: the account of ${email} never verified its address; set ADMIN_PASSWORD to take it over.`,
    )
  const isUpToDate = password === undefined || (passwordHash !== null && (await verifyPassword(passwordHash, password)))
  if (isAdmin && isUpToDate && emailVerifiedAt) return

  const now = platform.now()
  const newHash = isOwner && isUpToDate ? passwordHash : await hashPassword(password!)
  await withTenant(platform, id, async (tx) => {
    const changes = { isAdmin: true, emailVerifiedAt: emailVerifiedAt ?? now, passwordHash: newHash, updatedAt: now }
    await tx.em.nativeUpdate(Account, { id }, changes)
    if (newHash !== passwordHash) await endAccess(tx, id)
    if (!isOwner) await deleteSecondFactors(tx, id)
    if (passwordHash !== null && newHash !== passwordHash)
      await recordSecurityEvent(tx, id, { kind: 'password_changed', device: { userAgent: null, address: '' }, now })
  })
  platform.log.warn(
    { account: id, promoted: !isAdmin, newPassword: newHash !== passwordHash },
    'ADMIN_EMAIL changed an account',
  )
}

async function demote(platform: Platform, id: number): Promise<void> {
  await withTenant(platform, id, ({ em }) =>
    em.nativeUpdate(Account, { id }, { isAdmin: false, updatedAt: platform.now() }),
  )
  platform.log.warn({ account: id }, 'ADMIN_EMAIL names another account: this one is no administrator any more')
}
