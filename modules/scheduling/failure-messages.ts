/** By the `intent` of the form. */
export const failureMessages = {
  schedule: 'Failed to create appointment',
  edit: 'Failed to update appointment',
  complete: 'Failed to complete session',
  delete: 'Failed to delete appointment',
  restore: 'Failed to restore appointment',
  'add-type': 'Failed to add appointment type',
  'edit-type': 'Failed to update appointment type',
  'delete-type': 'Failed to delete appointment type',
  'restore-type': 'Failed to restore appointment type',
}
