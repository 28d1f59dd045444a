import { findMail } from '#tests/e2e/support/mails.ts'
import { expect, inTenant, test } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'
import { allowSupport } from '../services/support-grants.ts'

test('a coach lets support in, and an administrator reads the practice until the coach ends it', async ({
  page,
  app,
  newContext,
}) => {
  const admin = await app.createCoach({ isAdmin: true })
  const coach = await app.createCoach({ firstName: 'Grace', clients: [{ name: 'Ada Lovelace' }] })
  await coach.signIn(page.context())
  await page.goto('/settings')
  await page.getByRole('link', { name: 'Support Access page' }).click()
  await page.getByRole('button', { name: 'Allow Access' }).click()
  await expect(page.getByText('Say what support should look at')).toBeVisible()
  await page.getByLabel('What should support look at?').fill('An invoice is wrong.')
  await page.getByLabel('For', { exact: true }).selectOption('1 hour')
  await page.getByRole('button', { name: 'Allow Access' }).click()
  await expect(page.getByRole('heading', { name: 'Support may read your practice' })).toBeVisible()

  const support = await (await newContext()).newPage()
  await admin.signIn(support.context())
  await support.goto(`/admin?dialog=details&coach=${coach.id}`)
  await expect(support.getByRole('dialog')).toContainText('An invoice is wrong.')
  await support.getByRole('button', { name: 'Open as Support' }).click()
  const bar = support.getByRole('region', { name: 'Support access' })
  await expect(bar).toContainText(coach.email)
  await support.goto('/clients')
  await expect(bar).toBeVisible()
  await support.getByText('Ada Lovelace').first().click()
  await expect(support.getByRole('heading', { name: 'Ada Lovelace' })).toBeVisible()
  await findMail(app, coach.email, 'Support has opened your practice')

  await page.getByRole('button', { name: 'End Now' }).click()
  await expect(page.getByRole('heading', { name: 'Allow support access' })).toBeVisible()
  await support.getByRole('link', { name: 'Dashboard' }).first().click()
  await expect(support.getByText('Support access has ended')).toBeVisible()
  await expect(support.getByRole('heading', { name: 'Admin Console' })).toBeVisible()
  await expect(bar).toHaveCount(0)

  await page.goto('/security')
  await expect(page.getByText('Support opened the practice')).toBeVisible()
  await expect(page.getByText('Support read a page: /clients', { exact: true })).toBeVisible()
})

test('a form on a visit is refused and stays on screen, and the administrator leaves', async ({
  page,
  app,
  browserErrors,
}) => {
  const admin = await app.createCoach({ isAdmin: true })
  const coach = await app.createCoach()
  const device = { userAgent: null, address: '127.0.0.1' }
  await inTenant(coach, (ctx) => allowSupport(ctx, { hours: '1', reason: 'An invoice is wrong.' }, device))
  await admin.signIn(page.context())
  await page.goto(`/admin?dialog=details&coach=${coach.id}`)
  await page.getByRole('button', { name: 'Open as Support' }).click()
  await page.goto('/settings')
  await waitForHydration(page)
  await page.getByLabel('Business name').fill('Changed by support')
  await page.getByRole('button', { name: 'Save Profile' }).click()
  await expect(page.getByText('Support access is read-only').first()).toBeVisible()
  await expect(page.getByLabel('Business name')).toHaveValue('Changed by support')
  browserErrors.ignore(/403/)
  await page.getByLabel('Business name').fill('')
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Leave Practice' }).click()
  await expect(page.getByText('You left the practice')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Admin Console' })).toBeVisible()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('an administrator announces something, and a coach dismisses it', async ({ page, app, newContext }) => {
    const admin = await app.createCoach({ isAdmin: true })
    const coach = await app.createCoach({ plan: 'pro' })
    const title = `Maintenance for ${coach.id}`
    await admin.signIn(page.context())
    await page.goto('/admin/announcements')
    await page.getByLabel('Title').fill(title)
    await page.getByLabel('Text').fill('We are back at noon.')
    for (const plan of ['Free', 'Premium']) await page.getByLabel(plan, { exact: true }).uncheck()
    await page.getByRole('button', { name: 'Add Announcement' }).click()
    await expect(page.getByText('Announcement added')).toBeVisible()

    const own = await (await newContext({ javaScriptEnabled: false })).newPage()
    await coach.signIn(own.context())
    await own.goto('/clients')
    const bar = own.getByRole('region', { name: title })
    await expect(bar).toContainText('We are back at noon.')
    await bar.getByRole('button', { name: `Dismiss ${title}` }).click()
    await expect(own).toHaveURL(/\/clients$/)
    await expect(bar).toHaveCount(0)

    await page.getByRole('link', { name: `Delete ${title}` }).click()
    await page.getByRole('button', { name: 'Delete Announcement' }).click()
    await expect(page.getByText('Announcement deleted')).toBeVisible()
  })
})
