import { defineModule } from '../core/manifest.ts'
import { operations } from './api.ts'
import { initial } from './migrations/0001-initial.ts'
import { permissions } from './permissions.ts'

export default defineModule({
  id: 'admin',
  dependsOn: ['crm'],
  entities: [],
  migrations: [initial],
  permissions,
  operations,
  routes: [{ path: 'admin', file: 'routes/admin.tsx' }],
})
