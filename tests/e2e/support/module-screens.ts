import { existsSync } from 'node:fs'
import { modules } from '#modules/registry.ts'
import type { Screen, World } from './screens/screen.ts'

/** The exports of a module's `e2e/screens.ts`. */
type ModuleScreens = {
  id: string
  screens: Screen[]
  /** Creates the records that the screens show. Gets the records of the modules before it in the registry. */
  world?: (world: World) => Promise<Partial<World>>
}

const files = modules
  .map(({ id }) => ({ id, url: new URL(`../../../modules/${id}/e2e/screens.ts`, import.meta.url) }))
  .filter(({ url }) => existsSync(url))

/** The screens of all modules, in the order of the registry. */
export const moduleScreens: ModuleScreens[] = await Promise.all(
  files.map(async ({ id, url }) => ({ id, ...(await import(url.href)) })),
)
