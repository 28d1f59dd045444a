import { expect, inTenant, test } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'
import { getAppointmentType } from '../queries/types.ts'
import { createType } from '../services/types.ts'

test('two tabs that change an appointment type lose nothing of each other', async ({ page, context, app }) => {
  const coach = await app.createCoach()
  const { id } = await inTenant(coach, (ctx) => createType(ctx, { name: 'Session' }))
  await coach.signIn(context)
  const other = await context.newPage()
  for (const tab of [page, other]) {
    await tab.goto(`/calendar/types/${id}`)
    await waitForHydration(tab)
  }
  await other.getByLabel('Description').fill('For people who lead')
  await other.getByRole('button', { name: 'Save' }).click()
  await expect(other.getByText('Appointment type updated')).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill('Long session')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('This appointment type was changed in another tab.')).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Long session')
  await expect(page.getByLabel('Description')).toHaveValue('For people who lead')
  await page.getByRole('button', { name: 'Save mine' }).click()
  await expect(page.getByText('Appointment type updated')).toBeVisible()
  expect(await inTenant(coach, (ctx) => getAppointmentType(ctx, id))).toMatchObject({
    name: 'Long session',
    description: 'For people who lead',
  })
})
