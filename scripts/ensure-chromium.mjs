import { findProgram, installPackage, isExecutable } from './debian-packages.mjs'

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
  const installed = findProgram(names) ?? (installPackage(names.slice(0, 2)) && findProgram(names))
  if (installed) return installed
  throw new Error(
    'The browser tests need Chromium: install the package chromium-headless-shell (or chromium, or Google Chrome), ' +
      'or set CHROMIUM to its path.',
  )
}
