import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ensureInstalled, node, root } from './ensure-installed.mjs'

const sources = [
  'app',
  'modules',
  'tenants',
  'db',
  'public',
  'package.json',
  'package-lock.json',
  'remix.config.js',
  'vite.config.ts',
]
const stamp = path.join(root, 'build/stamp')

/** Builds unless `build/` is up to date with the sources. Prints the error and exits if the build fails. */
export function ensureBuilt() {
  const current = hashSources()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === current) return
  ensureInstalled({ development: true })
  const startedAt = Date.now()
  console.log('Building …')
  rmSync(stamp, { force: true })
  const result = spawnSync(node, ['node_modules/@remix-run/dev/dist/cli.js', 'vite:build', '--logLevel', 'warn'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production' },
    maxBuffer: 64_000_000,
  })
  if (result.status !== 0) {
    // The error comes first, followed by pages of details.
    console.error(
      (result.error?.message ?? `${result.stdout}${result.stderr}`).trim().split('\n').slice(0, 30).join('\n'),
    )
    console.error('The build failed.')
    process.exit(1)
  }
  // Write the hash last, and that of the sources before the build: an interrupted or outdated build is repeated.
  writeFileSync(stamp, current)
  console.log(`Built in ${Math.round((Date.now() - startedAt) / 1000)} s.`)
}

function hashSources() {
  const hash = createHash('sha256')
  for (const source of sources) {
    const file = path.join(root, source)
    if (!existsSync(file)) continue
    const names = /\.\w+$/.test(source)
      ? ['']
      : readdirSync(file, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
          .map((entry) => path.relative(file, path.join(entry.parentPath ?? entry.path, entry.name)))
          .sort()
    for (const name of names) hash.update(`\0${source}/${name}\0`).update(readFileSync(path.join(file, name)))
  }
  return hash.digest('hex')
}
