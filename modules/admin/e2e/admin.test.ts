import { AuthenticatorApp } from '#tenants/schema.ts'
import { extractLink, findMail } from '#tests/e2e/support/mails.ts'
import { expect, inTenant, test } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'
import { addFailedJob } from './screens.ts'

test('an administrator looks at a coach, changes the plan, signs the coach out and removes the coach', async ({
  page,
  app,
}) => {
  const [admin, coach] = [await app.createCoach({ isAdmin: true }), await app.createCoach({ plan: 'pro' })]
  await inTenant(coach, async ({ em, now }) => {
    const times = { createdAt: now(), confirmedAt: now() }
    em.create(AuthenticatorApp, { coachId: coach.id, secret: 'lost with the phone', ...times })
  })
  await admin.signIn(page.context())
  await page.goto('/admin')
  await waitForHydration(page)
  await page.getByLabel('Search coaches').fill(coach.email)
  await page.getByLabel('Search coaches').press('Enter')
  const row = page.getByRole('row', { name: coach.email })
  const openMenuItem = async (name: string) => {
    await row.getByRole('button', { name: /^Actions for / }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await expect(page.getByText('Showing 1 of 1')).toBeVisible()
  await openMenuItem('View Details')
  await expect(page.getByRole('dialog')).toContainText(coach.email)
  await page.getByRole('dialog').getByRole('link', { name: 'Change Plan' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change Plan' })
  await expect(dialog.getByLabel('Premium')).toBeChecked()
  await dialog.getByLabel('Free').check()
  await dialog.getByRole('button', { name: 'Save Plan' }).click()
  await expect(page.getByText('Subscription Updated')).toBeVisible()
  await expect(page.getByText(/is now on Free\.$/)).toBeVisible()
  await expect(row).toContainText('Free')

  await openMenuItem('Sign Out')
  await page.getByRole('dialog', { name: 'Sign Out Coach' }).getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByText('Coach Signed Out')).toBeVisible()

  await openMenuItem('Turn Off Two-Step Sign-In')
  const confirmation = page.getByRole('dialog', { name: 'Turn Off Two-Step Sign-In' })
  await confirmation.getByRole('button', { name: 'Turn Off' }).click()
  await expect(page.getByText('Two-Step Sign-In Turned Off')).toBeVisible()
  await row.getByRole('button', { name: /^Actions for / }).click()
  await expect(page.getByRole('menuitem', { name: 'Remove Coach' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Turn Off Two-Step Sign-In' })).toHaveCount(0)
  await page.keyboard.press('Escape')

  await openMenuItem('Remove Coach')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove Coach' }).click()
  await expect(page.getByText('Coach Removed')).toBeVisible()
  await expect(page.getByText('No coaches found')).toBeVisible()

  await page.getByRole('combobox', { name: 'Status' }).selectOption('Removed')
  await expect(row).toContainText('Removed')
  await openMenuItem('Restore Coach')
  const restoring = page.getByRole('dialog', { name: 'Restore Coach' })
  await expect(restoring).toContainText('Otherwise everything is erased on Apr 10, 2026.')
  await restoring.getByRole('button', { name: 'Restore Coach' }).click()
  await expect(page.getByText('Coach Restored')).toBeVisible()
  await expect(page.getByText('No coaches found')).toBeVisible()

  await page.getByRole('link', { name: 'Audit Log' }).click()
  await expect(page.getByRole('heading', { name: 'Audit Log' })).toBeVisible()
  const entries = page.getByRole('listitem').filter({ hasText: coach.email })
  await expect(entries.nth(0)).toContainText(`${admin.email} took back ${coach.email}`)
  await expect(entries.nth(1)).toContainText(`${admin.email} removed ${coach.email}`)
  await expect(entries.nth(2)).toContainText(`${admin.email} turned off two-step sign-in of ${coach.email}`)
  await expect(entries.nth(3)).toContainText(`${admin.email} signed out ${coach.email}`)
  await expect(entries.nth(4)).toContainText(`${admin.email} changed the plan of ${coach.email}`)
  await expect(entries.nth(4)).toContainText('Pro → Free')
})

test('an administrator adds a coach, who accepts the invitation and signs in', async ({ page, app }) => {
  const admin = await app.createCoach({ isAdmin: true })
  await admin.signIn(page.context())
  await page.goto('/admin?dialog=add')
  await waitForHydration(page)
  const email = `newcomer-${admin.id}@example.com`
  const dialog = page.getByRole('dialog', { name: 'Add Coach' })
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Plan').selectOption('Pro')
  await dialog.getByRole('button', { name: 'Add Coach' }).click()
  await expect(page.getByText('Coach Added')).toBeVisible()
  const row = page.getByRole('row', { name: email })
  await expect(row).toContainText('Invited')
  await row.getByRole('button', { name: `Actions for ${email}` }).click()
  await page.getByRole('menuitem', { name: 'Resend Invitation' }).click()
  await page.getByRole('button', { name: 'Send Invitation' }).click()
  await expect(page.getByText('Invitation Sent')).toBeVisible()

  await page.context().clearCookies()
  await page.goto(extractLink(await findMail(app, email)))
  await waitForHydration(page)
  await page.getByLabel('New password').fill('chosen by myself')
  await page.getByRole('button', { name: 'Save Password' }).click()
  await expect(page).toHaveURL('/auth')
  await waitForHydration(page)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('chosen by myself')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL('/dashboard')
})

test('an administrator reads who pays what, and how many sign up and stay', async ({ page, app }) => {
  const [admin] = [await app.createCoach({ isAdmin: true }), await app.createCoach({ plan: 'premium' })]
  await admin.signIn(page.context())
  await page.goto('/admin')
  await waitForHydration(page)
  await page.getByRole('link', { name: 'Subscriptions' }).click()
  await expect(page).toHaveURL('/admin/subscriptions')
  await expect(page.getByRole('row', { name: /^Premium \$59 [1-9]/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /^All plans/ })).toBeVisible()
  await page.getByRole('navigation', { name: 'Admin console' }).getByRole('link', { name: 'Analytics' }).click()
  const signUps = page.getByRole('table', { name: 'Sign-ups, activation and churn' })
  await expect(signUps.getByRole('row', { name: /^Mar 2026 [1-9]/ })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Revenue' }).getByRole('row', { name: /^Mar 2026/ })).toBeVisible()
  const cohorts = page.getByRole('table', { name: 'Retention by month of sign-up' })
  await expect(cohorts.getByRole('row', { name: /^Mar 2026 [1-9]\d* \d+%/ })).toBeVisible()
  await page.getByRole('link', { name: 'Coaches Management' }).click()
  await expect(page.getByLabel('Search coaches')).toBeVisible()
})

test('a coach who is no administrator reads why the page is closed', async ({ page, app, browserErrors }) => {
  await (await app.createCoach()).signIn(page.context())
  expect((await page.goto('/admin'))?.status()).toBe(403)
  await expect(page.getByText('This page is only for administrators of the platform.')).toBeVisible()
  browserErrors.ignore(/403/)
})

test('a module that is switched off while a form of it is open keeps the input and says why', async ({
  page,
  app,
  newContext,
}) => {
  const [admin, coach] = [await app.createCoach({ isAdmin: true }), await app.createCoach({ plan: 'pro' })]
  await coach.signIn(page.context())
  await page.goto('/tasks?dialog=add')
  await waitForHydration(page)
  const form = page.getByRole('dialog', { name: 'Add Task' })
  await form.getByLabel('Title').fill('Write a letter')

  const context = await newContext()
  await admin.signIn(context)
  const console = await context.newPage()
  await console.goto(`/admin?q=${coach.email}`)
  await waitForHydration(console)
  await console
    .getByRole('row', { name: coach.email })
    .getByRole('button', { name: /^Actions for / })
    .click()
  await console.getByRole('menuitem', { name: 'View Details' }).click()
  await console.getByRole('dialog').getByRole('link', { name: 'Modules' }).click()
  await expect(console.getByText('Session notes needs Clients and Calendar.')).toBeVisible()
  await console.getByRole('combobox', { name: 'Tasks' }).selectOption('Off')
  await console.getByRole('button', { name: 'Save Modules' }).click()
  await expect(console.getByText('Modules saved')).toBeVisible()
  await expect(console.getByText('Off now')).toBeVisible()

  await form.getByRole('button', { name: 'Add Task' }).click()
  await expect(form.getByText('Tasks isn’t part of your plan. Your changes were not saved.')).toBeVisible()
  await expect(form.getByLabel('Title')).toHaveValue('Write a letter')
  const later = await page.context().newPage()
  await later.goto('/tasks')
  await expect(later.getByText('Tasks isn’t part of your plan.')).toBeVisible()
  await later.goto('/clients')
  await expect(later.getByRole('link', { name: 'Calendar', exact: true }).first()).toBeVisible()
  await expect(later.getByRole('link', { name: 'Tasks', exact: true })).toHaveCount(0)
})

test('an administrator sees an email that could not be sent, and sends it again', async ({ page, app }) => {
  const [admin, coach] = [await app.createCoach({ isAdmin: true }), await app.createCoach()]
  await addFailedJob(app.platform, { coachId: coach.id, email: coach.email })
  await admin.signIn(page.context())
  await page.goto('/admin')
  await waitForHydration(page)
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await page.getByRole('link', { name: 'Emails' }).click()
  const job = page.getByRole('listitem').filter({ hasText: coach.email })
  await expect(job).toContainText('Mail: reset')
  await expect(job).toContainText('connect ECONNREFUSED')
  await expect(job).toContainText('1 of 1 attempts')
  await job.getByRole('button', { name: /^Retry Mail: reset/ }).click()
  await expect(page.getByText('The job runs again')).toBeVisible()
  expect((await findMail(app, coach.email)).text).toContain('password')
  await page.reload()
  await expect(page.getByRole('listitem').filter({ hasText: coach.email })).toHaveCount(0)
})
