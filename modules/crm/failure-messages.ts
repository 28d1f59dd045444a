import type { Sorry } from '#app/ui/forms/offline-action.ts'

/** What is said when it fails, of whichever page it is done on. */
export const interactionSorry = {
  add: 'Failed to add interaction.',
  update: 'Failed to update interaction.',
  delete: 'Failed to delete interaction.',
  restore: 'Failed to restore interaction.',
} as const

/** The dialog of one that is there has its number in the address. */
export const interactionDeeds: Sorry = {
  interaction: (to) => (to.searchParams.has('interaction') ? interactionSorry.update : interactionSorry.add),
  'delete-interaction': interactionSorry.delete,
  'restore-interaction': interactionSorry.restore,
}
