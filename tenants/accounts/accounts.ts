import { createHash } from 'node:crypto'
import { LockMode, UniqueConstraintViolationException } from '@mikro-orm/core'
import { z } from 'zod'
import type { TimeFormat, WeekStart } from '#app/lib/clock.ts'
import { AppError } from '#app/lib/errors.ts'
import { dayMs } from '#app/lib/time.ts'
import { isoTimestamp } from '#db/read-pool.ts'
import { coachContext, type Ctx, type WriteCtx } from '../context.ts'
import type { AccountName, Branding, Profile, ProfileForm, Register } from './forms.ts'
import { isOwnLogo } from './images.ts'
import { markOnboardingStep } from './onboarding.ts'
import { profileFields } from './profile-fields.ts'
import { checkNewPassword } from './passwords.ts'
import { checkSubdomain, claimSubdomain, releaseSubdomain } from './subdomains.ts'
import { findCustomDomain } from '../domains/queries.ts'
import { withTenant, type NewAccountStep, type Platform, type TenantTransaction } from '../platform.ts'
import { effectivePlanSql, planNames, trialDays, type PlanName } from './plans.ts'
import { setPassword, setPlan, setTrialEnd } from './protected-columns.ts'
import { Account } from '../schema.ts'
import { registrationRules } from '../auth/account-limits.ts'
import { countAttempt } from '../auth/rate-limit.ts'
import { replaceSession, type SignInContext } from '../auth/sessions.ts'
import { hashPassword } from '../auth/sign-in.ts'
import type { CoachAccount } from '../auth/viewer.ts'

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
  subscriptionStatus: z.enum(planNames),
  googleConnected: z.boolean(),
  googleEmail: z.string().nullable(),
  zoomConnected: z.boolean(),
  zoomEmail: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type User = z.infer<typeof UserOut>

/**
 * Creates an account, sends a link to confirm its address and signs it in, on the Pro trial if `startsTrial`. Returns
 * its id and the session's token. Throws conflict if the email address is taken, validation_failed for a password that
 * is easy to guess, rate_limited for a client that registers many.
 */
export async function register(
  platform: Platform,
  { email, password, firstName, lastName }: z.infer<typeof Register>,
  context: SignInContext,
  { timezone, startsTrial = false }: { timezone?: string | undefined; startsTrial?: boolean } = {},
): Promise<{ coachId: number; token: string }> {
  await countAttempt(platform, { rules: registrationRules(context.address), address: context.address })
  await checkNewPassword(platform.config, password, { email, firstName, lastName })
  const account: NewAccount = {
    email,
    firstName,
    lastName,
    passwordHash: await hashPassword(password),
    ...(timezone ? { timezone } : {}),
    ...(startsTrial ? { trialEndsAt: trialEnd(platform.now()) } : {}),
  }
  const coachId = await createAccount(platform, account, async (tx, id) => {
    tx.logSecurity({ event: 'account_registered', account: id, address: context.address })
    await tx.enqueue('mail.verification', { coachId: id })
  })
  return { coachId, token: await replaceSession(platform, coachId, context) }
}

export type NewAccount = {
  email: string
  firstName: string
  lastName: string
  passwordHash?: string
  /** For an account whose address needs no proof. */
  emailVerifiedAt?: Date
  businessName?: string | null
  /** Only an administrator chooses one. */
  plan?: PlanName
  timezone?: string
  weekStart?: WeekStart
  timeFormat?: TimeFormat
  bio?: string | null
  trialEndsAt?: Date
}

/**
 * Creates a tenant with the initial rows of all modules and what `afterInsert` adds, in one transaction: a new one, or
 * the one that `runInTenant` uses. Throws conflict if the email address is taken.
 */
