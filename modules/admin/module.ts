import { defineModule } from '../core/manifest.ts'
import { operations } from './api.ts'
import { migrations } from './migrations.ts'
import { permissions } from './permissions.ts'

export default defineModule({
  id: 'admin',
  dependsOn: ['crm'],
  entities: [],
  migrations,
  permissions,
  operations,
  routes: [{ path: 'admin', file: 'routes/admin.tsx' }],
})
