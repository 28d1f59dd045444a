import type { BrowserContext } from '@playwright/test'
import { requestEmailChange } from '#tenants/accounts/email-change.ts'
import { setCustomDomain } from '#tenants/domains/custom-domain.ts'
import { Account, AuthenticatorApp, Passkey, RecoveryCode } from '#tenants/schema.ts'
import { createSession } from '#tests/support/factories.ts'
import { createPortalSession } from '#tests/support/portal-session.ts'
import { moduleScreens } from '../module-screens.ts'
import { contextFor, getClients, inTenant, type Coach, type CoachOptions, type TestApp } from '../test-app.ts'
import type { World } from './screen.ts'

/** The password of the coaches whose screens ask for it. */
export const screenPassword = 'correct horse'

let world: Promise<World> | undefined

/** Created once per worker: the screens only read it. */
export function getWorld(app: TestApp): Promise<World> {
  return (world ??= createWorld(app))
}

async function createWorld(app: TestApp): Promise<World> {
  const brand: CoachOptions = {
    primaryColor: '#0f766e',
    businessName: 'Winter Coaching',
    bio: 'I work with people in the middle of a career.\n\nWe begin with what your days look like.',
  }
  const longText = `Wolfeschlegelsteinhausenbergerdorff${'welchevoralternwarengewissenhaftschafers'}`
  const base = {
    app,
    newcomer: await app.createCoach({ ...brand, password: screenPassword }),
    full: await app.createCoach({ ...brand, ownHost: true, password: screenPassword }),
    limited: await app.createCoach({ ...brand, plan: 'free', ownHost: true }),
    admin: await app.createCoach({ ...brand, isAdmin: true, ownHost: true }),
    unverified: await app.createCoach({ ...brand, emailVerified: false }),
    secured: await createSecuredCoach(app, brand, longText),
    closed: await createClosedCoach(app, brand),
    longText,
  }
  const device = { userAgent: null, address: '127.0.0.1' }
  const domain = { hostname: 'coaching.mara-winter.example', currentPassword: screenPassword }
  await inTenant(base.full, (ctx) => setCustomDomain(ctx, domain, device))
  const created = { ...base, signInClient: (context) => signInClient(base.full, context) } as World
  for (const { world } of moduleScreens) Object.assign(created, await world?.(created))
  return created
}

/** The newest client, whose records the modules' screens show. */
async function signInClient(coach: Coach, context: BrowserContext): Promise<void> {
  const [client] = await getClients(coach)
  const value = await createPortalSession(coach, client!.id)
  await context.addCookies([{ name: 'portal', value, url: coach.origin, httpOnly: true, sameSite: 'Lax' }])
}

async function createClosedCoach(app: TestApp, brand: CoachOptions): Promise<Coach> {
  const coach = await app.createCoach(brand)
  await inTenant(coach, ({ em }) =>
    em.nativeUpdate(Account, { id: coach.id }, { removedAt: app.now(), closedAt: app.now() }),
  )
  return coach
}

async function createSecuredCoach(app: TestApp, brand: CoachOptions, longText: string): Promise<Coach> {
  const coach = await app.createCoach({ ...brand, lastName: longText, password: screenPassword })
  await createSession(coach, {
    userAgent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0',
    address: '2001:db8:85a3::8a2e:370:7334',
  })
  await inTenant(coach, async ({ em }) => {
    const now = app.now()
    em.create(AuthenticatorApp, { coachId: coach.id, secret: 'none', confirmedAt: now, createdAt: now })
    em.create(RecoveryCode, { coachId: coach.id, codeHash: Buffer.from('code') })
    em.create(Passkey, {
      coachId: coach.id,
      name: longText.slice(0, 60),
      credentialId: Buffer.from(coach.email),
      publicKey: Buffer.from('key'),
      signCount: 0,
      transports: [],
      createdAt: now,
    })
  })
  await requestEmailChange(await contextFor(coach), {
    email: `${longText}@example.com`.slice(-60),
    currentPassword: screenPassword,
  })
  return coach
}
