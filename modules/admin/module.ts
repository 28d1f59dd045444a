import { defineModule } from '../define.ts'
import { operations } from './api.ts'
import { platform } from './migrations/0001-platform.ts'
import { permissions } from './permissions.ts'

export default defineModule({
  id: 'admin',
  dependsOn: ['crm'],
  entities: [],
  migrations: [platform],
  permissions,
  operations,
  routes: [{ path: 'admin', file: 'routes/admin.tsx' }],
})
