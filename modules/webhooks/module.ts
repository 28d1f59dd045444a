import { defineModule } from '../core/manifest.ts'
import { automationActions } from './automations.ts'
import { contributions } from './contributions.ts'
import { migrations } from './migrations.ts'
import { permissions } from './permissions.ts'
import { WebhookDelivery, WebhookEndpoint } from './schema.ts'
import { seed } from './seed.ts'
import { attemptDelivery, deleteOldDeliveries, deliver, queues } from './services/deliveries.ts'
import { deliveryLog } from './services/delivery-log.ts'
import { emailDisabled } from './services/disabled-email.ts'

/** Why no export has these tables. */
const secret = 'they are signed with a secret of this installation'

export default defineModule({
  id: 'webhooks',
  entities: [WebhookEndpoint, WebhookDelivery],
  automationActions,
  migrations,
  permissions,
  routes: [
    { path: 'settings/webhooks', file: 'routes/webhooks.tsx' },
    { path: 'settings/webhooks/:id', file: 'routes/webhook.tsx' },
  ],
  contributions,
  notifications: [
    {
      kind: 'webhooks.disabled',
      label: 'A webhook is switched off',
      description: 'After five days without a success.',
    },
  ],
  recordEvents: deliver,
  deliveryLog,
  jobs: [
    {
      name: queues.deliver,
      kind: 'webhook',
      // The attempts of one coach wait for each other, and those of others don't wait for them.
      concurrency: 4,
      run: (platform, { coachId, deliveryId }) =>
        attemptDelivery(platform, { coachId: Number(coachId), deliveryId: Number(deliveryId) }),
    },
    {
      name: queues.email,
      kind: 'email',
      // The mail server may be away for eight hours.
      retryLimit: 40,
      run: (platform, { coachId, endpointId }) =>
        emailDisabled(platform, { coachId: Number(coachId), endpointId: Number(endpointId) }),
    },
    { name: 'webhooks.delete-old', every: '13 4 * * *', keepsData: true, run: deleteOldDeliveries },
  ],
  seed,
  practiceExport: {
    tables: { webhook_endpoint: { leftOut: secret }, webhook_delivery: { leftOut: secret } },
  },
})
