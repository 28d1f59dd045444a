import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'
import type { Result, RunOptions } from 'axe-core'

/** Less than half as long as the package's `source`: it is sent to each page. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

declare global {
  interface Window {
    axe: typeof axe
  }
}

/** Returns axe's violations. Loads axe once per page, because it is half a megabyte. */
export async function findViolations(page: Page, options: RunOptions = {}): Promise<Result[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  // Locating the passing elements is most of the work.
  const { violations } = await page.evaluate((asked) => window.axe.run(document, asked), {
    ...options,
    resultTypes: ['violations'],
  } satisfies RunOptions)
  return violations
}
