import { NewProduct } from '#modules/billing/forms.ts'
import { createProduct } from '#modules/billing/services/products.ts'
import { AppointmentTypeInput, ScheduleInput } from '#modules/scheduling/forms.ts'
import { createSchedule } from '#modules/scheduling/services/schedules.ts'
import { createType } from '#modules/scheduling/services/types.ts'
import { expect, inTenant, test } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

// Scheduling, billing and Stripe together ('#modules/stripe/').
// The clock starts on Wednesday, March 11, 2026, at 10:00 in New York, the zone of the coach.

const weekdays = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '16:00', end: '20:00' }))

test('a coach lets a session be paid when booking, as a product; a visitor on a phone without JavaScript goes back once, pays, and cancels', async ({
  page,
  app,
  newContext,
  passTime,
}) => {
  const coach = await app.createCoach({ ownHost: true, businessName: 'Groundswell' })
  const typeId = await inTenant(coach, async (tx) => {
    await createSchedule(tx, ScheduleInput.parse({ name: 'Working hours', hours: weekdays }))
    await createProduct(tx, NewProduct.parse({ name: 'Single session', price: '120.00' }))
    const input = { name: 'Session', visibility: 'public', cancellationNoticeMinutes: 1440 }
    return (await createType(tx, AppointmentTypeInput.parse(input))).id
  })
  await coach.signIn(page.context(), { origin: coach.origin })
  await page.goto(`${coach.origin}/calendar/types/${typeId}`)
  await expect(page.getByText('Clients can pay when they book once you have')).toBeVisible()
  await page.goto(`${coach.origin}/settings/payments`)
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Connect Stripe' }).click()
  await page.getByRole('button', { name: 'Finish', exact: true }).click()
  await expect(page.getByText('Clients can pay your invoices by card.')).toBeVisible()
  await page.goto(`${coach.origin}/calendar/types/${typeId}`)
  await waitForHydration(page)
  await expect(page.getByLabel('Product', { exact: true })).toBeHidden()
  await page.getByLabel('What it costs').selectOption('A product')
  await page.getByLabel('Product', { exact: true }).selectOption({ label: 'Single session · $120.00' })
  await page.getByLabel('Paid').selectOption('By card when booking')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Appointment type updated')).toBeVisible()

  const visitor = await newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
  const phone = await visitor.newPage()
  await phone.goto(`${coach.origin}/book/session?zone=Europe/Berlin&day=2026-03-13`)
  await phone.getByRole('link', { name: '9:00 PM', exact: true }).click()
  await phone.getByRole('button', { name: 'Confirm 9:00 PM' }).click()
  await expect(phone.getByText('If you cancel at least 24 h before it begins')).toBeVisible()
  await phone.getByLabel('Name').fill('Maya Ortiz')
  await phone.getByLabel('Email').fill('maya@example.com')
  // The form refuses programs, which fill it in at once.
  await passTime(visitor, 10_000)
  await phone.getByRole('button', { name: 'Continue to payment' }).press('Enter')
  await phone.getByRole('button', { name: 'Back', exact: true }).click()
  await expect(phone.getByRole('heading', { name: 'Your time is not booked yet' })).toBeVisible()
  await expect(phone.getByText('We keep it for you until')).toBeVisible()
  await phone.getByRole('button', { name: 'Pay $120.00' }).press('Enter')
  await phone.getByRole('button', { name: 'Pay by card', exact: true }).click()
  await expect(phone.getByRole('heading', { name: 'You are booked' })).toBeVisible()
  await expect(phone.getByText('$120.00')).toBeVisible()

  await page.goto(`${coach.origin}/calendar?view=week`)
  await waitForHydration(page)
  await page
    .getByRole('link', { name: /Session.*Maya Ortiz|Maya Ortiz.*Session/ })
    .first()
    .click()
  await expect(page.getByText('Paid when booking')).toBeVisible()
  await page.goto(`${coach.origin}/payments`)
  await expect(page.getByRole('main').getByText('Maya Ortiz').first()).toBeVisible()

  await phone.getByRole('link', { name: 'Change or cancel' }).click()
  await phone.getByRole('link', { name: 'Cancel session' }).click()
  await expect(phone.getByText('All of the $120.00 goes back to your card.')).toBeVisible()
  await phone.getByRole('button', { name: 'Cancel session' }).click()
  await expect(phone.getByText('It goes back to your card')).toBeVisible()
  await expect(async () => {
    await page.goto(`${coach.origin}/payments`)
    await expect(page.getByRole('main').getByText('Refunded', { exact: true }).first()).toBeVisible({ timeout: 2_000 })
  }).toPass()
})
