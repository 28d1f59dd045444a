import { defineModule } from '../core/manifest.ts'
import { operations } from './api.ts'
import { platform } from './migrations/0001-platform.ts'
import { pages } from './migrations/0002-pages.ts'
import { permissions } from './permissions.ts'

export default defineModule({
  id: 'admin',
  dependsOn: ['crm'],
  entities: [],
  migrations: [platform, pages],
  permissions,
  operations,
  routes: [{ path: 'admin', file: 'routes/admin.tsx' }],
})
