import { beforeAll, describe, expect, test } from 'vitest'
import { listAuditLog } from '#modules/admin/queries/audit-log.ts'
import { hasDeliveries, listDeliveries } from '#modules/admin/queries/deliveries.ts'
import { retryDelivery } from '#modules/admin/services/jobs.ts'
import { composeExtensions } from '#modules/core/extensions.ts'
import { modules } from '#modules/registry.ts'
import { deliverTo } from '#modules/webhooks/services/deliveries.ts'
import { createEndpoint, endDeliveries } from '#modules/webhooks/services/endpoints.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { contextFor, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { concurrently, createTestApp } from '#tests/support/test-app.ts'

const app = createTestApp()
let admin: Coach
let coach: Coach
beforeAll(async () => {
  admin = await createCoach({ isAdmin: true })
  coach = await createCoach()
})

const failed = { state: 'failed', q: '', after: null, rows: 100 } as const

/** A delivery of the coach that has failed, and can be sent again. */
async function addFailed(): Promise<number> {
  const event = app.platform.extensions.publishedEvents[0]!.event.name
  return inTenant(coach, async (ctx) => {
    const { id } = await createEndpoint(ctx, { url: 'http://127.0.0.1:1/hook', events: [event] })
    await deliverTo(ctx, id, event, { clientId: 1 })
    await endDeliveries(ctx, id, 'The server refused the connection.')
    const [delivery] = await ctx.query<{ id: number }>({
      text: 'select id from webhook_delivery where coach_id = $1 and endpoint_id = $2',
      values: [coach.id, id],
    })
    return delivery!.id
  })
}

describe('a failed webhook delivery', () => {
  test('is retried by an administrator once, also with five clicks at once, which the audit log says', async () => {
    const id = await addFailed()
    const clicks = await concurrently(5, () => inTenant(admin, (ctx) => retryDelivery(ctx, { coachId: coach.id, id })))
    expect(clicks.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const entries = await listAuditLog(await contextFor(admin))
    const own = entries.filter(({ action }) => action === 'delivery_retried')
    expect(own).toMatchObject([{ actorEmail: admin.email, targetEmail: coach.email }])
    expect(own[0]!.after!.delivery).toMatch(/ to 127\.0\.0\.1:1$/)
    const waiting = await listDeliveries(await contextFor(admin), { ...failed, state: 'pending' })
    expect(waiting.map((delivery) => delivery.id)).toContain(id)
    const jobs = await asOwner(app.ownerUrl, (db) =>
      db.query(`select 1 from pgboss.job where name = 'webhooks.deliver' and data->>'deliveryId' = $1`, [String(id)]),
    )
    // One of the event itself, and one of the retry.
    expect(jobs.rowCount).toBe(2)
  })

  test('is nothing that a coach sees or retries', async () => {
    const id = await addFailed()
    await expect(listDeliveries(await contextFor(coach), failed)).rejects.toMatchObject({ code: 'forbidden' })
    const retry = inTenant(coach, (ctx) => retryDelivery(ctx, { coachId: coach.id, id }))
    await expect(retry).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('of a coach who was removed is listed without them, and can’t be sent', async () => {
    const removed = await createCoach()
    const before = coach
    coach = removed
    const id = await addFailed()
    coach = before
    await inTenant(removed, (ctx) =>
      ctx.query({ text: 'update account set removed_at = $2 where id = $1', values: [removed.id, ctx.now()] }),
    )
    const own = (await listDeliveries(await contextFor(admin), failed)).find((delivery) => delivery.id === id)
    expect(own).toMatchObject({ coachEmail: null, canRetry: false })
    const retry = inTenant(admin, (ctx) => retryDelivery(ctx, { coachId: removed.id, id }))
    await expect(retry).rejects.toMatchObject({ code: 'not_found' })
  })
})

test('without the module that sends them, administrators have no list of deliveries', async () => {
  const ctx = await contextFor(admin)
  const extensions = composeExtensions(modules.filter(({ deliveryLog }) => !deliveryLog))
  const without = { ...ctx, platform: { ...ctx.platform, extensions } }
  expect([hasDeliveries(ctx), hasDeliveries(without)]).toEqual([true, false])
  expect(await listDeliveries(without, failed)).toEqual([])
})