export async function createAccount(
  platform: Platform,
  input: NewAccount,
  afterInsert?: NewAccountStep,
  runInTenant = (id: number, work: (tx: TenantTransaction) => Promise<void>): Promise<void> =>
    withTenant(platform, id, work),
): Promise<number> {
  const [next] = await platform.readPool.queryGlobal<{ id: number }>({
    name: 'account.next-id',
    text: `select nextval('account_id_seq') as id`,
  })
  const id = next!.id
  const now = platform.now()
  const { passwordHash, plan = 'free', trialEndsAt, ...columns } = input
  try {
    await runInTenant(id, async (tx) => {
      tx.em.create(Account, { ...columns, id, createdAt: now, updatedAt: now })
      await tx.em.flush()
      if (passwordHash) await setPassword(tx, passwordHash, now)
      if (trialEndsAt) await setTrialEnd(tx, trialEndsAt, now)
      if (plan !== 'free') await setPlan(tx, plan, now)
      await platform.newAccount(tx, id, now)
      await afterInsert?.(tx, id, now)
    })
  } catch (error) {
    throw toEmailConflict(error)
  }
  return id
}

function toEmailConflict(error: unknown): unknown {
  return error instanceof UniqueConstraintViolationException && error.message.includes('account_email_key')
    ? new AppError('conflict', 'An account with this email already exists', { field: 'email' })
    : error
}

/** The columns that the API's user record and `CoachAccount` share. */
const accountColumns = `id, email, first_name as "firstName", last_name as "lastName",
  profile_image_url as "profileImageUrl", business_name as "businessName", timezone, primary_color as "primaryColor",
  logo_url as "logoUrl", subdomain, onboarding_completed as "onboardingCompleted", is_admin as "isAdmin"`

/** The API's record of the signed-in coach, with the columns of modules. */
export async function getUser(ctx: Ctx): Promise<User> {
  const own = {
    name: 'account.user',
    text: `select ${accountColumns}, role, bio, phone, ${effectivePlanSql('$2')} as "subscriptionStatus",
      false as "googleConnected", null as "googleEmail", false as "zoomConnected", null as "zoomEmail",
      ${isoTimestamp('created_at')} as "createdAt", ${isoTimestamp('updated_at')} as "updatedAt"
      from account where id = $1`,
    values: [ctx.coachId, ctx.now()],
  }
  const columns = ctx.platform.extensions.userColumns.map((toQuery) => toQuery(ctx))
  const results = await ctx.queryAll([own, ...columns])
  return Object.assign({}, ...results.map(([row]) => row))
}

/** Changes the given fields. */
export async function updateProfile(ctx: WriteCtx, input: z.infer<typeof Profile>): Promise<void> {
  await updateAccount(ctx, input)
}

type ProfileValues = Partial<Record<keyof typeof profileFields, string | null>>

/** Stands for the values of a profile, as a version for its form. An account is changed by much else. */
export function profileVersion(profile: ProfileValues): number {
  const values = Object.keys(profileFields).map((name) => profile[name as keyof ProfileValues] ?? null)
  return createHash('sha256').update(JSON.stringify(values)).digest().readUIntBE(0, 6)
}

/** Saves the form in Settings. Throws conflict if the profile isn't the one that the form showed. */
export async function saveProfile(ctx: WriteCtx, { version, ...input }: z.infer<typeof ProfileForm>): Promise<void> {
  if (profileVersion(await lockAccount(ctx)) !== version)
    throw new AppError('conflict', 'This profile was changed in another tab.', { subject: 'profile' })
  await updateProfile(ctx, input)
}

export async function updateName(ctx: WriteCtx, input: z.infer<typeof AccountName>): Promise<void> {
  await updateAccount(ctx, input)
}

/**
 * Changes the given fields. A new subdomain replaces the old one immediately, which stays reserved for the coach.
 * Throws conflict for a taken subdomain, and for none while the coach has a domain of their own.
 */
export async function updateBranding(ctx: WriteCtx, input: z.infer<typeof Branding>): Promise<void> {
  if (input.logoUrl?.startsWith('/') && !(await isOwnLogo(ctx, input.logoUrl))) {
    throw new AppError('validation_failed', 'This upload was not found', { field: 'logoUrl' })
  }
  const { subdomain } = input
  const account = await lockAccount(ctx)
  const former = account.subdomain
  const isMoving = subdomain !== undefined && subdomain !== former
  if (isMoving && subdomain) checkSubdomain(ctx.platform.config, subdomain)
  if (subdomain === null) await requireNoCustomDomain(ctx)
  try {
    await updateAccount(ctx, input)
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException)
      throw new AppError('conflict', 'This address is already taken', { field: 'subdomain' })
    throw error
  }
  if (Object.values(input).some((value) => value !== undefined)) await markOnboardingStep(ctx, 'branding')
  // Only now: the unique key has waited for a coach who gives it up at the same time.
  if (isMoving && subdomain) await claimSubdomain(ctx, subdomain)
  if (isMoving && former) await releaseSubdomain(ctx, former)
}

