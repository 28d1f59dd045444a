import { existsSync } from 'node:fs'
import { modules } from '#modules/registry.ts'
import type { Coach } from './test-app.ts'
import type { Screen, World } from './screens/screen.ts'

/** What the screens of all modules are filled with: a client with everything, one with the longest texts, and such a text. */
export type Given = { coach: Coach; client: number; longClient: number; long: string }
type ModuleScreens = { screens: Screen[]; world?: (given: Given) => Promise<Partial<World>> }

/** What each module says of its own screens, in its `e2e/screens.ts`. */
const files = modules
  .map(({ id }) => new URL(`../../../modules/${id}/e2e/screens.ts`, import.meta.url))
  .filter((file) => existsSync(file))
export const moduleScreens: ModuleScreens[] = await Promise.all(files.map(({ href }) => import(href)))
