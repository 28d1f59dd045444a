import { expect, inTenant, getClients, test } from '#tests/e2e/support/test-app.ts'
import { completeSession, createAppointment, NewAppointment } from '#modules/scheduling/index.ts'

test('hours are counted, chosen, added, deleted and restored', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  const [grace] = await getClients(coach)
  await inTenant(coach, async (tx) => {
    const at = (hours: number) => new Date(tx.now().getTime() - hours * 3_600_000).toISOString()
    const times = { startTime: at(30), endTime: at(28.5) }
    const session = NewAppointment.parse({ title: 'Session', clientId: grace!.id, ...times })
    await completeSession(tx, (await createAppointment(tx, session)).id, { notes: null })
  })
  await coach.signIn(page.context())
  await page.goto('/hours')
  const row = page.getByRole('list', { name: 'Clients' }).getByRole('listitem')
  await expect(row).toContainText('1.5 hours')
  await expect(row).toContainText('Pro bono')
  await page.getByRole('button', { name: 'How the sessions of Grace Hopper count' }).click()
  await page.getByRole('menuitem', { name: 'Paid' }).click()
  await expect(row.getByText('Paid', { exact: true })).toBeVisible()

  await page.getByRole('link', { name: 'Add Hours' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Hours' })
  await dialog.getByLabel('Client or group').fill('Team')
  await dialog.getByLabel('Coaching').selectOption('Group')
  await dialog.getByLabel('First session').fill('2025-01-10')
  await dialog.getByLabel('Last session').fill('2025-02-10')
  await dialog.getByLabel('Paid hours').fill('1:30')
  await dialog.getByRole('button', { name: 'Add Hours' }).click()
  await expect(dialog.getByText('Use hours such as 12 or 1.5')).toBeVisible()
  await dialog.getByLabel('Paid hours').fill('10')
  await dialog.getByRole('button', { name: 'Add Hours' }).click()
  await expect(dialog.getByText('Enter how many people were in the group')).toBeVisible()
  await dialog.getByLabel('People in the group').fill('5')
  await dialog.getByRole('button', { name: 'Add Hours' }).click()
  await expect(page.getByText('11.5 hours').first()).toBeVisible()

  await page.getByRole('link', { name: 'Team', exact: true }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete Hours' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('link', { name: 'Team', exact: true })).toBeVisible()
})