/** A coach whose domain stops working, or who leaves the plan, keeps an address. */
async function requireNoCustomDomain(ctx: WriteCtx): Promise<void> {
  if (await findCustomDomain(ctx))
    throw new AppError('conflict', 'Remove your own domain first: it needs this address behind it', {
      field: 'subdomain',
    })
}

/** Two changes at the same time must not see the same former subdomain. */
const lockAccount = (ctx: WriteCtx) =>
  ctx.em.findOneOrFail(Account, { id: ctx.coachId }, { lockMode: LockMode.PESSIMISTIC_WRITE })

async function updateAccount(
  ctx: WriteCtx,
  input: z.infer<typeof Profile> | z.infer<typeof AccountName> | z.infer<typeof Branding>,
): Promise<void> {
  const changes = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
  if (!Object.keys(changes).length) return
  const account = await ctx.em.findOneOrFail(Account, { id: ctx.coachId })
  ctx.em.assign(account, { ...changes, updatedAt: ctx.now() })
  await ctx.em.flush()
}

/** Starts the 14-day Pro trial, once per account. Throws conflict the second time, and on a paid plan. */
export async function startTrial(ctx: WriteCtx): Promise<void> {
  const now = ctx.now()
  if (!(await setTrialEnd(ctx, trialEnd(now), now)))
    throw new AppError(
      'conflict',
      ctx.plan === 'free' ? 'The free trial was already used' : 'You are already on a paid plan',
    )
}

const trialEnd = (start: Date): Date => new Date(start.getTime() + trialDays * dayMs)

/**
 * A coach's context outside of requests, for jobs and the demo practice; null if the coach was removed. `orClosed`: not
 * if the owner has closed the account.
 */
export async function loadCoachContext(
  platform: Platform,
  coachId: number,
  requestId: string,
  { orClosed = false }: { orClosed?: boolean } = {},
): Promise<Ctx | null> {
  const account = await loadAccount(platform, coachId, orClosed)
  return account ? coachContext(platform, account, { requestId }) : null
}

/** The account of a coach as their session has it; null if the coach was removed. */
export async function loadAccount(platform: Platform, coachId: number, orClosed = false): Promise<CoachAccount | null> {
  const [rows] = await platform.readPool.queryAsTenant(coachId, [
    {
      name: 'account.own',
      text: `select ${accountColumns}, week_start as "weekStart", time_format as "timeFormat", currency,
        custom_domain as "customDomain", email_verified_at is not null as "emailVerified",
        ${effectivePlanSql('$2')} as plan,
        list_modules_off(module_switches, ${effectivePlanSql('$2')}) as "modulesOff",
        ${isoTimestamp('trial_ends_at')} as "trialEndsAt", trial_ends_at is not null as "trialUsed",
        ${isoTimestamp('payment_failed_at')} as "paymentFailedAt"
        from account where id = $1 and (removed_at is null or ($3::boolean and closed_at = removed_at))`,
      values: [coachId, platform.now(), orClosed],
    },
  ])
  const [account] = rows as CoachAccount[]
  return account ?? null
}

/** The currency, which stays until the transaction ends: `setCurrency` waits for it. */
export async function lockCurrency(ctx: WriteCtx): Promise<string> {
  const [account] = await ctx.query<{ currency: string }>({
    name: 'account.lock-currency',
    text: 'select currency from account where id = $1 for key share',
    values: [ctx.coachId],
  })
  return account!.currency
}

/** Changes the currency if `isAllowed`, which is asked when no other transaction has the currency locked. */
export async function setCurrency(
  ctx: WriteCtx,
  currency: string,
  isAllowed: () => Promise<boolean>,
): Promise<boolean> {
  await lockAccount(ctx)
  if (!(await isAllowed())) return false
  await ctx.query({
    name: 'account.set-currency',
    text: 'update account set currency = $2, updated_at = $3 where id = $1',
    values: [ctx.coachId, currency, ctx.now()],
  })
  return true
}
