import { UniqueConstraintViolationException } from '@mikro-orm/core'
import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'
import { utc } from '#db/read-pool.ts'
import { coachCtx, type Ctx, type WriteCtx } from '../context.ts'
import type { Branding, Profile, Register } from './forms.ts'
import { isOwnUpload } from './logos.ts'
import { inTenant, type NewAccountStep, type Platform, type TenantTransaction } from '../platform.ts'
import { trialDays } from './plans.ts'
import { Account } from '../schema.ts'
import { hashPassword, openSession } from '../auth/sign-in.ts'
import type { Account as CoachAccount } from '../auth/viewer.ts'

/** The user record of the API: exactly these fields, never a secret. */
export const UserOut = z.object({
  id: z.int(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  profileImageUrl: z.string().nullable(),
  role: z.string(),
  businessName: z.string().nullable(),
  bio: z.string().nullable(),
  phone: z.string().nullable(),
  timezone: z.string(),
  primaryColor: z.string(),
  logoUrl: z.string().nullable(),
  subdomain: z.string().nullable(),
  onboardingCompleted: z.boolean(),
  isAdmin: z.boolean(),
  subscriptionStatus: z.enum(['free', 'pro', 'premium']),
  googleConnected: z.boolean(),
  googleEmail: z.string().nullable(),
  zoomConnected: z.boolean(),
  zoomEmail: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type User = z.infer<typeof UserOut>

/**
 * Makes an account and signs it in. Throws conflict for an address that is taken.
 * Answers the id and the session's token.
 */
export async function register(
  platform: Platform,
  { password, ...input }: z.infer<typeof Register>,
): Promise<{ coachId: number; token: string }> {
  const coachId = await createAccount(platform, { ...input, passwordHash: await hashPassword(password) })
  return { coachId, token: await openSession(platform, coachId) }
}

export type NewAccount = {
  email: string
  firstName: string
  lastName: string
  passwordHash?: string | null
  businessName?: string | null
  isAdmin?: boolean
  plan?: 'free' | 'pro' | 'premium'
  timezone?: string
  bio?: string | null
}

/**
 * A new tenant, with an id of its own, what modules begin it with, and what `also` adds, in one transaction: its own, or
 * the one that `as` writes in. Throws conflict for an address that is taken.
 */
export async function createAccount(
  platform: Platform,
  input: NewAccount,
  also?: NewAccountStep,
  as = (id: number, work: (tx: TenantTransaction) => Promise<void>): Promise<void> => inTenant(platform, id, work),
): Promise<number> {
  const [next] = await platform.reads.look<{ id: number }>({
    name: 'account.next-id',
    text: `select nextval('account_id_seq') as id`,
  })
  const id = next!.id
  const now = platform.now()
  const { email, firstName, lastName, passwordHash = null, ...rest } = input
  try {
    await as(id, async (tx) => {
      tx.em.create(Account, { ...rest, id, email, firstName, lastName, passwordHash, createdAt: now, updatedAt: now })
      await tx.em.flush()
      await platform.newAccount(tx, id)
      await also?.(tx, id)
    })
  } catch (error) {
    throw emailTaken(error)
  }
  return id
}

function emailTaken(error: unknown): unknown {
  return error instanceof UniqueConstraintViolationException && error.message.includes('account_email_key')
    ? new AppError('conflict', 'An account with this email already exists', { field: 'email' })
    : error
}

/** The user record of `coachId`. */
export async function userOf(ctx: Ctx): Promise<User> {
  const [row] = await ctx.rows<User>({
    name: 'account.user',
    text: `select id, email, first_name as "firstName", last_name as "lastName", profile_image_url as "profileImageUrl", role,
      business_name as "businessName", bio, phone, timezone, primary_color as "primaryColor", logo_url as "logoUrl", subdomain,
      onboarding_completed as "onboardingCompleted", is_admin as "isAdmin",
      case when plan = 'free' and trial_ends_at > $2 then 'pro' else plan end as "subscriptionStatus",
      false as "googleConnected", null as "googleEmail", false as "zoomConnected", null as "zoomEmail",
      ${utc('created_at')} as "createdAt", ${utc('updated_at')} as "updatedAt"
      from account where id = $1`,
    values: [ctx.coachId, ctx.now()],
  })
  return row!
}

/** Changes the fields that are sent. */
export async function saveProfile(ctx: WriteCtx, input: z.infer<typeof Profile>): Promise<void> {
  await save(ctx, input)
}

/** Changes the fields that are sent. Throws conflict for a subdomain that is taken. The old subdomain stops at once. */
export async function saveBranding(ctx: WriteCtx, input: z.infer<typeof Branding>): Promise<void> {
  if (input.logoUrl?.startsWith('/') && !(await isOwnUpload(ctx, input.logoUrl))) {
    throw new AppError('validation_failed', 'There is no such upload', { field: 'logoUrl' })
  }
  try {
    await save(ctx, input)
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException)
      throw new AppError('conflict', 'This address is already taken', { field: 'subdomain' })
    throw error
  }
}

async function save(ctx: WriteCtx, input: z.infer<typeof Profile> | z.infer<typeof Branding>): Promise<void> {
  const sent = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
  if (!Object.keys(sent).length) return
  const account = await ctx.em.findOneOrFail(Account, { id: ctx.coachId })
  ctx.em.assign(account, { ...sent, updatedAt: ctx.now() })
  await ctx.em.flush()
}

/** Starts the 14 days of Pro, once in an account's life. Throws conflict the second time, and on a paid plan. */
export async function startTrial(ctx: WriteCtx): Promise<void> {
  const now = ctx.now()
  const started = await ctx.em.nativeUpdate(
    Account,
    { id: ctx.coachId, trialEndsAt: null, plan: 'free' },
    { trialEndsAt: new Date(now.getTime() + trialDays * 86_400_000), updatedAt: now },
  )
  if (!started)
    throw new AppError(
      'conflict',
      ctx.plan === 'free' ? 'The free trial was already used' : 'You are already on a paid plan',
    )
}

/** A coach's own context outside of any request (jobs, the demo practice); null once the coach is removed. */
export async function ctxOf(platform: Platform, coachId: number, requestId: string): Promise<Ctx | null> {
  const [rows] = await platform.reads.asTenant(coachId, [
    {
      name: 'account.own',
      text: `select id, email, first_name as "firstName", last_name as "lastName", profile_image_url as "profileImageUrl", business_name as "businessName",
        timezone, primary_color as "primaryColor", logo_url as "logoUrl", subdomain, onboarding_completed as "onboardingCompleted", is_admin as "isAdmin",
        case when plan = 'free' and trial_ends_at > $2 then 'pro' else plan end as plan, ${utc('trial_ends_at')} as "trialEndsAt", trial_ends_at is not null as "trialUsed"
        from account where id = $1 and removed_at is null`,
      values: [coachId, platform.now()],
    },
  ])
  const [account] = rows as CoachAccount[]
  return account ? coachCtx(platform, account, requestId) : null
}
