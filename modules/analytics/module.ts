import { defineModule } from '../core/manifest.ts'
import { operations } from './api.ts'
import { contributions } from './contributions.ts'
import { permissions } from './permissions.ts'

export default defineModule({
  id: 'analytics',
  entities: [],
  migrations: [],
  permissions,
  operations,
  routes: [
    { path: 'analytics', file: 'routes/analytics.tsx' },
    { path: 'analytics/export', file: 'routes/export.ts', layout: 'resource', isPrivate: true },
    { path: 'analytics/:metric', file: 'routes/metric.tsx' },
    { path: 'analytics/:metric/export', file: 'routes/metric-export.ts', layout: 'resource', isPrivate: true },
  ],
  nav: [
    {
      label: 'Analytics',
      to: '/analytics',
      icon: 'chart-line',
      section: 'main',
      order: 90,
      permission: 'analytics:report:read',
    },
  ],
  contributions,
})
