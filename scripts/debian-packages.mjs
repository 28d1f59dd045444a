import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import path from 'node:path'

/** The path of the first of these programs that is installed. */
export function findProgram(names) {
  // Debian has no /usr/sbin in the PATH of other users than root.
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin']
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isExecutable)
}

/** Installs the first of these packages that exists, on Debian and as root. Returns whether it could. */
export function installPackage(names) {
  if (process.getuid?.() !== 0 || !isExecutable('/usr/bin/apt-get')) return false
  console.log(`Installing ${names[0]} for the tests (apt-get) …`)
  // A runlevel without services: those of the package are not started.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const aptGet = (...args) => spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0
  aptGet('update', '-qq')
  return names.some((name) => aptGet('install', '-y', '-qq', '--no-install-recommends', name))
}

export function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
