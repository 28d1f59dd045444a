import type { Job } from '#modules/core/manifest.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { applyEvent } from './services/apply-event.ts'
import { queues } from './services/queue.ts'

export const jobs: Job[] = [
  {
    name: queues.event,
    batchSize: 20,
    // Stripe may be away for eight hours.
    retryLimit: 40,
    run: async (platform, { coachId, eventId }) => {
      const ctx = await loadCoachContext(platform, Number(coachId), `stripe-${String(eventId)}`)
      if (ctx) await applyEvent(ctx, Number(eventId))
    },
  },
]
