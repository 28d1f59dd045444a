type Answered = { actionStatus?: number | undefined; defaultShouldRevalidate: boolean }

/**
 * For `shouldRevalidate`: a form that was refused loads nothing anew, so that what stands on the screen stays, but for the
 * statuses in `stale`, which say that it was old. With single fetch the default of Remix would be true, whatever was answered.
 */
export function revalidates({ actionStatus = 200, defaultShouldRevalidate }: Answered, stale: number[] = []): boolean {
  return actionStatus >= 400 ? stale.includes(actionStatus) : defaultShouldRevalidate
}

/** For routes with `formActions`: reload after an edit conflict, so that the dialog has the saved version. */
export const shouldRevalidate = (change: Answered): boolean => revalidates(change, [409])
