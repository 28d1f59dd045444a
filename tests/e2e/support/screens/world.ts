import { moduleScreens } from '../module-screens.ts'
import type { CoachOptions, TestApp } from '../test-app.ts'
import type { World } from './screen.ts'

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
  const base = {
    app,
    newcomer: await app.createCoach(brand),
    full: await app.createCoach({ ...brand, ownHost: true }),
    limited: await app.createCoach({ ...brand, plan: 'free', ownHost: true }),
    admin: await app.createCoach({ ...brand, isAdmin: true }),
    unverified: await app.createCoach({ ...brand, emailVerified: false }),
    longText: `Wolfeschlegelsteinhausenbergerdorff${'welchevoralternwarengewissenhaftschafers'}`,
  }
  const created = base as World
  for (const { world } of moduleScreens) Object.assign(created, await world?.(created))
  return created
}
