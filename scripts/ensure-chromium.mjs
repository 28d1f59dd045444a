import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import path from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The path of a Chromium: CHROMIUM, else what is on the path, else Debian's package when we may install it. Throws one sentence. */
export function ensureChromium() {
  if (process.env.CHROMIUM) {
    if (isProgram(process.env.CHROMIUM)) return process.env.CHROMIUM
    throw new Error(`CHROMIUM can't be used: there is no program ${process.env.CHROMIUM}.`)
  }
  const found = onPath()
  if (found) return found
  if (process.getuid?.() === 0 && isProgram('/usr/bin/apt-get')) {
    console.log('Installing Chromium for the browser tests (apt-get) …')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    for (const args of [
      ['update', '-qq'],
      ['install', '-y', '-qq', '--no-install-recommends', 'chromium'],
    ]) {
      spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
    }
    const installed = onPath()
    if (installed) return installed
  }
  throw new Error(
    'The browser tests need Chromium: install the package chromium (or Google Chrome), or set CHROMIUM to its path.',
  )
}

function onPath() {
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isProgram)
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
