import type { Screen } from '#tests/e2e/support/screens/screen.ts'

export const adminScreens: Screen[] = [
  { name: 'admin', page: '/admin', at: '/admin', as: 'admin' },
  { name: 'admin-nobody', page: '/admin', at: '/admin?q=zzzz', as: 'admin' },
  { name: 'admin-add', page: '/admin', at: '/admin?dialog=add', as: 'admin' },
  {
    name: 'admin-row-menu',
    page: '/admin',
    at: '/admin',
    as: 'admin',
    then: (page) =>
      page
        .getByRole('button', { name: /^Actions for / })
        .first()
        .click(),
  },
]
