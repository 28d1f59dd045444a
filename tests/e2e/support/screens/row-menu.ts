import type { Page } from '@playwright/test'

/** Opens the menu of the first row of a list. */
export async function openRowMenu(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Actions for / })
    .filter({ visible: true })
    .first()
    .click()
}
