import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'
import type { Result, RunOptions } from 'axe-core'

/** Less than half as long as the package's `source`: it is sent to each page. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Color = { r: number; g: number; b: number; alpha: number; parseString(text: string): Color }
declare global {
  interface Window {
    axe: typeof axe & { commons: { color: { Color: { prototype: Color } } } }
  }
}

/** Returns axe's violations. Loads axe once per page, because it is half a megabyte. */
export async function findViolations(page: Page, options: RunOptions = {}): Promise<Result[]> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(source)
    await page.evaluate(rememberColors)
  }
  // Locating the passing elements is most of the work.
  const { violations } = await page.evaluate((asked) => window.axe.run(document, asked), {
    ...options,
    resultTypes: ['violations'],
  } satisfies RunOptions)
  return violations
}

/** Parsing the same colours again for each element is almost half of the time that axe takes for contrasts. */
function rememberColors(): void {
  const { prototype } = window.axe.commons.color.Color
  const { parseString } = prototype
  const parsed = new Map<string, Omit<Color, 'parseString'>>()
  prototype.parseString = function (text) {
    const known = parsed.get(text)
    if (known) return Object.assign(this, known)
    const { r, g, b, alpha } = parseString.call(this, text)
    parsed.set(text, { r, g, b, alpha })
    return this
  }
}
