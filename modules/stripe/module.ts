import { defineModule } from '../core/manifest.ts'
import { contributions } from './contributions.ts'
import { jobs } from './jobs.ts'
import { migrations } from './migrations.ts'
import { permissions } from './permissions.ts'
import { StripeAccount, StripeEvent } from './schema.ts'

export default defineModule({
  id: 'stripe',
  dependsOn: ['crm', 'billing'],
  entities: [StripeAccount, StripeEvent],
  migrations,
  permissions,
  routes: [
    { path: 'settings/payments', file: 'routes/stripe-settings.tsx' },
    { path: 'stripe/webhooks/:endpoint', file: 'routes/webhook.ts', layout: 'resource' },
  ],
  contributions,
  jobs,
})
