import { defineModule } from '../core/manifest.ts'
import { operations } from './api.ts'
import { migrations } from './migrations.ts'
import { permissions } from './permissions.ts'
import { AuditEntry } from './schema.ts'

export default defineModule({
  id: 'admin',
  dependsOn: ['crm'],
  entities: [AuditEntry],
  migrations,
  permissions,
  operations,
  routes: [
    { path: 'admin', file: 'routes/admin.tsx' },
    { path: 'admin/audit-log', file: 'routes/audit-log.tsx' },
  ],
})
