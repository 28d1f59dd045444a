import type { Page } from '@playwright/test'

/** Waits until the scripts of a page from the server have taken it over. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    // React says so nowhere else: the root's first commit ends what it calls dehydrated.
    const root = Object.entries(document).find(([name]) => name.startsWith('__reactContainer$'))?.[1]
    return root?.stateNode.current.memoizedState.isDehydrated === false
  })
}

/** Waits until nothing moves any more: on a busy machine even the shortest transition takes its time. */
export async function still(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    const moving = document.getAnimations().filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity)
    await Promise.allSettled(moving.map((animation) => animation.finished))
  })
}
