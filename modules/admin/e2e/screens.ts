import type { Screen } from '#tests/e2e/support/screens/screen.ts'

export const screens: Screen[] = [
  { name: 'admin', route: '/admin', path: '/admin', as: 'admin' },
  { name: 'admin-nobody', route: '/admin', path: '/admin?q=zzzz', as: 'admin' },
  { name: 'admin-add', route: '/admin', path: '/admin?dialog=add', as: 'admin' },
  {
    name: 'admin-row-menu',
    route: '/admin',
    path: '/admin',
    as: 'admin',
    setup: (page) =>
      page
        .getByRole('button', { name: /^Actions for / })
        .first()
        .click(),
  },
]
