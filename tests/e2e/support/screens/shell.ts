import type { Page } from '@playwright/test'
import type { Screen } from './screen.ts'
import { screenPassword } from './world.ts'

export const shellScreens: Screen[] = [
  { name: 'dashboard', route: '/dashboard', path: '/dashboard', as: 'full' },
  { name: 'dashboard-own-host', route: '/dashboard', path: '/dashboard', as: 'full', host: 'full' },
  { name: 'dashboard-empty', route: '/dashboard', path: '/dashboard', as: 'newcomer' },
  {
    name: 'dashboard-toast',
    route: '/settings',
    path: '/settings',
    as: 'full',
    setup: (page) =>
      page
        .getByRole('button', { name: 'Save Profile' })
        .click()
        .then(() => page.getByText('Profile saved.').waitFor()),
  },
  { name: 'dashboard-unverified', route: '/dashboard', path: '/dashboard', as: 'unverified' },
  { name: 'verify-again', route: '/auth/verify', path: '/auth/verify?token=x', as: 'unverified' },
  { name: 'account-menu', route: '/dashboard', path: '/dashboard', as: 'full', setup: openAccountMenu },
  {
    name: 'more-sheet',
    route: '/dashboard',
    path: '/dashboard',
    as: 'full',
    only: 'phone',
    setup: (page) => page.getByRole('button', { name: 'More' }).last().click(),
  },
  {
    name: 'palette',
    route: '/dashboard',
    path: '/dashboard',
    as: 'full',
    setup: (page) => page.keyboard.press('Control+k'),
  },
  {
    name: 'palette-results',
    route: '/dashboard',
    path: '/dashboard',
    as: 'full',
    setup: (page) => searchInPalette(page, 'client'),
  },
  {
    name: 'palette-nothing',
    route: '/dashboard',
    path: '/dashboard',
    as: 'full',
    setup: (page) => searchInPalette(page, 'zzzz'),
  },
  { name: 'palette-failed', route: '/dashboard', path: '/dashboard', as: 'full', setup: searchWithError },
  { name: 'sidebar-search', route: '/dashboard', path: '/dashboard', as: 'full', only: 'wide', setup: searchInSidebar },
  { name: 'onboarding-profile', route: '/onboarding', path: '/onboarding?step=1', as: 'newcomer' },
  { name: 'onboarding-calendar', route: '/onboarding', path: '/onboarding?step=2', as: 'newcomer' },
  { name: 'onboarding-payment', route: '/onboarding', path: '/onboarding?step=3', as: 'newcomer' },
  { name: 'onboarding-branding', route: '/onboarding', path: '/onboarding?step=4', as: 'newcomer' },
  { name: 'onboarding-done', route: '/onboarding', path: '/onboarding?step=4', as: 'full', host: 'full' },
  { name: 'search', route: '/search', path: '/search', as: 'full' },
  { name: 'search-results', route: '/search', path: '/search?q=client', as: 'full' },
  { name: 'settings', route: '/settings', path: '/settings', as: 'full' },
  { name: 'settings-refused', route: '/settings', path: '/settings', as: 'full', setup: submitInvalidProfile },
  { name: 'api-keys', route: '/settings/api-keys', path: '/settings/api-keys', as: 'newcomer' },
  {
    name: 'api-keys-chosen',
    route: '/settings/api-keys',
    path: '/settings/api-keys',
    as: 'full',
    setup: async (page) => {
      await page.getByLabel('This key may').selectOption('Only what I choose')
      await page.getByLabel('Clients', { exact: true }).waitFor()
    },
  },
  { name: 'export', route: '/settings/export', path: '/settings/export', as: 'newcomer' },
  {
    name: 'export-done',
    route: '/settings/export',
    path: '/settings/export',
    as: 'full',
    setup: async (page) => {
      // The screens of the same coach share one export.
      const download = page.getByRole('link', { name: /^Download/ })
      if (await download.count()) return
      await page.getByLabel('Your password', { exact: true }).fill(screenPassword)
      await page.getByRole('button', { name: 'Export Everything' }).click()
      await download.waitFor()
    },
  },
  { name: 'account', route: '/settings/account', path: '/settings/account', as: 'full' },
  {
    name: 'account-refused',
    route: '/settings/account',
    path: '/settings/account',
    as: 'unverified',
    setup: submitWeakPassword,
  },
  { name: 'account-changing', route: '/settings/account', path: '/settings/account', as: 'secured' },
  { name: 'account-close', route: '/settings/account', path: '/settings/account?dialog=close', as: 'newcomer' },
  { name: 'closed', route: '/closed', path: '/closed', as: 'closed' },
  { name: 'security', route: '/security', path: '/security', as: 'full' },
  { name: 'security-refused', route: '/security', path: '/security', as: 'full', setup: submitNoPassword },
  {
    name: 'security-setup',
    route: '/security',
    path: '/security',
    as: 'newcomer',
    setup: async (page) => {
      const card = page.getByRole('region', { name: 'Two-step sign-in' })
      // It may be open from the other size.
      if (await card.getByRole('link', { name: 'Set Up' }).isVisible()) {
        await card.getByRole('link', { name: 'Set Up' }).click()
        await confirmPassword(page, 'Continue')
      }
      await card.getByRole('img', { name: 'QR code' }).waitFor()
    },
  },
  { name: 'security-on', route: '/security', path: '/security', as: 'secured' },
  {
    name: 'security-codes',
    route: '/security',
    path: '/security',
    as: 'secured',
    setup: async (page) => {
      await page.getByRole('link', { name: 'Make New Recovery Codes' }).click()
      await confirmPassword(page, 'Make New Codes')
      await page.getByRole('region', { name: 'Your recovery codes' }).waitFor()
    },
  },
  {
    name: 'security-remove-passkey',
    route: '/security',
    path: '/security',
    as: 'secured',
    setup: async (page) => {
      await page.getByRole('region', { name: 'Passkeys' }).getByRole('link', { name: 'Remove' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'security-sign-out',
    route: '/security',
    path: '/security',
    as: 'secured',
    setup: async (page) => {
      await page.getByRole('region', { name: 'Signed-in devices' }).getByRole('link').first().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'security-turn-off', route: '/security', path: '/security?dialog=turn-off', as: 'secured' },
  {
    name: 'security-add-passkey',
    route: '/security',
    path: '/security?dialog=add-passkey',
    as: 'secured',
    setup: async (page) => {
      await confirmPassword(page, 'Continue')
      await page.getByRole('dialog', { name: 'Name this passkey' }).waitFor()
    },
  },
  { name: 'security-sign-out-others', route: '/security', path: '/security?sign-out=others', as: 'secured' },
  { name: 'branding', route: '/branding', path: '/branding', as: 'full' },
  {
    name: 'branding-preview-yellow',
    route: '/branding',
    path: '/branding',
    as: 'full',
    setup: (page) => page.getByLabel('Hex value').fill('#fff7b0'),
  },
  { name: 'branding-refused', route: '/branding', path: '/branding', as: 'full', setup: submitInvalidBranding },
  { name: 'domain', route: '/branding/domain', path: '/branding/domain', as: 'full' },
  { name: 'domain-remove', route: '/branding/domain', path: '/branding/domain?dialog=remove', as: 'full' },
  { name: 'domain-add', route: '/branding/domain', path: '/branding/domain', as: 'admin' },
  { name: 'domain-of-premium', route: '/branding/domain', path: '/branding/domain', as: 'limited' },
  { name: 'today', route: '/today', path: '/today', as: 'full' },
  { name: 'today-empty', route: '/today', path: '/today', as: 'newcomer' },
  { name: 'trash', route: '/trash', path: '/trash', as: 'full' },
  { name: 'trash-empty', route: '/trash', path: '/trash', as: 'newcomer' },
  { name: 'upgrade', route: '/upgrade', path: '/upgrade', as: 'newcomer' },
  { name: 'upgrade-full', route: '/upgrade', path: '/upgrade', as: 'limited' },
  { name: 'not-found-signed-in', route: '/*', path: '/nowhere', as: 'full', status: 404 },
]

async function submitInvalidProfile(page: Page): Promise<void> {
  await page.getByLabel('Business name').fill('   ')
  await page.getByRole('button', { name: 'Save Profile' }).click()
  await page.getByText('Business name is required').waitFor()
}

async function submitWeakPassword(page: Page): Promise<void> {
  const card = page.getByRole('region', { name: 'Password' })
  await card.getByLabel('New password').fill('river 42 stone')
  await card.getByText('Good').waitFor()
  await card.getByRole('button', { name: 'Change Password' }).click()
  await page.getByText('Enter your current password').waitFor()
}

async function submitNoPassword(page: Page): Promise<void> {
  const card = page.getByRole('region', { name: 'Two-step sign-in' })
  await card.getByRole('link', { name: 'Set Up' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('Enter your password').waitFor()
}

async function confirmPassword(page: Page, button: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your password', { exact: true }).fill(screenPassword)
  await dialog.getByRole('button', { name: button }).click()
}

async function submitInvalidBranding(page: Page): Promise<void> {
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

async function searchInPalette(page: Page, term: string): Promise<void> {
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: 'Search' })
  await dialog.getByRole('combobox').fill(term)
  await dialog
    .getByRole('status')
    .filter({ hasText: /result/ })
    .waitFor()
}

async function searchWithError(page: Page): Promise<void> {
  await page.route('**/api/search*', (route) => route.fulfill({ status: 429, json: { message: 'no' } }))
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Search' }).getByRole('combobox').fill('client')
  await page.getByText('Search is incomplete right now').waitFor()
}

async function searchInSidebar(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Search' }).fill('client')
  await page.getByRole('option').first().waitFor()
}
