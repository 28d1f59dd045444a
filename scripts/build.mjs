import { alone } from './ensure-alone.mjs'
import { ensureBuilt } from './ensure-built.mjs'
import { ensureInstalled, root } from './ensure-installed.mjs'

await alone(root, () => {
  ensureInstalled({ development: true })
  ensureBuilt()
})
