import type { Page } from '@playwright/test'

/** Waits until the scripts of a page from the server have taken it over. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    // React says so nowhere else: the root's first commit ends what it calls dehydrated.
    const root = Object.entries(document).find(([name]) => name.startsWith('__reactContainer$'))?.[1]
    return root?.stateNode.current.memoizedState.isDehydrated === false
  })
}

/** Brings everything that moves to its end: a transition that waits for a frame which a busy machine never draws would be waited for forever. */
export async function still(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    await document.fonts.ready
    await frames()
    for (const animation of document.getAnimations()) if (animation.effect?.getComputedTiming().iterations !== Infinity) animation.finish()
    await frames()
  })
}
