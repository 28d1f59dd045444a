// Writes a module's skeleton, on any Node from 20 on and with nothing installed: `npm run new-module session-notes`.
import { spawnSync } from 'node:child_process'
import { withLock } from './with-lock.mjs'
import { ensureInstalled, node, root } from './ensure-installed.mjs'

const status = await withLock(root, () => {
  ensureInstalled({ development: true })
  return spawnSync(node, [`${root}/scripts/new-module.ts`, ...process.argv.slice(2)], { stdio: 'inherit' }).status
})
process.exit(status ?? 1)
