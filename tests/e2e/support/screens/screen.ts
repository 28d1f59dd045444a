import type { BrowserContext, Page } from '@playwright/test'
import type { Coach, TestApp } from '../test-app.ts'

/** The records that the screens show. Each module declares its own in its `e2e/screens.ts`. */
export interface World {
  app: TestApp
  /** A coach without any records. */
  newcomer: Coach
  /** A coach with records of every module. */
  full: Coach
  /** A coach on the free plan, with as many clients as it includes. */
  limited: Coach
  admin: Coach
  /** A coach who has not confirmed the email address. */
  unverified: Coach
  /** A coach with two-step sign-in, a passkey, several devices and a change of address that waits. */
  secured: Coach
  /** A coach who has closed the account. */
  closed: Coach
  /** Signs a client of `full` with records of every module in to the portal, on the coach's own host. */
  signInClient(context: BrowserContext): Promise<void>
  /** A long text without a space, to test that layouts hold it. */
  longText: string
}

export type Screen = {
  name: string
  /** The route pattern, such as '/clients/:id': every page of the build needs a screen. */
  route: string
  path: string | ((world: World) => string)
  as: 'visitor' | 'client' | 'newcomer' | 'full' | 'limited' | 'admin' | 'unverified' | 'secured' | 'closed'
  /** Opens the screen on this coach's own host. */
  host?: 'full' | 'limited'
  status?: number
  /** Brings the page into the state to look at. */
  setup?: (page: Page) => Promise<void>
  /** Browser errors that the state causes. */
  expectedErrors?: RegExp
  only?: 'phone' | 'wide'
}
