import { deliverTo } from '#modules/webhooks/services/deliveries.ts'
import { createEndpoint, endDeliveries } from '#modules/webhooks/services/endpoints.ts'
import { expect, inTenant, test } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'

test('an administrator finds the deliveries of a coach, from the coach’s details and without scripts', async ({
  page,
  app,
  newContext,
}) => {
  const [admin, coach, other] = [
    await app.createCoach({ isAdmin: true }),
    await app.createCoach(),
    await app.createCoach(),
  ]
  for (const own of [coach, other])
    await inTenant(own, async (ctx) => {
      const event = ctx.extensions.publishedEvents[0]!.event.name
      const { id } = await createEndpoint(ctx, { url: 'http://127.0.0.1:1/', events: [event] })
      for (let at = 0; at < 2; at += 1) await deliverTo(ctx, id, event, { at })
      await endDeliveries(ctx, id, 'The server refused the connection.')
    })
  await admin.signIn(page.context())
  await page.goto(`/admin?q=${coach.email}`)
  await waitForHydration(page)
  await page
    .getByRole('button', { name: /^Actions for/ })
    .filter({ visible: true })
    .click()
  await page.getByRole('menuitem', { name: 'View Details' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Webhook Deliveries' }).click()
  const search = page.getByRole('searchbox', { name: 'Search deliveries by coach' })
  await expect(search).toHaveValue(coach.email)
  const rows = page.getByRole('main').getByRole('listitem').filter({ hasText: 'to 127.0.0.1:1' })
  await expect(rows).toHaveCount(2)
  await expect(rows.filter({ hasText: coach.email })).toHaveCount(2)
  await rows
    .first()
    .getByRole('button', { name: /^Retry / })
    .click()
  await expect(page.getByText('The delivery is sent again')).toBeVisible()
  await expect(search).toHaveValue(coach.email)
  await expect(rows).toHaveCount(1)
  await search.fill('nobody at all')
  await expect(page.getByText('Failed deliveries of coaches that match “nobody at all” appear here.')).toBeVisible()
  await page.getByRole('link', { name: 'Delivered' }).click()
  await expect(search).toHaveValue('nobody at all')

  const plain = await newContext({ javaScriptEnabled: false })
  await admin.signIn(plain)
  const plainPage = await plain.newPage()
  await plainPage.goto('/admin/jobs?kind=delivery')
  await plainPage.getByRole('searchbox', { name: 'Search deliveries by coach' }).fill(other.email)
  await plainPage.getByRole('button', { name: 'Filter' }).click()
  const plainRows = plainPage.getByRole('main').getByRole('listitem').filter({ hasText: 'to 127.0.0.1:1' })
  await expect(plainRows).toHaveCount(2)
  await expect(plainRows.filter({ hasText: other.email })).toHaveCount(2)
})

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
