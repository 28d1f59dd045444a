import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const root = path.dirname(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname))
export const node = path.join(root, 'node_modules/.bin/node')

/**
 * Installs the packages of the lockfile if any is missing. With `development: false`, missing development packages
 * don't count. Prints the error and exits if the installation fails.
 */
export function ensureInstalled({ development }) {
  if (isInstalled(development)) return
  const startedAt = Date.now()
  console.log('Installing packages (about a minute) …')
  const [command, npmArgs] = npm()
  const result = spawnSync(
    command,
    [...npmArgs, 'ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 64_000_000,
    },
  )
  if (result.status !== 0 || !isInstalled(true)) {
    const output = (result.error?.message ?? `${result.stderr}${result.stdout}`).trim()
    if (output) console.error(output.split('\n').slice(0, 15).join('\n'))
    console.error(
      'npm ci could not install the packages. Check that the package registry is reachable and the disk is not full.',
    )
    process.exit(1)
  }
  console.log(`Installed in ${Math.round((Date.now() - startedAt) / 1000)} s.`)
}

/** npm writes node_modules/.package-lock.json last: if it matches the lockfile, the installation is complete. */
function isInstalled(development) {
  const [locked, installed] = ['package-lock.json', 'node_modules/.package-lock.json'].map(readPackages)
  if (!locked || !installed || !existsSync(node)) return false
  return Object.entries(locked).every(([name, { version, integrity, optional, devOptional, dev, link }]) => {
    if (name === '' || link) return true
    const found = installed[name]
    if (found) return found.version === version && found.integrity === integrity
    return optional || ((dev || devOptional) && !development)
  })
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(path.join(root, file), 'utf8')).packages
  } catch {
    return undefined
  }
}

/** The npm that started this script, or the one on the PATH. */
function npm() {
  const script = process.env.npm_execpath
  return script && /npm-cli\.c?js$/.test(script) && existsSync(script) ? [process.execPath, [script]] : ['npm', []]
}
