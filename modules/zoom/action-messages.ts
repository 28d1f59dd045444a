/** By the `intent` of the form. */
export const messages = {
  check: {
    done: { title: 'Zoom Works' },
    failed: { title: 'Check Failed', text: 'Zoom can’t be reached' },
  },
  disconnect: {
    done: { title: 'Zoom Disconnected' },
    failed: { title: 'Disconnection Failed', text: 'Failed to disconnect Zoom' },
  },
} as const
