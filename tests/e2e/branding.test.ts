import { expect, test } from './support/test-app.ts'
import { hydrated } from './support/wait-for-idle.ts'

const star = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M4 0l1 3h3l-2 2 1 3-3-2-3 2 1-3-2-2h3z"/></svg>',
)

test('a logo is uploaded, stands everywhere at once, and is removed', async ({ page, browser, house }) => {
  const coach = await house.aCoach({ ownHost: true, businessName: 'Winter Coaching' })
  await coach.signIn(page.context())
  await page.goto('/branding')
  await hydrated(page)
  await page.getByLabel('Logo').setInputFiles({ name: 'star.svg', mimeType: 'image/svg+xml', buffer: star })
  await expect(page.getByText('Logo saved')).toBeVisible()
  await expect(page.getByRole('complementary').first().locator('img.logo')).toBeVisible()

  const visitor = await browser.newPage()
  await visitor.goto(coach.origin)
  const logo = visitor.locator('img.logo').first()
  await expect(logo).toBeVisible()
  expect(await logo.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth > 0)).toBe(true)
  await visitor.close()

  await page.getByRole('button', { name: 'Remove logo' }).click()
  await expect(page.getByText('Logo removed')).toBeVisible()
  await expect(page.locator('img.logo')).toHaveCount(0)
})

test('what is no picture is refused in words, and the logo stays', async ({ page, house }) => {
  await (await house.aCoach()).signIn(page.context())
  await page.goto('/branding')
  await hydrated(page)
  await page
    .getByLabel('Logo')
    .setInputFiles({ name: 'star.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') })
  await expect(page.getByText('Invalid File Type')).toBeVisible()
  await expect(page.getByText('Please upload an image file (PNG, JPG, or SVG).')).toBeVisible()
  await page
    .getByLabel('Logo')
    .setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(5 * 1024 * 1024 + 1) })
  await expect(page.getByText('File Too Large')).toBeVisible()
})

test('each of the first steps is done where it leads to', async ({ page, house }) => {
  await (await house.aCoach()).signIn(page.context())
  const steps = page.getByRole('region', { name: 'First steps' }).getByRole('listitem')
  await page.goto('/dashboard')
  await hydrated(page)
  await steps.filter({ hasText: 'Introduce yourself' }).getByRole('link', { name: 'Open Settings' }).click()
  await page.getByLabel('Business name').fill('Winter Coaching')
  await page.getByRole('button', { name: 'Save Profile' }).click()
  await expect(page.getByText('Profile saved.')).toBeVisible()
  await page.goto('/dashboard')
  await hydrated(page)
  await expect(steps.filter({ hasText: 'Introduce yourself' })).toContainText('Done')
  await steps.filter({ hasText: 'Make it yours' }).getByRole('link', { name: 'Open Branding' }).click()
  await page.getByLabel('Web address').fill(`winter-${Date.now()}`)
  await page.getByRole('button', { name: 'Save Branding' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'aved' })).toBeVisible()
  await page.goto('/dashboard')
  await expect(steps.filter({ hasText: 'Make it yours' })).toContainText('Done')
})
