import { withLock } from './with-lock.mjs'
import { ensureBuilt } from './ensure-built.mjs'
import { ensureInstalled, root } from './ensure-installed.mjs'

await withLock(root, () => {
  ensureInstalled({ development: true })
  ensureBuilt()
})
