import type { ActionMessages } from '#app/lib/action-messages.ts'

/** Shared by the client's page and the page of all interactions. */
export const interactionMessages = {
  'add-interaction': { done: 'Interaction added', failed: 'Failed to add interaction.' },
  'edit-interaction': { done: 'Interaction updated', failed: 'Failed to update interaction.' },
  'delete-interaction': { done: 'Interaction deleted', failed: 'Failed to delete interaction.' },
  'restore-interaction': { done: 'Interaction restored', failed: 'Failed to restore interaction.' },
} as const satisfies ActionMessages
