import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createAccount, ctxOf, saveBranding } from '#tenants/accounts/accounts.ts'
import type { Config } from '#tenants/config.ts'
import { saveLogo } from '#tenants/accounts/logos.ts'
import { hashPassword } from '#tenants/auth/sign-in.ts'
import { inTenant, type Platform } from '#tenants/platform.ts'
import { Account } from '#tenants/schema.ts'
import type { ModuleManifest } from './manifest.ts'
import { modules } from '../registry.ts'

/** The sign-ins of the demo practice, printed at start. They exist only on the embedded database. */
export const demoSignIns = [
  { which: 'first', email: 'demo@example.com', password: 'demo-practice', subdomain: 'stillwater' },
  { which: 'second', email: 'demo2@example.com', password: 'demo-practice', subdomain: 'northstar' },
  { which: 'admin', email: 'admin@example.com', password: 'demo-practice', subdomain: null },
] as const

const practices = {
  first: {
    primaryColor: '#0f766e',
    // Still water: two waves.
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
 * Two practices and an admin, through the same services as the screens. A start that was killed half-way goes on at the next
 * one: the admin comes last, and each module's seed does nothing where its rows are. Once the admin is there, only modules
 * that came later fill in theirs, each once: what the coach did meanwhile stays.
 */
export async function seedDemo(platform: Platform, from: ModuleManifest[] = modules): Promise<void> {
  const [admin] = await accountsOf(platform, demoSignIns[2].email)
  const filled = admin ? (filledIn(platform.config) ?? firstModules) : []
  const missing = from.filter(({ id, seed }) => seed && !filled.includes(id))
  if (admin && !missing.length) return
  for (const { which, email, password, subdomain } of demoSignIns) {
    const [known] = await accountsOf(platform, email)
    if (admin && !known) continue
    const person =
      which === 'admin' ? { firstName: 'Robin', lastName: 'Castellanos', isAdmin: true } : practices[which].account
    const coachId =
      known?.id ?? (await createAccount(platform, { ...person, email, passwordHash: await hashPassword(password) }))
    if (which === 'admin') continue
    if (!admin) await brandPractice(platform, coachId, which, subdomain)
    const ctx = await ctxOf(platform, coachId, 'demo')
    if (ctx) for (const module of missing) await module.seed?.(ctx, { which, now: platform.now() })
  }
  writeFileSync(markOf(platform.config), JSON.stringify([...filled, ...missing.map(({ id }) => id)]))
}

/** Where ADMIN_EMAIL names the admin of the demo, ADMIN_PASSWORD is its password: it is nobody's own. */
export async function takeOverDemoAdmin(platform: Platform): Promise<void> {
  const { admin } = platform.config
  if (!isDemoAdmin(admin?.email) || !admin?.password) return
  const [known] = await accountsOf(platform, admin.email)
  const passwordHash = await hashPassword(admin.password)
  if (known)
    await inTenant(platform, known.id, ({ em }) => em.nativeUpdate(Account, { id: known.id }, { passwordHash }))
}

const isDemoAdmin = (email: string | undefined): boolean => email === demoSignIns[2].email

/** What the terminal prints; the password of ADMIN_PASSWORD it doesn't. */
export function printedSignIns({ admin }: Config): { email: string; password: string; subdomain: string | null }[] {
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
  await (await ctxOf(platform, coachId, 'demo'))?.write(async (tx) => {
    await saveBranding(tx, { primaryColor, subdomain })
    await saveLogo(tx, Buffer.from(logo))
  })
}

/** Those that filled in a demo practice before it was noted which. */
const firstModules = ['crm', 'billing', 'pipeline']

/** Beside the embedded database, which alone has a demo practice, stands what is filled in. */
const markOf = ({ dataDir }: Config): string => path.join(dataDir, 'demo-modules.json')

function filledIn(config: Config): string[] | null {
  return existsSync(markOf(config)) ? (JSON.parse(readFileSync(markOf(config), 'utf8')) as string[]) : null
}

const accountsOf = (platform: Platform, email: string) =>
  platform.reads.look<{ id: number }>({
    name: 'sign-in.account',
    text: 'select id, password_hash from sign_in_account($1)',
    values: [email],
  })
