import { readFileSync } from 'node:fs'
import { test as base, expect, type BrowserContext, type Page } from '@playwright/test'
import { kernel } from '#app/server/process/runtime.ts'
import type { ClientValues } from '#modules/crm/forms.ts'
import { addClient, NewClient } from '#modules/crm/index.ts'
import { createAccount, ctxOf, saveBranding } from '#tenants/accounts/accounts.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import type { PlanName } from '#tenants/accounts/plans.ts'
import type { Platform } from '#tenants/platform.ts'
import { Account } from '#tenants/schema.ts'
import { hashPassword, openSession } from '#tenants/auth/sign-in.ts'
import { e2eConfig, noteOf, type E2eNote } from '#tests/support/e2e-config.ts'

export { expect }

export type House = {
  platform: Platform
  /** Every screen of the build, as the router writes its address. */
  pages: string[]
  /** A coach with an account of their own; nobody else's tests see it. */
  aCoach(wanted?: Wanted): Promise<Coach>
  /** A coach of the demo practice. */
  demoCoach(email: string): Promise<Coach>
}

export type Wanted = {
  email?: string
  plan?: PlanName
  isAdmin?: boolean
  /** True for a subdomain made up for this coach. */
  ownHost?: boolean
  primaryColor?: string
  businessName?: string
  bio?: string
  firstName?: string
  lastName?: string
  /** Makes the account able to sign in by its password. */
  password?: string
  clients?: TestClient[]
}
type TestClient = { name: string } & { [Field in keyof ClientValues]?: ClientValues[Field] | undefined }

export type Coach = {
  id: number
  email: string
  subdomain: string | null
  /** `http://localhost:4173`, or the coach's own host. */
  origin: string
  ctx(): Promise<Ctx>
  write<T>(work: (ctx: WriteCtx) => Promise<T>): Promise<T>
  addClient(client: TestClient): Promise<void>
  /** Signs the browser in as this coach, past the sign-in screen. */
  signIn(context: BrowserContext, where?: { origin?: string }): Promise<void>
}

/** What a browser complained about: each test ends with an empty list unless it says what it expects. */
export type Complaints = {
  watch(page: Page): void
  /** Takes out what a test brought about itself. */
  forget(what: RegExp): void
}

type Fixtures = { complaints: Complaints }

export const test = base.extend<Fixtures, { house: House }>({
  house: [
    async ({ browserName: _ }, use) => {
      const config = e2eConfig({ ROLE: 'web', LOG_LEVEL: 'error' })
      const { appUrl, pages }: E2eNote = JSON.parse(readFileSync(noteOf(config), 'utf8'))
      const platform = await kernel.open({ appUrl, config })
      await use({
        platform,
        pages,
        aCoach: (wanted) => aCoach(platform, wanted),
        demoCoach: (email) => demoCoach(platform, email),
      })
      await platform.close()
    },
    { scope: 'worker' },
  ],

  // Every page of every test, also of contexts that a test opens itself through `browser`, is held to this.
  complaints: [
    async ({ context }, use) => {
      const list: string[] = []
      const complaints: Complaints = {
        watch(page) {
          page.on('console', (message) => {
            if ((message.type() === 'error' || message.type() === 'warning') && !isHarmless(message.text()))
              list.push(`${page.url()}: ${message.text()}`)
          })
          page.on('pageerror', (error) => list.push(`${page.url()}: ${error.message}`))
        },
        forget: (what) => list.splice(0, Infinity, ...list.filter((complaint) => !what.test(complaint))),
      }
      for (const page of context.pages()) complaints.watch(page)
      context.on('page', (page) => complaints.watch(page))
      await use(complaints)
      expect(
        list,
        'nothing in the console, no violation of the content security policy, no mismatch on hydration',
      ).toEqual([])
    },
    { auto: true },
  ],
})

/**
 * Chromium notes every answer from 400 on: a refused form is no fault, one from 500 on is. A pointer that is over a link before
 * its route is known makes Remix say that it fetches nothing ahead; and it says so when a load was aborted, by the next one,
 * while its answer was being read.
 */
function isHarmless(text: string): boolean {
  return (
    text.startsWith('Tried to prefetch ') ||
    text.startsWith('AbortError: signal is aborted without reason') ||
    /^Failed to load resource: the server responded with a status of 4\d\d/.test(text)
  )
}

let made = 0

async function aCoach(platform: Platform, wanted: Wanted = {}): Promise<Coach> {
  const { plan = 'premium', isAdmin = false, firstName = 'Ada', lastName = 'Winter', password, clients = [] } = wanted
  const name = `ada-${process.pid}-${++made}`
  const { email = `${name}@example.com` } = wanted
  const passwordHash = password === undefined ? null : await hashPassword(password)
  const id = await createAccount(platform, {
    email,
    firstName,
    lastName,
    plan,
    isAdmin,
    passwordHash,
    businessName: wanted.businessName ?? null,
    bio: wanted.bio ?? null,
  })
  const coach = coachOf(platform, id, email, wanted.ownHost ? name : null)
  await coach.write(async (ctx) => {
    await saveBranding(ctx, { subdomain: wanted.ownHost ? name : undefined, primaryColor: wanted.primaryColor })
    for (const client of clients) await addClient(ctx, newClient(client))
  })
  return coach
}

async function demoCoach(platform: Platform, email: string): Promise<Coach> {
  const [row] = await platform.reads.look<{ id: number }>({
    name: 'sign-in.account',
    text: 'select id, password_hash from sign_in_account($1)',
    values: [email],
  })
  const { account } = await ctxFor(platform, row!.id)
  return coachOf(platform, account.id, email, account.subdomain)
}

function coachOf(platform: Platform, id: number, email: string, subdomain: string | null): Coach {
  const platformOrigin = platform.config.origin
  const origin = subdomain ? platformOrigin.replace('//', `//${subdomain}.`) : platformOrigin
  return {
    id,
    email,
    subdomain,
    origin,
    ctx: () => ctxFor(platform, id),
    write: async (work) => (await ctxFor(platform, id)).write(work),
    addClient: async (client) =>
      (await ctxFor(platform, id)).write(async (ctx) => void (await addClient(ctx, newClient(client)))),
    async signIn(context, where = {}) {
      const value = await openSession(platform, id)
      await context.addCookies([
        { name: 'session', value, url: where.origin ?? platformOrigin, httpOnly: true, sameSite: 'Lax' },
      ])
    },
  }
}

async function ctxFor(platform: Platform, coachId: number): Promise<Ctx> {
  const ctx = await ctxOf(platform, coachId, 'a browser test')
  if (!ctx) throw new Error('this coach is removed')
  return ctx
}

export const emailOf = (name: string): string => `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '.')}@example.com`

const newClient = (client: TestClient): NewClient => NewClient.parse({ email: emailOf(client.name), ...client })

/** As the administrator does it. */
export async function setPlan(coach: Coach, plan: PlanName): Promise<void> {
  await coach.write(({ em }) => em.nativeUpdate(Account, { id: coach.id }, { plan }))
}

/** The coach's clients, newest first. */
export async function clientsOf(coach: Coach): Promise<{ id: number; name: string; email: string }[]> {
  const ctx = await coach.ctx()
  return ctx.rows({
    name: 'e2e.clients',
    text: 'select id, name, email from client where coach_id = $1 and deleted_at is null order by created_at desc, id desc',
    values: [coach.id],
  })
}
