import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { AppError } from '#app/lib/errors.ts'
import { createAccount, loadCoachContext, updateBranding } from '#tenants/accounts/accounts.ts'
import { saveImage } from '#tenants/accounts/images.ts'
import { releaseErasedSubdomain } from '#tenants/accounts/subdomains.ts'
import { endAccess } from '#tenants/auth/one-time-tokens.ts'
import { findCredentials, hashPassword, verifyPassword } from '#tenants/auth/sign-in.ts'
import { withTenant, type Platform } from '#tenants/platform.ts'
import { Account } from '#tenants/schema.ts'
import { createDemoState, demoAccounts, readDemoState, writeDemoState } from './demo-state.ts'
import type { DemoEntry, DemoName, DemoState } from './demo-state.ts'
import type { ModuleManifest } from './manifest.ts'

/** `password`: null when it isn't new. */
export type DemoSignIn = { label: string; email: string; password: string | null; subdomain: string | null }

/** The password of every demo account of earlier versions. */
const publishedPassword = 'demo-practice'

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
      weekStart: 'monday',
      timeFormat: '24h',
      plan: 'pro',
      bio: 'Running and health coaching for people who start late and want to stay with it. Small steps, honest numbers, no heroics.',
    },
  },
} as const

type Demo = { platform: Platform; state: DemoState; save(): void }

/**
 * Creates the demo accounts, as the database's owner, and fills their practices through the same services as the
 * screens, each module once. A start that was interrupted continues. Without `demo` it closes them. A configured
 * administrator replaces the demo's. Returns the sign-ins.
 */
export async function ensureDemo(
  platform: Platform,
  modules: ModuleManifest[],
  { demo: isDemo }: { demo: boolean },
): Promise<DemoSignIn[]> {
  const { dataDir, admin } = platform.config
  const state = readDemoState(dataDir) ?? createDemoState()
  const demo: Demo = { platform, state, save: () => writeDemoState(dataDir, state) }
  const signIns: DemoSignIn[] = []
  for (const { which, label, email, subdomain } of demoAccounts) {
    const isAdministrators = email === admin?.email
    const isEnabled = isAdministrators || (isDemo && (which !== 'admin' || !admin))
    let isNew = await adoptEarlierAccount(demo, which, email)
    await forgetMissingAccount(demo, which, email)
    if (!isEnabled) await closeAccount(demo, which)
    else if (state[which].closed) isNew = await reopenAccount(demo, which)
    else if (isDemo && state[which].id === null) isNew = await createDemoAccount(demo, which, email)
    if (!isDemo || !isEnabled || state[which].id === null) continue
    if (which !== 'admin') await fillPractice(demo, which, subdomain, modules)
    const password = isAdministrators && admin.password ? '(your ADMIN_PASSWORD)' : state[which].password
    signIns.push({ label, email, subdomain, password: isNew ? password : null })
  }
  return signIns
}

/** Takes over an account of an earlier version and replaces its published password. Returns whether there was one. */
async function adoptEarlierAccount({ platform, state, save }: Demo, which: DemoName, email: string): Promise<boolean> {
  const entry = state[which]
  const account = entry.id === null ? await findCredentials(platform, email) : undefined
  if (!account?.passwordHash) return false
  const hasPassword = (password: string) => verifyPassword(account.passwordHash!, password)
  if (await hasPassword(publishedPassword)) {
    save()
    await changeAccount(platform, account.id, { passwordHash: await hashPassword(entry.password) })
    // An interrupted start has set the new password already.
  } else if (!(await hasPassword(entry.password))) return false
  Object.assign(entry, { id: account.id, modules: readEarlierModules(platform.config.dataDir) })
  save()
  return true
}

/** The account was erased, or took an address of its own. */
async function forgetMissingAccount({ platform, state }: Demo, which: DemoName, email: string): Promise<void> {
  const { id } = state[which]
  if (id === null) return
  const [rows] = await platform.readPool.queryAsTenant(id, [
    { name: 'demo.account', text: 'select 1 from account where id = $1 and email = $2', values: [id, email] },
  ])
  if (!rows!.length) Object.assign(state[which], { id: null, closed: false, modules: [] } satisfies Partial<DemoEntry>)
}

async function closeAccount({ platform, state, save }: Demo, which: DemoName): Promise<void> {
  const entry = state[which]
  if (entry.id === null || entry.closed) return
  await changeAccount(platform, entry.id, { removedAt: platform.now(), isAdmin: false })
  entry.closed = true
  save()
}

async function reopenAccount({ platform, state, save }: Demo, which: DemoName): Promise<boolean> {
  const entry = state[which]
  const passwordHash = await hashPassword(entry.password)
  await changeAccount(platform, entry.id!, { removedAt: null, isAdmin: which === 'admin', passwordHash })
  entry.closed = false
  save()
  return true
}

/** Returns false when somebody else has the address. */
async function createDemoAccount({ platform, state, save }: Demo, which: DemoName, email: string): Promise<boolean> {
  const entry = state[which]
  const { plan, ...person } =
    which === 'admin'
      ? { firstName: 'Robin', lastName: 'Castellanos', plan: 'free' as const }
      : practices[which].account
  // Save the password first: by it the next start finds the account of an interrupted one.
  save()
  try {
    const passwordHash = await hashPassword(entry.password)
    const account = { ...person, email, passwordHash, emailVerifiedAt: platform.now() }
    entry.id = await createAccount(platform, account, async ({ em }, id) => {
      await em.nativeUpdate(Account, { id }, { plan, isAdmin: which === 'admin' })
    })
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return false
    throw error
  }
  save()
  return true
}

/** Ends all access to the account, so that only its new password opens it. */
async function changeAccount(
  platform: Platform,
  id: number,
  changes: { removedAt?: Date | null; isAdmin?: boolean; passwordHash?: string },
): Promise<void> {
  await withTenant(platform, id, async (tx) => {
    await tx.em.nativeUpdate(Account, { id }, changes)
    await endAccess(tx, id)
  })
}

/** Runs the seeds of the modules that haven't run yet. */
async function fillPractice(
  { platform, state, save }: Demo,
  which: 'first' | 'second',
  subdomain: string | null,
  modules: ModuleManifest[],
): Promise<void> {
  const entry = state[which]
  const missing = modules.filter(({ id, seed }) => seed && !entry.modules.includes(id))
  if (!missing.length) return
  const ctx = await loadCoachContext(platform, entry.id!, 'demo')
  if (!ctx) return
  if (!entry.modules.length) {
    const { primaryColor, logo } = practices[which]
    await ctx.write(async (tx) => {
      // The practice of an earlier demo may have been erased.
      if (subdomain) await releaseErasedSubdomain(tx, subdomain)
      await updateBranding(tx, { primaryColor, subdomain })
      await saveImage(tx, 'logo', Buffer.from(logo))
    })
  }
  for (const module of missing) await module.seed!(ctx, { which, now: platform.now() })
  entry.modules.push(...missing.map(({ id }) => id))
  save()
}

/** Which modules an earlier version has seeded. */
function readEarlierModules(dataDir: string): string[] {
  const file = path.join(dataDir, 'demo-modules.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as string[]) : []
}
