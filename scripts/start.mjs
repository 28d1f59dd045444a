// Installs, builds and starts the product from a fresh clone, with any Node from version 20.
import { spawn } from 'node:child_process'
import module from 'node:module'
import { withLock } from './with-lock.mjs'
import { ensureBuilt } from './ensure-built.mjs'
import { ensureInstalled, node, root } from './ensure-installed.mjs'

const development = process.argv.includes('--dev')
const args = process.argv.slice(2).filter((arg) => arg !== '--dev')
const program = development ? 'dev.ts' : 'serve.ts'

if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error(`Node ${process.versions.node} is too old: install Node 20 or newer.`)
  process.exit(1)
}

process.chdir(root)
await withLock(root, () => {
  ensureInstalled({ development })
  if (!development) ensureBuilt()
})

// Once the packages are installed, npm finds Node 24 in node_modules/.bin and no child process is needed.
if (Number(process.versions.node.split('.')[0]) >= 24) {
  process.argv = [process.argv[0], `${root}/scripts/${program}`, ...args]
  const isRoot = process.getuid?.() === 0
  const ownCache = isRoot && !development ? await (await import('./drop-root.ts')).dropRoot() : undefined
  // Compiling the packages takes a quarter of a warm start.
  const compiled = ownCache ?? `${root}/node_modules/.cache/compiled`
  module.enableCompileCache?.(compiled)
  // For the programs that it starts, and for the one that replaces it: they can't write to a cache of root.
  if (ownCache) process.env.NODE_COMPILE_CACHE = ownCache
  else process.env.NODE_COMPILE_CACHE ??= compiled
  await import(`./${program}`)
} else {
  const child = spawn(node, [...process.execArgv, 'scripts/start.mjs', ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.once('error', (error) => {
    console.error(`${node} can't be run: ${error.message}`)
    process.exit(1)
  })
  child.once('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}
