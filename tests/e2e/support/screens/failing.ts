import type { Page } from '@playwright/test'

/** What the browser says of an answer that can't be read. */
export const unreadableResponse = /: SyntaxError/

/** Goes on in the browser to a page whose loader gets no answer that can be read. */
export async function navigateToFailingPage(page: Page, to: string, title: string): Promise<void> {
  await page.route(`**${to}.data*`, (route) => route.fulfill({ status: 429, body: 'no' }))
  await page.evaluate((address) => window.__remixRouter.navigate(address), to)
  await page.getByText(title).first().waitFor()
}
