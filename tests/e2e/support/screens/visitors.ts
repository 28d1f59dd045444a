import type { Page } from '@playwright/test'
import type { Screen } from './screen.ts'

export const visitorScreens: Screen[] = [
  { name: 'landing', page: '/', at: '/', as: 'visitor' },
  { name: 'coach-page', page: '/', at: '/', as: 'visitor', own: 'full' },
  { name: 'coach-page-powered-by', page: '/', at: '/', as: 'visitor', own: 'limited' },
  { name: 'sign-in', page: '/auth', at: '/auth', as: 'visitor' },
  { name: 'sign-in-own-host', page: '/auth', at: '/auth', as: 'visitor', own: 'full' },
  { name: 'sign-in-refused', page: '/auth', at: '/auth', as: 'visitor', then: refuseSignIn },
  { name: 'register', page: '/auth', at: '/auth?tab=register', as: 'visitor' },
  { name: 'register-refused', page: '/auth', at: '/auth?tab=register', as: 'visitor', then: refuseRegistration },
  { name: 'forgot', page: '/auth/forgot', at: '/auth/forgot', as: 'visitor' },
  { name: 'forgot-sent', page: '/auth/forgot', at: '/auth/forgot?sent', as: 'visitor' },
  { name: 'reset', page: '/auth/reset', at: '/auth/reset?token=x', as: 'visitor' },
  { name: 'reset-incomplete', page: '/auth/reset', at: '/auth/reset', as: 'visitor' },
  { name: 'test-purchase', page: '/test-purchase', at: '/test-purchase?tried=2x96000_1x9999999999', as: 'visitor' },
  { name: 'test-purchase-powered-by', page: '/test-purchase', at: '/test-purchase', as: 'visitor', own: 'limited' },
  {
    name: 'test-purchase-refused',
    page: '/test-purchase',
    at: '/test-purchase',
    as: 'visitor',
    then: (page) =>
      page
        .getByRole('button', { name: 'Record Purchase' })
        .click()
        .then(() => page.getByRole('main').getByText('Please select a product and enter an amount').waitFor()),
  },
  { name: 'not-found', page: '/*', at: '/nowhere', as: 'visitor', status: 404 },
]

async function refuseSignIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('nobody@example.com')
  await page.getByLabel('Password', { exact: true }).fill('wrong password')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.getByText('Login failed').waitFor()
}

async function refuseRegistration(page: Page): Promise<void> {
  for (const label of ['First name', 'Last name']) await page.getByLabel(label).fill('  ')
  await page.getByLabel('Email').fill('ada@nowhere')
  await page.getByLabel('Password', { exact: true }).fill('long enough')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.getByText('First name is required').waitFor()
}
