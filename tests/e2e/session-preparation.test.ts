import type { Page } from '@playwright/test'
import { NewAppointment } from '#modules/scheduling/forms.ts'
import { saveAgenda } from '#modules/scheduling/services/agendas.ts'
import { completeSession, createAppointment } from '#modules/scheduling/services/appointments.ts'
import { sessionTasks } from '#modules/tasks/services/session-tasks.ts'
import { contextFor, createClient, expect, inTenant, test, type Coach } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

// The modules scheduling and tasks together.

/** A session in an hour, after one with notes and a promise. Returns the next one. */
async function addSessions(coach: Coach): Promise<{ clientId: number; next: number }> {
  const { id: clientId } = await createClient({ coach, name: 'Grace Hopper' })
  const now = (await contextFor(coach)).now().getTime()
  return inTenant(coach, async (tx) => {
    const add = (title: string, from: number) => {
      const times = { startTime: new Date(from).toISOString(), endTime: new Date(from + 1_800_000).toISOString() }
      return createAppointment(tx, NewAppointment.parse({ title, clientId, ...times }))
    }
    const last = await add('Spring plan', now - 7_200_000)
    await completeSession(tx, last.id, { notes: 'She wants to delegate more.' })
    await sessionTasks.add(tx, { appointmentId: last.id, clientId }, [
      { key: 'plan', title: 'Send the plan', owner: 'client', dueDate: '2026-03-01', line: null },
    ])
    return { clientId, next: (await add('Next step', now + 3_600_000)).id }
  })
}

const editor = (page: Page) => page.getByRole('textbox', { name: 'Your points' })

test('a coach prepares a session: the notes, the open promise and the agenda', async ({ page, app }) => {
  const coach = await app.createCoach({ plan: 'pro' })
  const { clientId, next } = await addSessions(coach)
  await coach.signIn(page.context())
  const toPreparation = `/calendar/${next}/prepare`
  await page.goto(`/clients/${clientId}`)
  await expect(page.getByRole('link', { name: 'Prepare', exact: true })).toHaveAttribute('href', toPreparation)
  await page.goto('/today')
  await expect(page.getByRole('link', { name: /Next step$/ })).toHaveAttribute('href', toPreparation)
  await page.goto('/dashboard')
  await expect(page.getByRole('link', { name: 'Prepare Next step' })).toHaveAttribute('href', toPreparation)
  await page.goto(`/calendar?dialog=appointment&appointment=${next}`)
  await waitForHydration(page)
  await page.getByRole('dialog').getByRole('link', { name: 'Prepare' }).click()

  await expect(page.getByRole('heading', { name: 'Prepare for Grace Hopper' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Last session' })).toContainText('She wants to delegate more.')
  const promises = page.getByRole('list', { name: 'Open commitments' })
  await expect(promises).toContainText('Grace Hopper · was due Mar 1')
  await waitForHydration(page)
  await editor(page).fill('The talk with her manager')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Agenda saved')).toBeVisible()
  await promises.getByRole('button', { name: 'Complete Send the plan' }).click()
  await expect(page.getByRole('region', { name: 'Done since the last session' })).toContainText('Send the plan')
  await expect(page.getByText('Nothing from earlier sessions is open.')).toBeVisible()
  await expect(editor(page)).toContainText('The talk with her manager')
})

test('the second of two tabs is asked, and its points stay', async ({ page, app }) => {
  const coach = await app.createCoach({ plan: 'pro' })
  const { next } = await addSessions(coach)
  await coach.signIn(page.context())
  await page.goto(`/calendar/${next}/prepare`)
  await waitForHydration(page)
  await editor(page).fill('From this tab')
  await inTenant(coach, (tx) => saveAgenda(tx, next, { content: 'From the other tab' }))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('This agenda was changed in another tab.')).toBeVisible()
  await expect(editor(page)).toContainText('From this tab')
  await page.getByRole('button', { name: 'Save mine' }).click()
  await expect(page.getByText('Agenda saved')).toBeVisible()
})

test.describe('without scripts, on a phone', () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })

  test('the agenda is saved and a promise kept', async ({ page, app }) => {
    const coach = await app.createCoach({ plan: 'pro' })
    const { next } = await addSessions(coach)
    await coach.signIn(page.context())
    await page.goto(`/calendar/${next}/prepare`)
    await editor(page).fill('• Sleep\n• The talk')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('Agenda saved')).toBeVisible()
    await expect(editor(page)).toHaveValue('• Sleep\n• The talk')
    await page.getByRole('button', { name: 'Complete Send the plan' }).click()
    await expect(page).toHaveURL(`/calendar/${next}/prepare`)
    await expect(page.getByText('Nothing from earlier sessions is open.')).toBeVisible()
  })
})
