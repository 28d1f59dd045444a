import type { FailureMessages } from '#app/ui/forms/offline-action.ts'

export const interactionFailures = {
  add: 'Failed to add interaction.',
  update: 'Failed to update interaction.',
  delete: 'Failed to delete interaction.',
  restore: 'Failed to restore interaction.',
} as const

/** By intent. An edit has the interaction's id in the URL. */
export const interactionFailureMessages: FailureMessages = {
  interaction: (to) => (to.searchParams.has('interaction') ? interactionFailures.update : interactionFailures.add),
  'delete-interaction': interactionFailures.delete,
  'restore-interaction': interactionFailures.restore,
}
