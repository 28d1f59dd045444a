import type { z } from 'zod'
import { cookieName } from '#app/server/http/cookies.ts'
import * as products from '#modules/billing/services/products.ts'
import * as purchases from '#modules/billing/services/purchases.ts'
import { NewProduct, NewPurchase } from '#modules/billing/forms.ts'
import { NewClient, NewInteraction } from '#modules/crm/forms.ts'
import * as clients from '#modules/crm/services/clients.ts'
import * as interactions from '#modules/crm/services/interactions.ts'
import type { ClientRecord } from '#modules/crm/index.ts'
import * as accounts from '#tenants/accounts/accounts.ts'
import { sessionCookieName } from '#tenants/accounts/api.ts'
import type { PlanName } from '#tenants/accounts/plans.ts'
import * as sessions from '#tenants/auth/sessions.ts'
import { hashPassword } from '#tenants/auth/sign-in.ts'
import { usesHttps } from '#tenants/config.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import type { Platform } from '#tenants/platform.ts'
import { AuthenticatorApp, Passkey, RecoveryCode } from '#tenants/schema.ts'
import { changeAccountAsOwner, runForCoach } from './as-db-owner.ts'

// Factories of both test runners. Each takes the coach whose practice gets the record, and any field that matters to
// the test.

/** An app under test: its services, and the owner of its database. */
type App = { platform: Platform; ownerUrl: string }
/** A practice to work in. */
export type Tenant = { id: number; platform: Platform }
export type Coach = Tenant & { email: string; cookie: string; subdomain: string | null; ownerUrl: string }

export type CoachOptions = {
  /** The app to create the account in; the test file's own unless given. */
  app?: App
  email?: string
  firstName?: string
  lastName?: string
  /** Lets the account sign in with a password. */
  password?: string
  plan?: PlanName
  isAdmin?: boolean
  /** True unless the test is about an address that was never confirmed. */
  emailVerified?: boolean
  timezone?: string
  subdomain?: string | null
  primaryColor?: string
  businessName?: string
  bio?: string
}

let defaultApp: App | undefined

/** Sets the app in which coaches are created unless the test names another: the first one of the test file. */
export function setDefaultApp(app: App): void {
  defaultApp ??= app
}

/** Test files share their modules: the next file sets its own app. */
export function clearDefaultApp(): void {
  defaultApp = undefined
}

let createdCoaches = 0

/** A coach with an account and a session. */
export async function createCoach(options: CoachOptions = {}): Promise<Coach> {
  const {
    app = defaultApp,
    plan = 'premium',
    isAdmin = false,
    emailVerified = true,
    subdomain = null,
    password,
  } = options
  if (!app) throw new Error('Call createTestApp() first, or pass { app }.')
  const { platform, ownerUrl } = app
  const number = ++createdCoaches
  const email = options.email ?? `coach${number}-${process.pid}@example.com`
  const id = await accounts.createAccount(platform, {
    email,
    firstName: options.firstName ?? 'Ada',
    lastName: options.lastName ?? `Coach ${number}`,
    ...(emailVerified ? { emailVerifiedAt: platform.now() } : {}),
    ...(options.timezone ? { timezone: options.timezone } : {}),
    ...(password === undefined ? {} : { passwordHash: await hashPassword(password) }),
    ...(options.businessName === undefined ? {} : { businessName: options.businessName }),
    ...(options.bio === undefined ? {} : { bio: options.bio }),
  })
  if (plan !== 'free' || isAdmin) await changeAccountAsOwner(ownerUrl, id, { plan, isAdmin })
  const cookie = cookieName(sessionCookieName, usesHttps(platform.config))
  const session = await createSession({ id, platform })
  const coach: Coach = { id, platform, ownerUrl, email, cookie: `${cookie}=${session}`, subdomain }
  const { primaryColor } = options
  if (subdomain || primaryColor)
    await inTenant(coach, (ctx) =>
      accounts.updateBranding(ctx, {
        ...(subdomain ? { subdomain } : {}),
        ...(primaryColor === undefined ? {} : { primaryColor }),
      }),
    )
  return coach
}

