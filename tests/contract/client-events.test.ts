import { expect, test } from 'vitest'
import { createTask, NewTask } from '#modules/tasks/index.ts'
import { completeOwnTask } from '#modules/tasks/services/own-tasks.ts'
import { listDeliveries } from '#modules/webhooks/queries/webhooks.ts'
import { createEndpoint } from '#modules/webhooks/services/endpoints.ts'
import { contextFor, createClient, createCoach, inTenant } from '#tests/support/factories.ts'
import { clientContextFor } from '#tests/support/portal-session.ts'
import { createTestApp } from '#tests/support/test-app.ts'

createTestApp()

test('what a client does in the portal is sent to webhooks, and the client still sees no more than before', async () => {
  const coach = await createCoach()
  const [own] = [await createClient({ coach }), await createClient({ coach, email: 'other@example.com' })]
  const endpoint = await inTenant(coach, (ctx) =>
    createEndpoint(ctx, { url: 'http://127.0.0.1:1/hook', events: ['tasks.task-completed'] }),
  )
  const task = await inTenant(coach, (ctx) =>
    createTask(ctx, NewTask.parse({ title: 'Walk', owner: 'client', clientId: own.id })),
  )
  const ctx = await clientContextFor(coach, own.id)
  const seen = await ctx.write(async (tx) => {
    await completeOwnTask(tx, task.id)
    const clients = await tx.query<{ id: number }>({
      name: 'test.clients',
      text: 'select id from client where coach_id = $1',
      values: [coach.id],
    })
    const endpoints = await tx.query({
      name: 'test.endpoints',
      text: 'select 1 from webhook_endpoint where coach_id = $1',
      values: [coach.id],
    })
    return [clients.map(({ id }) => id), endpoints]
  })
  expect(seen).toEqual([[own.id], []])
  const deliveries = await listDeliveries(await contextFor(coach), endpoint.id, { rows: 10 })
  expect(deliveries.map(({ event }) => event)).toEqual(['tasks.task-completed'])
})
