import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
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
/** The hash of the sources, and in the second line that of their state, which is read in less time. */
const stamp = path.join(root, 'build/stamp')

/** Builds unless `build/` is up to date with the sources. Prints the error and exits if the build fails. */
export function ensureBuilt() {
  const files = listSources()
  const [builtHash, builtState] = existsSync(stamp) ? readFileSync(stamp, 'utf8').split('\n') : []
  const state = hashState(files)
  if (builtState === state) return
  const current = hashSources(files)
  if (builtHash === current) return keepState(`${current}\n${state}`)
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
  writeStamp(`${current}\n${state}`)
  console.log(`Built in ${Math.round((Date.now() - startedAt) / 1000)} s.`)
}

/** Not in a checkout that this user can't write to: the files are read again at each start. */
function keepState(content) {
  try {
    writeStamp(content)
  } catch {}
}

/** A full disk or a kill leaves the earlier stamp: without one, the product would be built again. */
function writeStamp(content) {
  const file = `${stamp}.new`
  writeFileSync(file, content)
  renameSync(file, stamp)
}

function listSources() {
  return sources.flatMap((source) => {
    const file = path.join(root, source)
    if (!existsSync(file)) return []
    if (/\.\w+$/.test(source)) return [source]
    return readdirSync(file, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)))
      .sort()
  })
}

function hashSources(files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(path.join(root, file)))
  return hash.digest('hex')
}

/** A copied, replaced or written file has another inode or another time of change, which no program can set. */
function hashState(files) {
  const hash = createHash('sha256')
  for (const file of files) {
    const { ino, size, ctimeNs } = statSync(path.join(root, file), { bigint: true })
    hash.update(`${file} ${ino} ${size} ${ctimeNs}\n`)
  }
  return hash.digest('hex')
}
