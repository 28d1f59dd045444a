import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const root = path.dirname(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname))
export const node = path.join(root, 'node_modules/.bin/node')

/**
 * Installs the packages of the lockfile unless they are there. `development` false is content with
 * those that a finished build needs. Ends the process with a sentence when it can't.
 */
export function ensureInstalled({ development }) {
  if (isInstalled(development)) return
  const began = Date.now()
  console.log('Installing the packages of package-lock.json (about a minute) …')
  const [command, first] = npm()
  const done = spawnSync(
    command,
    [...first, 'ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 64_000_000,
    },
  )
  if (done.status !== 0 || !isInstalled(true)) {
    const said = (done.error?.message ?? `${done.stderr}${done.stdout}`).trim()
    if (said) console.error(said.split('\n').slice(0, 15).join('\n'))
    console.error(
      'The packages could not be installed: npm ci failed. Is the package registry reachable, and is there room on the disk?',
    )
    process.exit(1)
  }
  console.log(`Installed in ${Math.round((Date.now() - began) / 1000)} s.`)
}

/** npm writes node_modules/.package-lock.json last: when it agrees with the lockfile, the installation is complete. */
function isInstalled(development) {
  const [wanted, present] = ['package-lock.json', 'node_modules/.package-lock.json'].map(packagesOf)
  if (!wanted || !present || !existsSync(node)) return false
  return Object.entries(wanted).every(([name, { version, integrity, optional, devOptional, dev, link }]) => {
    if (name === '' || link) return true
    const found = present[name]
    if (found) return found.version === version && found.integrity === integrity
    return optional || ((dev || devOptional) && !development)
  })
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(path.join(root, file), 'utf8')).packages
  } catch {
    return undefined
  }
}

/** The npm that called us, else the one on the path. */
function npm() {
  const script = process.env.npm_execpath
  return script && /npm-cli\.c?js$/.test(script) && existsSync(script) ? [process.execPath, [script]] : ['npm', []]
}
