import type { Contribution, QuickAction } from '#modules/core/manifest.ts'

const viewAction: QuickAction = { label: 'View Analytics', to: '/analytics', icon: 'chart-line' }

export const contributions: Contribution[] = [
  { slot: 'dashboard.action', order: 60, permission: 'analytics:report:read', load: async () => viewAction },
]
