import type { Page } from '@playwright/test'
import type { Screen } from './screen.ts'

export const visitorScreens: Screen[] = [
  { name: 'landing', route: '/', path: '/', as: 'visitor' },
  { name: 'coach-page', route: '/', path: '/', as: 'visitor', host: 'full' },
  { name: 'coach-page-powered-by', route: '/', path: '/', as: 'visitor', host: 'limited' },
  { name: 'sign-in', route: '/auth', path: '/auth', as: 'visitor' },
  { name: 'sign-in-own-host', route: '/auth', path: '/auth', as: 'visitor', host: 'full' },
  { name: 'sign-in-refused', route: '/auth', path: '/auth', as: 'visitor', setup: submitWrongPassword },
  { name: 'register', route: '/auth', path: '/auth?tab=register', as: 'visitor' },
  {
    name: 'register-refused',
    route: '/auth',
    path: '/auth?tab=register',
    as: 'visitor',
    setup: submitInvalidRegistration,
  },
  { name: 'forgot', route: '/auth/forgot', path: '/auth/forgot', as: 'visitor' },
  { name: 'forgot-sent', route: '/auth/forgot', path: '/auth/forgot?sent', as: 'visitor' },
  { name: 'reset', route: '/auth/reset', path: '/auth/reset?token=x', as: 'visitor' },
  { name: 'reset-incomplete', route: '/auth/reset', path: '/auth/reset', as: 'visitor' },
  { name: 'email-change-used', route: '/auth/email-change', path: '/auth/email-change?token=x', as: 'visitor' },
  { name: 'verify-used', route: '/auth/verify', path: '/auth/verify?token=x', as: 'visitor' },
  { name: 'onboarding-visitor', route: '/onboarding', path: '/onboarding', as: 'visitor' },
  { name: 'demo', route: '/demo', path: '/demo', as: 'visitor' },
  { name: 'demo-calendar', route: '/demo', path: '/demo', as: 'visitor', setup: (page) => openDemoStep(page, 2) },
  { name: 'demo-branding', route: '/demo', path: '/demo', as: 'visitor', setup: (page) => openDemoStep(page, 4) },
  { name: 'not-found', route: '/*', path: '/nowhere', as: 'visitor', status: 404 },
]

async function submitWrongPassword(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('nobody@example.com')
  await page.getByLabel('Password', { exact: true }).fill('wrong password')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.getByText('Login failed').waitFor()
}

async function submitInvalidRegistration(page: Page): Promise<void> {
  for (const label of ['First name', 'Last name']) await page.getByLabel(label).fill('  ')
  await page.getByLabel('Email').fill('ada@nowhere')
  await page.getByLabel('Password', { exact: true }).fill('long enough')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.getByText('First name is required').waitFor()
}

async function openDemoStep(page: Page, step: number): Promise<void> {
  for (let at = 1; at < step; at++) await page.getByRole('button', { name: 'Next' }).click()
  await page
    .getByRole('listitem')
    .filter({ hasText: `Step ${step}` })
    .waitFor()
}
