import { defineModule } from '../core/manifest.ts'
import { operations } from './api.ts'
import { migrations } from './migrations.ts'
import { permissions } from './permissions.ts'
import { AuditEntry, CoachActivation, CoachActivity, CoachStateChange } from './schema.ts'
import { recordActivations } from './services/activations.ts'

export default defineModule({
  id: 'admin',
  isSwitchable: false,
  dependsOn: ['crm'],
  entities: [AuditEntry, CoachStateChange, CoachActivity, CoachActivation],
  migrations,
  permissions,
  operations,
  routes: [
    { path: 'admin', file: 'routes/admin.tsx' },
    { path: 'admin/subscriptions', file: 'routes/subscriptions.tsx' },
    { path: 'admin/analytics', file: 'routes/analytics.tsx' },
    { path: 'admin/audit-log', file: 'routes/audit-log.tsx' },
    { path: 'admin/jobs', file: 'routes/jobs.tsx' },
    { path: 'admin/modules', file: 'routes/modules.tsx' },
    { path: 'admin/modules/:coach', file: 'routes/coach-modules.tsx' },
  ],
  jobs: [{ name: 'admin.record-activations', every: '37 * * * *', run: recordActivations }],
})
