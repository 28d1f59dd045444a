import { expect, type Locator, type Page } from '@playwright/test'

/** Picks up a card with Space. `said` is what is announced. */
export async function pickUpByKeyboard(page: Page, card: Locator, said: string | RegExp): Promise<void> {
  await card.focus()
  await page.keyboard.press('Space')
  await expect(page.locator('[id^="DndLiveRegion"]')).toHaveText(said)
  // dnd-kit reads keys from the next task on.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
}
