import { createAccount, ctxOf, saveBranding } from '#tenants/accounts.ts'
import { hashPassword } from '#tenants/sign-in.ts'
import type { Platform } from '#tenants/platform.ts'
import { modules } from './registry.ts'

/** The sign-ins of the demo practice, printed at start. They exist only on the embedded database. */
export const demoSignIns = [
  { which: 'first', email: 'demo@example.com', password: 'demo-practice', subdomain: 'stillwater' },
  { which: 'second', email: 'demo2@example.com', password: 'demo-practice', subdomain: 'northstar' },
  { which: 'admin', email: 'admin@example.com', password: 'demo-practice', subdomain: null },
] as const

const practices = {
  first: {
    primaryColor: '#0f766e',
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
 * one: the admin comes last, and each module's seed does nothing where its rows are.
 */
export async function seedDemo(platform: Platform): Promise<void> {
  const [admin] = await accountsOf(platform, demoSignIns[2].email)
  if (admin) return
  for (const { which, email, password, subdomain } of demoSignIns) {
    const [known] = await accountsOf(platform, email)
    const person = which === 'admin' ? { firstName: 'Robin', lastName: 'Castellanos', isAdmin: true } : practices[which].account
    const coachId = known?.id ?? (await createAccount(platform, { ...person, email, passwordHash: await hashPassword(password) }))
    if (which !== 'admin') await seedPractice(platform, coachId, which, subdomain)
  }
}

async function seedPractice(platform: Platform, coachId: number, which: 'first' | 'second', subdomain: string): Promise<void> {
  const ctx = await ctxOf(platform, coachId, 'demo')
  if (!ctx) return
  await ctx.write((tx) => saveBranding(tx, { primaryColor: practices[which].primaryColor, subdomain }))
  for (const module of modules) await module.seed?.(ctx, { which, now: platform.now() })
}

const accountsOf = (platform: Platform, email: string) =>
  platform.reads.look<{ id: number }>({ name: 'sign-in.account', text: 'select id, password_hash from sign_in_account($1)', values: [email] })
