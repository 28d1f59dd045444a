import { expect, test } from './support/test-app.ts'
import { waitForHydration } from './support/wait-for-idle.ts'

const star = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M4 0l1 3h3l-2 2 1 3-3-2-3 2 1-3-2-2h3z"/></svg>',
)

test('a logo is uploaded, shown everywhere at once, and removed', async ({ page, browser, app }) => {
  const coach = await app.createCoach({ ownHost: true, businessName: 'Winter Coaching' })
  await coach.signIn(page.context())
  await page.goto('/branding')
  await waitForHydration(page)
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

test('a file that is not an image is rejected with a message, and the logo is kept', async ({ page, app }) => {
  await (await app.createCoach()).signIn(page.context())
  await page.goto('/branding')
  await waitForHydration(page)
  await page
    .getByLabel('Logo')
    .setInputFiles({ name: 'star.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') })
  await expect(page.getByText('Invalid File Type')).toBeVisible()
  await expect(page.getByLabel('Logo')).toHaveAccessibleDescription(
    'Invalid File Type: Please upload an image file (PNG, JPG, or SVG).',
  )
  await expect(page.getByText('star.png')).toHaveCount(0)
  await page
    .getByLabel('Logo')
    .setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(5 * 1024 * 1024 + 1) })
  await expect(page.getByText('File Too Large')).toBeVisible()
})

test('a web address that is reserved, looks like the platform or was just given up is rejected at its field', async ({
  page,
  app,
  newContext,
}) => {
  const [former, coach] = [await app.createCoach({ ownHost: true }), await app.createCoach()]
  const leaving = await (await newContext()).newPage()
  await former.signIn(leaving.context())
  await leaving.goto('/branding')
  await leaving.getByLabel('Web address').fill('')
  await leaving.getByRole('button', { name: 'Save Branding' }).click()
  await expect(leaving.getByText('Branding saved.')).toBeVisible()

  await coach.signIn(page.context())
  await page.goto('/branding')
  const address = page.getByLabel('Web address')
  for (const [name, message] of [
    ['sign-1n', 'This name is reserved'],
    [`my-${app.platform.config.platformName.toLowerCase()}`, 'This name looks like an address of'],
    [former.subdomain!, 'Another practice used this address in the last 90 days. Choose another one'],
  ] as const) {
    await address.fill(name)
    await page.getByRole('button', { name: 'Save Branding' }).click()
    await expect(page.getByText(message)).toBeVisible()
    await expect(address).toHaveValue(name)
  }
})

test('each first step is completed on the page that it links to', async ({ page, app }) => {
  await (await app.createCoach()).signIn(page.context())
  const steps = page.getByRole('region', { name: 'First steps' }).getByRole('listitem')
  await page.goto('/dashboard')
  await waitForHydration(page)
  await steps.filter({ hasText: 'Introduce yourself' }).getByRole('link', { name: 'Open Settings' }).click()
  await page.getByLabel('Business name').fill('Winter Coaching')
  await page.getByRole('button', { name: 'Save Profile' }).click()
  await expect(page.getByText('Profile saved.')).toBeVisible()
  await page.goto('/dashboard')
  await waitForHydration(page)
  await expect(steps.filter({ hasText: 'Introduce yourself' })).toContainText('Done')
  await steps.filter({ hasText: 'Make it yours' }).getByRole('link', { name: 'Open Branding' }).click()
  await page.getByLabel('Web address').fill(`winter-${process.pid}`)
  await page.getByRole('button', { name: 'Save Branding' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'aved' })).toBeVisible()
  await page.goto('/dashboard')
  await expect(steps.filter({ hasText: 'Make it yours' })).toContainText('Done')
})
