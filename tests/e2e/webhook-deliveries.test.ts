import { deliverTo } from '#modules/webhooks/services/deliveries.ts'
import { createEndpoint, endDeliveries } from '#modules/webhooks/services/endpoints.ts'
import { expect, inTenant, test } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

test('an administrator finds a failed webhook delivery and sends it again', async ({ page, app }) => {
  const [admin, coach] = [await app.createCoach({ isAdmin: true }), await app.createCoach()]
  await inTenant(coach, async (ctx) => {
    const event = ctx.extensions.publishedEvents[0]!.event.name
    const { id } = await createEndpoint(ctx, { url: 'http://127.0.0.1:1/in-the-address', events: [event] })
    await deliverTo(ctx, id, event, { note: 'in the payload' })
    await endDeliveries(ctx, id, 'The server refused the connection.')
  })
  await admin.signIn(page.context())
  await page.goto('/admin/jobs')
  await waitForHydration(page)
  await page.getByRole('link', { name: 'Webhook deliveries' }).click()
  const own = page.getByRole('listitem').filter({ hasText: coach.email })
  await expect(own).toContainText('to 127.0.0.1:1')
  await expect(own).toContainText('The server refused the connection.')
  const html = await page.content()
  expect(html).not.toContain('in-the-address')
  expect(html).not.toContain('in the payload')
  await own.getByRole('button', { name: /^Retry / }).click()
  await expect(page.getByText('The delivery is sent again')).toBeVisible()
  await page.goto('/admin/audit-log')
  await expect(page.getByRole('listitem').filter({ hasText: coach.email }).first()).toContainText(
    'retried a webhook delivery of',
  )
})
