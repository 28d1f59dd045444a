import type { Page } from '@playwright/test'
import type { Coach } from '../test-app.ts'

/** The coaches whom the screens are shown to, all in one colour. */
export interface World {
  newcomer: Coach
  full: Coach
  /** On the free plan, with the one client that it includes. */
  limited: Coach
  admin: Coach
  /** A client of `full` with everything filled in, and one with the longest texts that there are. */
  client: number
  long: number
  bare: number
  archived: number
  trashed: number
  product: number
  purchase: number
  /** The one client of `limited`. */
  only: number
  interaction: number
  /** One with everything filled in, one with the longest texts; a stage that holds some, and one that holds none. */
  prospect: number
  longProspect: number
  converted: number
  stage: number
  emptyStage: number
  imports: { columns: number; preview: number; noRoom: number; running: number; done: number }
}

export type Screen = {
  name: string
  /** As the router writes it: the list of screens is held against the build by this. */
  page: string
  at: string | ((world: World) => string)
  as: 'visitor' | 'newcomer' | 'full' | 'limited' | 'admin'
  /** On the coach's own host. */
  own?: 'full' | 'limited'
  status?: number
  /** What has to be done to see it. */
  then?: (page: Page) => Promise<void>
  /** What the browser says of a load that is made to fail. */
  complains?: RegExp
  /** Shown on a phone only, or on a wide screen only. */
  only?: 'phone' | 'wide'
}
