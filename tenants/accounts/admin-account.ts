import { AppError } from '#app/lib/errors.ts'
import { findAccountByEmail, hashPassword } from '../auth/sign-in.ts'
import { withTenant, type Platform } from '../platform.ts'
import { Account } from '../schema.ts'
import { createAccount } from './accounts.ts'

/**
 * Creates or promotes the account of ADMIN_EMAIL. ADMIN_PASSWORD is its password if it has none yet. No other account
 * changes.
 */
export async function ensureAdmin(platform: Platform): Promise<void> {
  const { admin } = platform.config
  if (!admin) return
  const account = await findAccountByEmail(platform, admin.email)
  const passwordHash = account?.passwordHash ?? (admin.password ? await hashPassword(admin.password) : null)
  if (account) {
    await withTenant(platform, account.id, ({ em }) =>
      em.nativeUpdate(Account, { id: account.id }, { isAdmin: true, passwordHash }),
    )
    return
  }
  const names = { firstName: 'Platform', lastName: 'Admin' }
  await createAccount(platform, { ...names, email: admin.email, passwordHash, isAdmin: true }).catch(
    (error: unknown) => {
      // A conflict: another process created it at the same time.
      if (!(error instanceof AppError && error.code === 'conflict')) throw error
    },
  )
}
