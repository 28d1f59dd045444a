import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import path from 'node:path'

/** The headless shell is Chromium without windows: a page takes two thirds of the CPU time. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * Returns the path of Chromium: CHROMIUM, or one on the PATH, or Debian's package, installed if run as root. Throws
 * Error.
 */
export function ensureChromium() {
  if (process.env.CHROMIUM) {
    if (isExecutable(process.env.CHROMIUM)) return process.env.CHROMIUM
    throw new Error(`CHROMIUM can't be used: ${process.env.CHROMIUM} is not an executable file.`)
  }
  const onPath = findOnPath()
  if (onPath) return onPath
  if (process.getuid?.() === 0 && isExecutable('/usr/bin/apt-get')) {
    console.log('Installing Chromium for the browser tests (apt-get) …')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const aptGet = (...args) => spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
    aptGet('update', '-qq')
    for (const name of ['chromium-headless-shell', 'chromium']) {
      aptGet('install', '-y', '-qq', '--no-install-recommends', name)
      const installed = findOnPath()
      if (installed) return installed
    }
  }
  throw new Error(
    'The browser tests need Chromium: install the package chromium-headless-shell (or chromium, or Google Chrome), ' +
      'or set CHROMIUM to its path.',
  )
}

function findOnPath() {
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isExecutable)
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
