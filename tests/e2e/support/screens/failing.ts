import type { Page } from '@playwright/test'

/** The browser's error for a response that can't be parsed. */
export const unreadableResponse = /: SyntaxError/

/** Navigates in the browser to a page whose loader fails. */
export async function navigateToFailingPage(page: Page, to: string, title: string): Promise<void> {
  await page.route(`**${to}.data*`, (route) => route.fulfill({ status: 429, body: 'no' }))
  await page.evaluate((address) => window.__remixRouter.navigate(address), to)
  await page.getByText(title).first().waitFor()
}
