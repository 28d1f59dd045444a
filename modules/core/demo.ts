import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createAccount, loadCoachContext, updateBranding } from '#tenants/accounts/accounts.ts'
import type { Config } from '#tenants/config.ts'
import { saveLogo } from '#tenants/accounts/logos.ts'
import { hashPassword } from '#tenants/auth/sign-in.ts'
import { withTenant, type Platform } from '#tenants/platform.ts'
import { Account } from '#tenants/schema.ts'
import type { ModuleManifest } from './manifest.ts'

/** Printed at start. They exist only on the embedded database. */
export const demoSignIns = [
  {
    which: 'first',
    label: 'Coach, Premium',
    email: 'demo@example.com',
    password: 'demo-practice',
    subdomain: 'stillwater',
  },
  {
    which: 'second',
    label: 'Coach, Pro',
    email: 'demo2@example.com',
    password: 'demo-practice',
    subdomain: 'northstar',
  },
  { which: 'admin', label: 'Administrator', email: 'admin@example.com', password: 'demo-practice', subdomain: null },
] as const

export type DemoSignIn = { label: string; email: string; password: string; subdomain: string | null }

const practices = {
  first: {
    primaryColor: '#0f766e',
    logo: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0f766e"/><path d="M7 13.5c3-3 6-3 9 0s6 3 9 0M7 19.5c3-3 6-3 9 0s6 3 9 0" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/></svg>`,
    account: {
      firstName: 'Amara',
      lastName: 'Okafor',
      businessName: 'Stillwater Coaching',
      timezone: 'America/New_York',
      plan: 'premium',
      bio: 'I work with people in the middle of a career, when the next step is no longer obvious. We start with what you want your days to look like, and work back from there.',
    },
  },
  second: {
    primaryColor: '#b45309',
    logo: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="16" fill="#b45309"/><path d="M16 5.5l2.6 7.9 7.9 2.6-7.9 2.6-2.6 7.9-2.6-7.9L5.5 16l7.9-2.6z" fill="#fff"/></svg>`,
    account: {
      firstName: 'Jonas',
      lastName: 'Lindqvist',
      businessName: 'North Star Running',
      timezone: 'Europe/Stockholm',
      plan: 'pro',
      bio: 'Running and health coaching for people who start late and want to stay with it. Small steps, honest numbers, no heroics.',
    },
  },
} as const

/**
 * Creates two practices and an administrator, through the same services as the screens. A start that was interrupted
 * continues: the administrator comes last, and no module seeds twice. Once the administrator exists, only modules added
 * since seed their part, once.
 */
export async function seedDemo(platform: Platform, modules: ModuleManifest[]): Promise<void> {
  const [admin] = await findAccount(platform, demoSignIns[2].email)
  const seeded = admin ? readSeededModules(platform.config) : []
  const missing = modules.filter(({ id, seed }) => seed && !seeded.includes(id))
  if (admin && !missing.length) return
  for (const { which, email, password, subdomain } of demoSignIns) {
    const [known] = await findAccount(platform, email)
    if (admin && !known) continue
    const person =
      which === 'admin' ? { firstName: 'Robin', lastName: 'Castellanos', isAdmin: true } : practices[which].account
    const coachId =
      known?.id ?? (await createAccount(platform, { ...person, email, passwordHash: await hashPassword(password) }))
    if (which === 'admin') continue
    if (!admin) await brandPractice(platform, coachId, which, subdomain)
    const ctx = await loadCoachContext(platform, coachId, 'demo')
    if (ctx) for (const module of missing) await module.seed?.(ctx, { which, now: platform.now() })
  }
  writeFileSync(stateFile(platform.config), JSON.stringify([...seeded, ...missing.map(({ id }) => id)]))
}

/** If ADMIN_EMAIL is the demo administrator, ADMIN_PASSWORD replaces its known password. */
export async function setDemoAdminPassword(platform: Platform): Promise<void> {
  const { admin } = platform.config
  if (!isDemoAdmin(admin?.email) || !admin?.password) return
  const [known] = await findAccount(platform, admin.email)
  const passwordHash = await hashPassword(admin.password)
  if (known)
    await withTenant(platform, known.id, ({ em }) => em.nativeUpdate(Account, { id: known.id }, { passwordHash }))
}

const isDemoAdmin = (email: string | undefined): boolean => email === demoSignIns[2].email

/** The sign-ins to print in the terminal; never prints ADMIN_PASSWORD. */
export function listDemoSignIns({ admin }: Config): DemoSignIn[] {
  return demoSignIns.map(({ which, ...signIn }) =>
    which === 'admin' && isDemoAdmin(admin?.email) && admin?.password
      ? { ...signIn, password: '(your ADMIN_PASSWORD)' }
      : signIn,
  )
}

async function brandPractice(
  platform: Platform,
  coachId: number,
  which: 'first' | 'second',
  subdomain: string,
): Promise<void> {
  const { primaryColor, logo } = practices[which]
  await (await loadCoachContext(platform, coachId, 'demo'))?.write(async (tx) => {
    await updateBranding(tx, { primaryColor, subdomain })
    await saveLogo(tx, Buffer.from(logo))
  })
}

/** Which modules have seeded. Lies beside the embedded database, the only one with a demo practice. */
const stateFile = ({ dataDir }: Config): string => path.join(dataDir, 'demo-modules.json')

function readSeededModules(config: Config): string[] {
  return existsSync(stateFile(config)) ? (JSON.parse(readFileSync(stateFile(config), 'utf8')) as string[]) : []
}

const findAccount = (platform: Platform, email: string) =>
  platform.readPool.queryGlobal<{ id: number }>({
    name: 'sign-in.account',
    text: 'select id, password_hash from find_account_by_email($1)',
    values: [email],
  })
