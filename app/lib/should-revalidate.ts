type ActionOutcome = { actionStatus?: number | undefined; defaultShouldRevalidate: boolean }

/**
 * For `shouldRevalidate`: skips the reload after a failed action, so that the screen stays as it is, except for the
 * statuses in `staleStatuses`, which mean that it is outdated. With single fetch, Remix would reload after every
 * action.
 */
export function shouldRevalidateUnless(
  { actionStatus = 200, defaultShouldRevalidate }: ActionOutcome,
  staleStatuses: number[] = [],
): boolean {
  return actionStatus >= 400 ? staleStatuses.includes(actionStatus) : defaultShouldRevalidate
}

/** For routes with `formActions`: also reloads after an edit conflict, so that the form can show the saved version. */
export const shouldRevalidate = (change: ActionOutcome): boolean => shouldRevalidateUnless(change, [409])
