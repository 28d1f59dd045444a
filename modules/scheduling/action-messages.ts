const updated = { title: 'Appointment Updated' }

/** By the `intent` of the form. Source: part-2 §8. */
export const messages = {
  schedule: { done: { title: 'Appointment Created' }, failed: 'Failed to create appointment' },
  edit: { done: updated, failed: 'Failed to update appointment' },
  complete: {
    done: { title: 'Session Completed' },
    failed: { title: 'Completion Failed', text: 'Failed to complete session' },
  },
  'add-notes': { done: { title: 'Notes Added' }, failed: 'Failed to add notes' },
  status: { done: updated, failed: 'Failed to update appointment' },
  move: {
    done: { ...updated, text: 'The session is back where it was.' },
    failed: 'Failed to update appointment',
  },
  delete: { done: { title: 'Appointment Deleted' }, failed: 'Failed to delete appointment' },
  restore: { done: { title: 'Appointment restored' }, failed: 'Failed to restore appointment' },
  'restore-series': { done: { title: 'Appointments restored' }, failed: 'Failed to restore appointments' },
  'add-type': { done: 'Appointment type created', failed: 'Failed to add appointment type' },
  'edit-type': { done: 'Appointment type updated', failed: 'Failed to update appointment type' },
  'delete-type': { done: 'Appointment type deleted', failed: 'Failed to delete appointment type' },
  'restore-type': { done: 'Appointment type restored', failed: 'Failed to restore appointment type' },
}
