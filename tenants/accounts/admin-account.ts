import { AppError } from '#app/lib/errors.ts'
import { createAccount } from './accounts.ts'
import { inTenant, type Platform } from '../platform.ts'
import { Account } from '../schema.ts'
import { hashPassword } from '../auth/sign-in.ts'

/** The account of ADMIN_EMAIL is made, or promoted; ADMIN_PASSWORD is its password when it is made. Every other account keeps what it is. */
export async function ensureAdmin(platform: Platform): Promise<void> {
  const { admin } = platform.config
  if (!admin) return
  const [known] = await platform.reads.look<{ id: number; password_hash: string | null }>({
    name: 'sign-in.account',
    text: 'select id, password_hash from sign_in_account($1)',
    values: [admin.email],
  })
  if (known) {
    const passwordHash = known.password_hash ?? (admin.password ? await hashPassword(admin.password) : null)
    await inTenant(platform, known.id, ({ em }) =>
      em.nativeUpdate(Account, { id: known.id }, { isAdmin: true, passwordHash }),
    )
    return
  }
  const passwordHash = admin.password ? await hashPassword(admin.password) : null
  await createAccount(platform, {
    email: admin.email,
    firstName: 'Platform',
    lastName: 'Admin',
    passwordHash,
    isAdmin: true,
  }).catch((error: unknown) => {
    // Another process made it at this moment.
    if (!(error instanceof AppError && error.code === 'conflict')) throw error
  })
}
