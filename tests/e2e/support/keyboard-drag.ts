import { expect, type Locator, type Page } from '@playwright/test'

/** Picks up a card with Space. `announcement`: for screen readers. */
export async function pickUpByKeyboard(page: Page, card: Locator, announcement: string | RegExp): Promise<void> {
  await card.focus()
  await page.keyboard.press('Space')
  await expect(page.locator('[id^="DndLiveRegion"]')).toHaveText(announcement)
  // dnd-kit reads keys from the next task on.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
}
