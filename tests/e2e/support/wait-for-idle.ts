import type { Page } from '@playwright/test'

/** Waits until React has hydrated the page, unless it is one without scripts. */
export async function waitForHydration(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    if (document.readyState === 'complete' && !document.querySelector('script[type=module]')) return true
    // React exposes this nowhere else: the root's first commit ends the dehydrated state.
    const root = Object.entries(document).find(([name]) => name.startsWith('__reactContainer$'))?.[1]
    return root?.stateNode.current.memoizedState.isDehydrated === false
  })
}

/** Waits until everything is painted and nothing moves. */
export async function waitForIdle(page: Page): Promise<void> {
  const drawn = () =>
    page.evaluate(() =>
      document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))),
    )
  await drawn()
  await finishAnimations(page)
  await drawn()
}

/** Finishes all animations: waiting for them could take forever on a busy machine. */
export async function finishAnimations(page: Page): Promise<void> {
  await page.evaluate(() => {
    const moving = () =>
      document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
    // Finishing one animation can start those of elements that inherit from it.
    for (let left = moving(), rounds = 0; left.length && rounds < 50; left = moving(), rounds++)
      for (const animation of left) animation.finish()
  })
}
