import { mainFlow } from '#tests/e2e/support/main-flow.ts'
import { expect, getClients } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

mainFlow(
  'a task of a client is added on their page, completed and reopened on the dashboard, edited and deleted',
  async ({ page, app }) => {
    const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
    const [grace] = await getClients(coach)
    await coach.signIn(page.context())
    await page.goto(`/clients/${grace!.id}`)
    await waitForHydration(page)
    await page.getByRole('link', { name: 'Add Task' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add Task' })
    await dialog.getByLabel('Title').fill('Write a letter')
    await dialog.getByLabel('Who does it').selectOption('The client')
    await expect(dialog.getByRole('combobox', { name: 'Client' })).toHaveValue('Grace Hopper')
    await dialog.getByLabel('Due').fill('2026-03-01')
    await dialog.getByRole('button', { name: 'Add Task' }).click()
    await expect(page.getByText('Task added')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Clients’ (1)' })).toHaveAttribute('aria-current', 'page')
    await expect(page.getByRole('list', { name: 'Tasks' })).toContainText('Overdue: Mar 1')

    await page.goto('/dashboard')
    await waitForHydration(page)
    const due = page.getByRole('list', { name: "Today's Tasks" })
    await expect(due).toContainText('Grace Hopper does it')
    await due.getByRole('button', { name: 'Complete Write a letter' }).click()
    await expect(page.getByText('Task completed')).toBeVisible()
    await expect(due).toBeHidden()
    await page.getByRole('button', { name: 'Undo' }).click()
    await due.getByRole('link', { name: 'Write a letter' }).click()

    const edit = page.getByRole('dialog', { name: 'Edit Task' })
    await edit.getByLabel('Title').fill('Write two letters')
    await edit.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Task updated')).toBeVisible()
    await page.getByRole('link', { name: 'Clients’ (1)' }).click()
    await page.getByRole('link', { name: 'Delete Write two letters' }).click()
    await page.getByRole('button', { name: 'Delete Task' }).click()
    await expect(page.getByText('Nothing to do').or(page.getByText('What your clients promise'))).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByRole('link', { name: 'Write two letters', exact: true })).toBeVisible()
  },
)