const testDevice = { userAgent: 'Chrome/140.0 (Linux)', address: '127.0.0.1' }

/** Signs the coach in past the sign-in page. Returns the token of the session cookie. */
export function createSession({ id, platform }: Tenant, device = testDevice): Promise<string> {
  return sessions.createSession(platform, id, device, null)
}

/** Changes the plan as the administrator does. */
export const setPlan = ({ id, ownerUrl }: Coach, plan: PlanName): Promise<void> =>
  changeAccountAsOwner(ownerUrl, id, { plan })

/** Switches modules of the coach on (true) or off, as the administrator does. */
export async function switchModules({ id, ownerUrl }: Coach, switches: Record<string, boolean>): Promise<void> {
  const value = JSON.stringify(switches).replaceAll("'", "''")
  await runForCoach(ownerUrl, id, `update account set module_switches = '${value}' where id = ${id}`)
}

/** An authenticator app, a recovery code and a passkey, which nothing can use. */
export function addSecondFactors(coach: Tenant): Promise<void> {
  const { id: coachId } = coach
  const key = Buffer.from(`key of ${coachId}`)
  return inTenant(coach, async ({ em, now }) => {
    em.create(AuthenticatorApp, { coachId, secret: 'none', createdAt: now() })
    em.create(RecoveryCode, { coachId, codeHash: key })
    const passkey = { credentialId: key, publicKey: key, signCount: 0, transports: [] }
    em.create(Passkey, { coachId, name: 'Phone', ...passkey, createdAt: now() })
  })
}

/** How many authenticator apps, recovery codes and passkeys the coach has. */
export function countSecondFactors(coach: Tenant): Promise<number[]> {
  const own = { coachId: coach.id }
  return inTenant(coach, async ({ em }) => [
    await em.count(AuthenticatorApp, own),
    await em.count(RecoveryCode, own),
    await em.count(Passkey, own),
  ])
}

/** The coach's context for reading. */
export async function contextFor({ id, platform }: Tenant): Promise<Ctx> {
  const ctx = await accounts.loadCoachContext(platform, id, 'test')
  if (!ctx) throw new Error('This coach has been removed.')
  return ctx
}

/** Runs `work` in one transaction of the coach. */
export async function inTenant<T>(coach: Tenant, work: (ctx: WriteCtx) => Promise<T>): Promise<T> {
  return (await contextFor(coach)).write(work)
}

/** The fields of a record that matter to a test, and whose it is. */
export type For<Schema extends z.ZodType> = { coach: Tenant } & Partial<z.input<Schema>>

export function createClient({ coach, ...fields }: For<typeof NewClient>): Promise<ClientRecord> {
  const input = { name: 'Ada Lovelace', email: 'ada@example.com', ...fields }
  return inTenant(coach, (ctx) => clients.createClient(ctx, NewClient.parse(input)))
}

export async function createInteraction({
  coach,
  clientId,
  ...fields
}: For<typeof NewInteraction> & { clientId: number }): Promise<{ id: number }> {
  return inTenant(coach, (ctx) =>
    interactions.createInteraction(
      ctx,
      clientId,
      NewInteraction.parse({ name: 'Session 1', interactionDate: ctx.now().toISOString(), ...fields }),
    ),
  )
}

export function createProduct({ coach, ...fields }: For<typeof NewProduct>): Promise<{ id: number }> {
  const input = { name: 'Career Reset', price: '150.00', ...fields }
  return inTenant(coach, (ctx) => products.createProduct(ctx, NewProduct.parse(input)))
}

/** A completed purchase of $150.00 in cash, now. `amount` is in cents. */
export function createPurchase({
  coach,
  ...fields
}: For<typeof NewPurchase> & { clientId: number; productId: number }): Promise<{ id: number; purchaseDate: string }> {
  const input = { amount: 15_000, paymentMethod: 'cash', ...fields }
  return inTenant(coach, (ctx) => purchases.createPurchase(ctx, NewPurchase.parse(input)))
}
