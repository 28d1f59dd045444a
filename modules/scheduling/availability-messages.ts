/** By the `intent` of the form. */
export const messages = {
  add: { done: 'Working hours saved', failed: 'Failed to save the working hours' },
  create: { done: 'Schedule added', failed: 'Failed to add the schedule' },
  save: { done: 'Working hours saved', failed: 'Failed to save the working hours' },
  'set-override': { done: 'Date saved', failed: 'Failed to save the date' },
  'remove-override': { done: { title: 'Date removed' }, failed: 'Failed to remove the date' },
  'make-default': { done: { title: 'Default schedule changed' }, failed: 'Failed to change the default schedule' },
  delete: { done: { title: 'Schedule deleted' }, failed: 'Failed to delete the schedule' },
  restore: { done: { title: 'Schedule restored' }, failed: 'Failed to restore the schedule' },
}
