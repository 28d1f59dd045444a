import type { Page } from '@playwright/test'
import type { PlanName } from '#tenants/accounts/plans.ts'
import { createAnnouncement } from '#modules/admin/services/announcements.ts'
import { allowSupport, endSupportGrant } from '#modules/admin/services/support-grants.ts'
import { changePlan, createCoach, deleteCoach } from '#modules/admin/services/coaches.ts'
import { inTenant } from '#tests/e2e/support/test-app.ts'
import { openRowMenu } from '#tests/e2e/support/screens/row-menu.ts'
import type { Platform } from '#tenants/platform.ts'
import type { Screen, World } from '#tests/e2e/support/screens/screen.ts'

export const screens: Screen[] = [
  { name: 'admin', route: '/admin', path: '/admin', as: 'admin' },
  { name: 'admin-nobody', route: '/admin', path: '/admin?q=zzzz', as: 'admin' },
  { name: 'admin-subscriptions', route: '/admin/subscriptions', path: '/admin/subscriptions', as: 'admin' },
  { name: 'admin-analytics', route: '/admin/analytics', path: '/admin/analytics', as: 'admin' },
  { name: 'admin-audit-log', route: '/admin/audit-log', path: '/admin/audit-log', as: 'admin' },
  { name: 'admin-audit-log-end', route: '/admin/audit-log', path: '/admin/audit-log?after=1', as: 'admin' },
  { name: 'admin-jobs', route: '/admin/jobs', path: '/admin/jobs', as: 'admin' },
  { name: 'admin-jobs-none', route: '/admin/jobs', path: '/admin/jobs?kind=webhook&page=9', as: 'admin' },
  { name: 'admin-deliveries', route: '/admin/jobs', path: '/admin/jobs?kind=delivery', as: 'admin' },
  { name: 'admin-deliveries-none', route: '/admin/jobs', path: '/admin/jobs?kind=delivery&after=1', as: 'admin' },
  { name: 'admin-deliveries-nobody', route: '/admin/jobs', path: '/admin/jobs?kind=delivery&q=zzzz', as: 'admin' },
  { name: 'admin-modules', route: '/admin/modules', path: '/admin/modules', as: 'admin' },
  {
    name: 'admin-coach-modules',
    route: '/admin/modules/:coach',
    path: ({ newcomer }) => `/admin/modules/${newcomer.id}`,
    as: 'admin',
  },
  { name: 'admin-announcements', route: '/admin/announcements', path: '/admin/announcements', as: 'admin' },
  {
    name: 'admin-announcement-edit',
    route: '/admin/announcements',
    path: '/admin/announcements',
    as: 'admin',
    setup: openAnnouncement,
  },
  { name: 'support-access', route: '/settings/support-access', path: '/settings/support-access', as: 'newcomer' },
  { name: 'support-access-allowed', route: '/settings/support-access', path: '/settings/support-access', as: 'full' },
  { name: 'admin-add', route: '/admin', path: '/admin?dialog=add', as: 'admin' },
  { name: 'admin-row-menu', route: '/admin', path: '/admin', as: 'admin', setup: openRowMenu },
  { name: 'admin-details', route: '/admin', path: '/admin', as: 'admin', setup: selectFromRowMenu('View Details') },
  { name: 'admin-plan', route: '/admin', path: '/admin', as: 'admin', setup: selectFromRowMenu('Upgrade Plan') },
  {
    name: 'admin-sign-out',
    route: '/admin',
    path: ({ newcomer }) => `/admin?q=${newcomer.email}`,
    as: 'admin',
    setup: selectFromRowMenu('Sign Out'),
  },
  {
    name: 'admin-second-factor',
    route: '/admin',
    path: ({ secured }) => `/admin?q=${secured.email}`,
    as: 'admin',
    setup: selectFromRowMenu('Turn Off Two-Step Sign-In'),
  },
  {
    name: 'admin-invite',
    route: '/admin',
    path: '/admin?status=invited',
    as: 'admin',
    setup: selectFromRowMenu('Resend Invitation'),
  },
  {
    name: 'admin-restore',
    route: '/admin',
    path: '/admin?status=removed',
    as: 'admin',
    setup: selectFromRowMenu('Restore Coach'),
  },
  {
    name: 'admin-remove',
    route: '/admin',
    // Administrators, who can't be removed, may be the newest coaches.
    path: ({ newcomer }) => `/admin?q=${newcomer.email}`,
    as: 'admin',
    setup: selectFromRowMenu('Remove Coach'),
  },
]

async function openAnnouncement(page: Page) {
  await page
    .getByRole('link', { name: /^Edit / })
    .first()
    .click()
  await page.getByRole('dialog').waitFor()
}

function selectFromRowMenu(name: string) {
  return async (page: Page) => {
    await openRowMenu(page)
    await page.getByRole('menuitem', { name }).filter({ visible: true }).first().click()
    await page.getByRole('dialog').waitFor()
  }
}

/** Adds an email that could not be sent. It starts later, so that no worker takes it before it fails. */
export async function addFailedJob({ boss }: Platform, data: object): Promise<void> {
  const id = await boss.send('mail.reset', data, { retryLimit: 0, startAfter: 5 })
  await boss.fail('mail.reset', id!, { message: 'The job failed.', details: { message: 'connect ECONNREFUSED' } })
}

/** Its days are over, so that other screens don't show it. */
const oldAnnouncement = {
  body: 'We are back at noon.\nThank you for your patience.',
  from: '2000-01-01',
  until: '2000-01-02',
  plans: ['free', 'premium'] as PlanName[],
}

/** Fills the audit log, invites a coach and removes one, announces something, and lets support in. */
export async function world({ app, admin, full, longText }: World): Promise<Partial<World>> {
  const coach = await app.createCoach({ lastName: longText })
  await addFailedJob(app.platform, { coachId: coach.id, email: `${longText.slice(0, 60)}@example.com` })
  await inTenant(admin, async (ctx) => {
    await changePlan(ctx, coach.id, 'pro')
    const invited = { firstName: null, lastName: null, businessName: null, subscriptionStatus: 'free' } as const
    await createCoach(ctx, { email: `invited-${process.pid}@example.com`, ...invited })
    await deleteCoach(ctx, coach.id)
    await createAnnouncement(ctx, { ...oldAnnouncement, title: longText })
  })
  const device = { userAgent: null, address: '127.0.0.1' }
  await inTenant(full, (ctx) => allowSupport(ctx, { hours: '1', reason: 'The times were wrong.' }, device))
  await inTenant(full, (ctx) => endSupportGrant(ctx, device))
  await inTenant(full, (ctx) => allowSupport(ctx, { hours: '24', reason: longText }, device))
  return {}
}
