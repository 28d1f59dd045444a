import { findViolations } from '#tests/e2e/support/axe.ts'
import { expect, inTenant, test, type Coach, type TestApp } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'
import { NewTestimonial } from '../forms.ts'
import { createTestimonial } from '../services/testimonials.ts'

const createHost = (app: TestApp): Promise<Coach> =>
  app.createCoach({ ownHost: true, businessName: 'Groundswell', primaryColor: '#8a2b5b' })

test('a coach adds, orders and hides testimonials, and visitors see them', async ({ page, app, newContext }) => {
  const coach = await createHost(app)
  await coach.signIn(page.context())
  await page.goto('/public-page')
  await waitForHydration(page)
  await page.getByRole('link', { name: 'Add Testimonial' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Testimonial' })
  await dialog.getByLabel('Quote').fill('She asks the right question.')
  await dialog.getByLabel('Name').fill('Jonas R.')
  await dialog.getByRole('button', { name: 'Add Testimonial' }).click()
  await expect(dialog.getByText('Confirm that you have permission')).toBeVisible()
  await expect(dialog.getByLabel('Quote')).toHaveValue('She asks the right question.')
  await dialog.getByLabel('I have permission to publish this').check()
  await dialog.getByRole('button', { name: 'Add Testimonial' }).click()
  await expect(page.getByText('Testimonial added')).toBeVisible()
  await inTenant(coach, (tx) =>
    createTestimonial(tx, NewTestimonial.parse({ quote: 'Patient and honest.', name: 'Lea B.', permission: true })),
  )
  await page.reload()
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Move Lea B. up' }).click()
  await expect(page.getByRole('list', { name: 'Testimonials' }).getByRole('listitem').first()).toContainText('Lea B.')
  await page.getByRole('button', { name: 'Hide Jonas R.' }).click()
  await expect(page.getByRole('button', { name: 'Show Jonas R.' })).toBeVisible()

  const visitor = await (await newContext({ baseURL: coach.origin, javaScriptEnabled: false })).newPage()
  await visitor.goto('/')
  await expect(visitor.getByText('“Patient and honest.”')).toBeVisible()
  await expect(visitor.getByText('She asks the right question.')).toHaveCount(0)

  await page.getByRole('link', { name: 'Edit Jonas R.' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Testimonial' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Testimonial restored')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Edit Jonas R.' })).toBeVisible()
})

test('the public page with everything on it is accessible, and its policy blocks nothing', async ({
  app,
  newContext,
}) => {
  const coach = await createHost(app)
  await inTenant(coach, (tx) =>
    createTestimonial(tx, NewTestimonial.parse({ quote: 'Patient and honest.', name: 'Lea B.', permission: true })),
  )
  for (const colorScheme of ['light', 'dark'] as const) {
    const visitor = await (await newContext({ baseURL: coach.origin, colorScheme })).newPage()
    await visitor.goto('/')
    await expect(visitor.getByRole('heading', { name: 'What clients say' })).toBeVisible()
    expect(await findViolations(visitor)).toEqual([])
  }
})

test('from any screen the coach opens the public page and copies its address', async ({ app, newContext }) => {
  const coach = await createHost(app)
  const context = await newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  await coach.signIn(context)
  const page = await context.newPage()
  await page.goto('/clients')
  await waitForHydration(page)
  await page.getByRole('button', { name: /^Account:/ }).click()
  const menu = page.getByRole('navigation', { name: 'Your account' })
  await expect(menu.getByRole('link', { name: 'View Public Page' })).toHaveAttribute(
    'href',
    `${coach.origin}/?view=public`,
  )
  await menu.getByRole('link', { name: 'Copy Address' }).click()
  await expect(menu.getByText('Address copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(coach.origin)
})
