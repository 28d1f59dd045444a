/** Titles and texts of part-2 §8. */
export const messages = {
  sync: {
    done: { title: 'Calendar Synced' },
    failed: { title: 'Sync Failed', text: 'Failed to sync with Google Calendar' },
  },
  disconnect: {
    done: { title: 'Google Calendar Disconnected' },
    failed: { title: 'Disconnection Failed', text: 'Failed to disconnect Google Calendar' },
  },
  'check-meet': {
    done: { title: 'Google Meet Works' },
    failed: { title: 'Check Failed', text: 'Google Meet can’t be reached' },
  },
  'disconnect-meet': {
    done: { title: 'Google Meet Disconnected' },
    failed: { title: 'Disconnection Failed', text: 'Failed to disconnect Google Meet' },
  },
  'add-meet': { done: 'Meet link added.', failed: 'Failed to add a Meet link.' },
  save: { done: 'Calendars saved.', failed: 'Failed to save the calendars.' },
} as const
