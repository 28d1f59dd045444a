export const messages = {
  connect: { done: null, failed: 'Failed to connect to Stripe.' },
  check: { done: 'Checked with Stripe', failed: 'Failed to ask Stripe.' },
  disconnect: { done: 'Stripe disconnected', failed: 'Failed to disconnect Stripe.' },
} as const
