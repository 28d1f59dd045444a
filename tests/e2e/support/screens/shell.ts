import type { Page } from '@playwright/test'
import type { Screen } from './screen.ts'

export const shellScreens: Screen[] = [
  { name: 'dashboard', page: '/dashboard', at: '/dashboard', as: 'full' },
  { name: 'dashboard-own-host', page: '/dashboard', at: '/dashboard', as: 'full', own: 'full' },
  { name: 'dashboard-empty', page: '/dashboard', at: '/dashboard', as: 'newcomer' },
  {
    name: 'dashboard-toast',
    page: '/settings',
    at: '/settings',
    as: 'full',
    then: (page) =>
      page
        .getByRole('button', { name: 'Save Profile' })
        .click()
        .then(() => page.getByText('Profile saved.').waitFor()),
  },
  { name: 'account-menu', page: '/dashboard', at: '/dashboard', as: 'full', then: openAccountMenu },
  {
    name: 'more-sheet',
    page: '/dashboard',
    at: '/dashboard',
    as: 'full',
    only: 'phone',
    then: (page) => page.getByRole('button', { name: 'More' }).last().click(),
  },
  {
    name: 'palette',
    page: '/dashboard',
    at: '/dashboard',
    as: 'full',
    then: (page) => page.keyboard.press('Control+k'),
  },
  {
    name: 'palette-results',
    page: '/dashboard',
    at: '/dashboard',
    as: 'full',
    then: (page) => palette(page, 'client'),
  },
  { name: 'palette-nothing', page: '/dashboard', at: '/dashboard', as: 'full', then: (page) => palette(page, 'zzzz') },
  { name: 'palette-failed', page: '/dashboard', at: '/dashboard', as: 'full', then: failingSearch },
  { name: 'sidebar-search', page: '/dashboard', at: '/dashboard', as: 'full', only: 'wide', then: sidebarSearch },
  { name: 'search', page: '/search', at: '/search', as: 'full' },
  { name: 'search-results', page: '/search', at: '/search?q=client', as: 'full' },
  { name: 'settings', page: '/settings', at: '/settings', as: 'full' },
  { name: 'settings-refused', page: '/settings', at: '/settings', as: 'full', then: refuseProfile },
  { name: 'branding', page: '/branding', at: '/branding', as: 'full' },
  {
    name: 'branding-preview-yellow',
    page: '/branding',
    at: '/branding',
    as: 'full',
    then: (page) => page.getByLabel('Hex value').fill('#fff7b0'),
  },
  { name: 'branding-refused', page: '/branding', at: '/branding', as: 'full', then: refuseBranding },
  { name: 'trash', page: '/trash', at: '/trash', as: 'full' },
  { name: 'trash-of-a-kind', page: '/trash', at: '/trash?kind=client', as: 'full' },
  { name: 'trash-empty', page: '/trash', at: '/trash', as: 'newcomer' },
  { name: 'trash-erase', page: '/trash', at: ({ trashed }) => `/trash?erase=client-${trashed}`, as: 'full' },
  { name: 'history', page: '/history/client/:id', at: ({ long }) => `/history/client/${long}`, as: 'full' },
  {
    name: 'history-of-trashed',
    page: '/history/client/:id',
    at: ({ trashed }) => `/history/client/${trashed}`,
    as: 'full',
  },
  { name: 'upgrade', page: '/upgrade', at: '/upgrade', as: 'newcomer' },
  { name: 'upgrade-full', page: '/upgrade', at: '/upgrade', as: 'limited' },
  { name: 'not-found-signed-in', page: '/*', at: '/nowhere', as: 'full', status: 404 },
]

async function refuseProfile(page: Page): Promise<void> {
  await page.getByLabel('Business name').fill('   ')
  await page.getByRole('button', { name: 'Save Profile' }).click()
  await page.getByText('Business name is required').waitFor()
}

async function refuseBranding(page: Page): Promise<void> {
  await page.getByLabel('Web address').fill('Not Possible!')
  await page.getByLabel('Hex value').fill('grey')
  await page.getByRole('button', { name: 'Save Branding' }).click()
  await page.getByText('Use 3 to 40 of').waitFor()
}

async function openAccountMenu(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Account:/ })
    .filter({ visible: true })
    .first()
    .click()
  await page.getByRole('link', { name: 'Settings' }).filter({ visible: true }).last().waitFor()
}

async function palette(page: Page, term: string): Promise<void> {
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: 'Search' })
  await dialog.getByRole('combobox').fill(term)
  await dialog
    .getByRole('status')
    .filter({ hasText: /result/ })
    .waitFor()
}

async function failingSearch(page: Page): Promise<void> {
  await page.route('**/api/search*', (route) => route.fulfill({ status: 429, json: { message: 'no' } }))
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Search' }).getByRole('combobox').fill('client')
  await page.getByText('so it shows nothing').waitFor()
}

async function sidebarSearch(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Search' }).fill('client')
  await page.getByRole('option').first().waitFor()
}
