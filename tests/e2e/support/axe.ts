import type { Page } from '@playwright/test'
import axe, { type Result, type RunOptions } from 'axe-core'

declare global {
  interface Window {
    axe: typeof axe
  }
}

/** What axe finds on a page. It is half a megabyte of script, so it is brought to each page once. */
export async function findViolations(page: Page, options: RunOptions = {}): Promise<Result[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  // Of what passes nobody asks where it stands, which is most of the work.
  const { violations } = await page.evaluate((asked) => window.axe.run(document, asked), {
    ...options,
    resultTypes: ['violations'],
  } satisfies RunOptions)
  return violations
}
