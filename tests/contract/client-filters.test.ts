import { expect, test } from 'vitest'
import { statementChannel } from '#db/pg-pipeline.ts'
import { clientsUrl } from '#modules/crm/list-state.ts'
import { getClientList } from '#modules/crm/queries/list.ts'
import { createAppointment } from '#modules/scheduling/e2e/factories.ts'
import { createProduct } from '#modules/billing/services/products.ts'
import { NewProduct } from '#modules/billing/forms.ts'
import {
  contextFor,
  createClient,
  createCoach,
  createPurchase,
  inTenant,
  type Coach,
} from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'

createTestApp()
const listed = async (as: Coach, query: string): Promise<string[]> => {
  const { rows, matchCount } = await getClientList(
    await contextFor(as),
    clientsUrl.parse(`http://localhost/clients?${query}`),
  )
  expect(matchCount).toBe(rows.length)
  return rows.map(({ name }) => name).toSorted()
}

test('the client list is filtered by what modules know of the clients', async () => {
  const [coach, other] = [await createCoach(), await createCoach()]
  const product = await inTenant(coach, (ctx) =>
    createProduct(ctx, NewProduct.parse({ name: 'Package', price: '100.00' })),
  )
  const [ada, grace, mary] = [
    await createClient({ coach, name: 'Ada' }),
    await createClient({ coach, name: 'Grace', tags: ['VIP'] }),
    await createClient({ coach, name: 'Mary' }),
  ]
  const bought = { coach, productId: product.id, amount: 10_000 }
  await createPurchase({ ...bought, clientId: ada.id, status: 'completed' })
  await createPurchase({ ...bought, clientId: grace.id, status: 'pending' })
  await createPurchase({ ...bought, clientId: mary.id, status: 'failed' })
  const session = (clientId: number, day: string) =>
    createAppointment({ coach, title: 'Session', clientId, startTime: `${day}T10:00:00Z`, endTime: `${day}T11:00:00Z` })
  await session(ada.id, '2026-04-01')
  await session(grace.id, '2026-01-05')

  expect(await listed(coach, `filters=product.${product.id}`)).toEqual(['Ada', 'Grace'])
  expect(await listed(coach, 'filters=next.none')).toEqual(['Grace', 'Mary'])
  expect(await listed(coach, 'filters=next.scheduled')).toEqual(['Ada'])
  // As a form sends it.
  expect(await listed(coach, `filters=product.${product.id}&filters=next.none&tag=vip`)).toEqual(['Grace'])
  for (const wrong of ['filters=next.later', 'filters=product.x', 'filters=unknown.1'])
    expect([wrong, await listed(coach, wrong)]).toEqual([wrong, []])
  expect(await listed(other, `filters=product.${product.id}`)).toEqual([])
})

test('filters that were made up prepare no statements of their own', async () => {
  const coach = await createCoach()
  const names = new Set<unknown>()
  const record = (message: unknown) => names.add((message as { name?: string }).name)
  const madeUp = ['x.1', 'x.1,y.1', 'x.1,y.1,z.1,product.x', 'next.later']
  statementChannel.subscribe(record)
  for (const filters of madeUp) await listed(coach, `filters=${filters}`)
  statementChannel.unsubscribe(record)
  const ofLists = [...names].filter((name) => String(name).startsWith('crm.list-'))
  expect(ofLists).toEqual(['crm.list-list-joined-desc-current-nobody'])
})
