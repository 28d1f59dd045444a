import type { Page } from '@playwright/test'

/** Waits until the scripts of a page from the server have taken it over. */
export async function waitForHydration(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    // React says so nowhere else: the root's first commit ends what it calls dehydrated.
    const root = Object.entries(document).find(([name]) => name.startsWith('__reactContainer$'))?.[1]
    return root?.stateNode.current.memoizedState.isDehydrated === false
  })
}

/** Waits until what was asked for is drawn and nothing moves. */
export async function waitForIdle(page: Page): Promise<void> {
  const drawn = () =>
    page.evaluate(() =>
      document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))),
    )
  await drawn()
  await finishAnimations(page)
  await drawn()
}

/** Brings what moves to its end: a transition whose next frame a busy machine never draws would be waited for forever. */
export async function finishAnimations(page: Page): Promise<void> {
  await page.evaluate(() => {
    const moving = () =>
      document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
    // What one inherits moves on only when the other has come to its end.
    for (let left = moving(), rounds = 0; left.length && rounds < 50; left = moving(), rounds++)
      for (const animation of left) animation.finish()
  })
}
