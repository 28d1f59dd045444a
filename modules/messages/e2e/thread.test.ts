import type { Request } from '@playwright/test'
import { insertRows } from '#db/insert-rows.ts'
import { sendMessage } from '#modules/messages/services/messages.ts'
import { answerLeavePrompt, leavePrompt } from '#tests/e2e/support/leave-prompt.ts'
import { createClient, expect, inTenant, test } from '#tests/e2e/support/test-app.ts'
import { waitForHydration, waitForIdle } from '#tests/e2e/support/wait-for-idle.ts'

test('a reply stays while earlier messages are read, and is emptied once it is sent', async ({ page, app }) => {
  const coach = await app.createCoach()
  const { id } = await createClient({ coach, name: 'Grace Hopper' })
  // Not by the service: a coach writes at most 30 a minute.
  const rows = Array.from({ length: 60 }, (_, index) => ({
    coach_id: coach.id,
    client_id: id,
    sender: 'coach',
    content: `Message ${index + 1}`,
    created_at: new Date(app.now().getTime() - 3_600_000),
  }))
  await inTenant(coach, async (ctx) => {
    await ctx.query(insertRows('message', rows))
    await sendMessage(ctx, id, { content: 'The last one' })
  })
  await coach.signIn(page.context())
  await page.goto(`/messages/${id}`)
  await waitForHydration(page)
  const reply = page.getByRole('textbox', { name: 'Message' })
  await reply.fill('How was the first week?')
  await page.getByRole('link', { name: 'Earlier messages' }).click()
  await expect(page.getByText('Message 1', { exact: true })).toBeVisible()
  await expect(reply).toHaveValue('How was the first week?')
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByRole('list', { name: 'Messages' })).toContainText('How was the first week?')
  await expect(reply).toHaveValue('')
  // A second one right after it.
  await reply.fill('And the second?')
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByRole('list', { name: 'Messages' })).toContainText('And the second?')
  await expect(reply).toHaveValue('')
})

test('a reply to one client is never in the form of another', async ({ page, app }) => {
  const coach = await app.createCoach()
  const [{ id: first }, { id: second }] = [
    await createClient({ coach, name: 'Ines Moreau' }),
    await createClient({ coach, name: 'Noor Aziz' }),
  ]
  for (const id of [first, second]) await inTenant(coach, (ctx) => sendMessage(ctx, id, { content: 'Hello' }))
  await coach.signIn(page.context())
  await page.goto(`/messages/${first}`)
  await waitForHydration(page)
  await page.getByRole('main').getByRole('link', { name: 'Messages', exact: true }).click()
  await page
    .getByRole('main')
    .getByRole('link', { name: /Noor Aziz/ })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'Noor Aziz' })).toBeVisible()
  const reply = page.getByRole('textbox', { name: 'Message' })
  await reply.fill('For Noor alone')
  // From one thread to the other, without the list in between.
  await page.evaluate(() => history.go(-2))
  await answerLeavePrompt(page, 'Discard')
  await expect(page.getByRole('heading', { level: 1, name: 'Ines Moreau' })).toBeVisible()
  await expect(reply).toHaveValue('')
})

test('the question before leaving stays when the thread has been marked as read', async ({ page, app }) => {
  const coach = await app.createCoach()
  const { id } = await createClient({ coach, name: 'Ines Moreau' })
  await inTenant(coach, (ctx) => sendMessage(ctx, id, { content: 'Hello' }))
  await coach.signIn(page.context())
  const { promise: asked, resolve: markAsked } = Promise.withResolvers<void>()
  const isRead = (request: Request) => request.method() === 'POST' && request.url().includes(`/messages/${id}.data`)
  await page.route(`**/messages/${id}.data*`, async (route) => {
    if (isRead(route.request())) await asked
    await route.continue()
  })
  await page.goto(`/messages/${id}`)
  await waitForHydration(page)
  await page.getByRole('textbox', { name: 'Message' }).fill('How was the first week?')
  await page.getByRole('main').getByRole('link', { name: 'Messages', exact: true }).click()
  await expect(leavePrompt(page)).toBeVisible()
  const reloaded = page.waitForResponse((response) => response.url().includes('.data') && !isRead(response.request()))
  markAsked()
  await reloaded
  await page.waitForFunction(() =>
    [...window.__remixRouter.state.fetchers.values()].every(({ state }) => state === 'idle'),
  )
  await waitForIdle(page)
  await answerLeavePrompt(page, 'Keep editing')
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('How was the first week?')
})
