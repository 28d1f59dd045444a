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

/** Builds unless `build/` was made of exactly these sources. Ends the process with a sentence when it can't. */
export function ensureBuilt() {
  const wanted = fingerprint()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  ensureInstalled({ development: true })
  const began = Date.now()
  console.log('Building …')
  rmSync(stamp, { force: true })
  const done = spawnSync(node, ['node_modules/@remix-run/dev/dist/cli.js', 'vite:build', '--logLevel', 'warn'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production' },
    maxBuffer: 64_000_000,
  })
  if (done.status !== 0) {
    // What went wrong comes first; after it comes everything the bundler knows.
    console.error((done.error?.message ?? `${done.stdout}${done.stderr}`).trim().split('\n').slice(0, 30).join('\n'))
    console.error('The build failed.')
    process.exit(1)
  }
  // Last, and of what stood there before: a build that was killed, or outrun by an edit, is made again.
  writeFileSync(stamp, wanted)
  console.log(`Built in ${Math.round((Date.now() - began) / 1000)} s.`)
}

function fingerprint() {
  const hash = createHash('sha256')
  for (const source of sources) {
    const file = path.join(root, source)
    if (!existsSync(file)) continue
    const beneath = /\.\w+$/.test(source)
      ? ['']
      : readdirSync(file, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
          .map((entry) => path.relative(file, path.join(entry.parentPath ?? entry.path, entry.name)))
          .sort()
    for (const name of beneath) hash.update(`\0${source}/${name}\0`).update(readFileSync(path.join(file, name)))
  }
  return hash.digest('hex')
}
