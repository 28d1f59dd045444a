import type { Screen } from '#tests/e2e/support/screens/screen.ts'

const openDetails: Screen['setup'] = (page) =>
  page.evaluate(() => document.querySelectorAll('main details').forEach((each) => each.setAttribute('open', '')))

export const screens: Screen[] = [
  { name: 'analytics', route: '/analytics', path: '/analytics?period=this-year', as: 'full' },
  {
    name: 'analytics-details',
    route: '/analytics',
    path: '/analytics?period=custom&from=2025-12-01&to=2026-03-11',
    as: 'full',
    setup: openDetails,
  },
  { name: 'analytics-empty', route: '/analytics', path: '/analytics', as: 'newcomer' },
  { name: 'analytics-other-plan', route: '/analytics', path: '/analytics', as: 'limited' },
  { name: 'analytics-rows', route: '/analytics/:metric', path: '/analytics/revenue?period=this-year', as: 'full' },
  {
    name: 'analytics-share',
    route: '/analytics/:metric',
    path: '/analytics/utilization?period=this-month',
    as: 'full',
  },
  {
    name: 'analytics-groups',
    route: '/analytics/:metric',
    path: '/analytics/revenue?period=this-year&by=client',
    as: 'full',
  },
  { name: 'analytics-no-rows', route: '/analytics/:metric', path: '/analytics/revenue', as: 'newcomer' },
  { name: 'analytics-rows-other-plan', route: '/analytics/:metric', path: '/analytics/revenue', as: 'limited' },
]
