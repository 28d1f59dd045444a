import { createProspect } from '#modules/pipeline/e2e/factories.ts'
import { listAppointments } from '#modules/scheduling/queries/appointments.ts'
import { contextFor, expect, test } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

test("a session is scheduled from a prospect's dialog", async ({ page, app }) => {
  const coach = await app.createCoach()
  await createProspect({ coach, name: 'Lena Lead' })
  await coach.signIn(page.context())
  await page.goto('/pipeline')
  await waitForHydration(page)
  await page.getByRole('link', { name: 'Lena Lead' }).click()
  await page.getByRole('dialog', { name: 'Edit Prospect' }).getByRole('link', { name: 'Schedule Session' }).click()
  const dialog = page.getByRole('dialog', { name: 'Schedule New Appointment' })
  await expect(dialog.getByLabel('Client or prospect')).toHaveValue('Lena Lead')
  await dialog.getByLabel('Title').fill('Discovery')
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await expect(page.getByText('Appointment Created')).toBeVisible()
  expect(await listAppointments(await contextFor(coach), {})).toMatchObject([
    { title: 'Discovery', prospectName: 'Lena Lead' },
  ])
  await page.goBack()
  await expect(page.getByRole('dialog', { name: 'Edit Prospect' })).toBeVisible()
})
