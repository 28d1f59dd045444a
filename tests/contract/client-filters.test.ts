import { expect, test } from 'vitest'
import { statementChannel } from '#db/pg-pipeline.ts'
import { clientsUrl } from '#modules/crm/list-state.ts'
import { getClientList } from '#modules/crm/queries/list.ts'
import { loadFiltersDialog } from '#modules/crm/filters-loader.server.ts'
import { changeClients } from '#modules/crm/services/bulk.ts'
import { createView, listViews } from '#modules/crm/services/views.ts'
import { NewTemplate } from '#modules/programs/forms.ts'
import { assignProgram, completeProgram, deleteProgram } from '#modules/programs/services/programs.ts'
import { createTemplate } from '#modules/programs/services/templates.ts'
import { createAppointment } from '#modules/scheduling/e2e/factories.ts'
import { createProduct } from '#modules/billing/services/products.ts'
import { NewProduct } from '#modules/billing/forms.ts'
import {
  contextFor,
  createClient,
  createCoach,
  createPurchase,
  inTenant,
  switchModules,
  type Coach,
} from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'

const app = createTestApp()
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

test('clients are filtered by the program that they are in, and not while programs are off', async () => {
  const [coach, other] = [await createCoach(), await createCoach()]
  const milestones = [{ title: 'Look', week: 1, items: [{ kind: 'check', title: 'Write' }] }]
  const [calm, unused] = await inTenant(coach, async (tx) => [
    await createTemplate(tx, NewTemplate.parse({ name: 'Calm', milestones })),
    await createTemplate(tx, NewTemplate.parse({ name: 'Unused', milestones })),
  ])
  const clients: Record<string, number> = {}
  for (const name of ['Ada', 'Grace', 'Mary', 'Rosa', 'Nobody'])
    clients[name] = (await createClient({ coach, name, tags: name === 'Grace' ? ['VIP'] : [] })).id
  await inTenant(coach, async (tx) => {
    const assign = (name: string) =>
      assignProgram(tx, { templateId: calm!.id, clientId: clients[name]!, startDate: '2026-03-10' })
    await assign('Ada')
    await assign('Grace')
    await completeProgram(tx, (await assign('Mary')).id)
    await deleteProgram(tx, (await assign('Rosa')).id)
  })
  const filter = `program.${calm!.id}`
  const query = `filters=${filter}`
  const loadDialog = async () => loadFiltersDialog(await contextFor(coach), { dialog: 'filters' })
  const offered = async () => (await loadDialog())!.contributed.find(({ name }) => name === 'program')?.choices
  const called = async (as: Coach, text: string) => {
    const { status, body } = await app.call('GET', `/api/clients?${text}`, { as })
    return status === 200 ? body.map(({ name }: { name: string }) => name).toSorted() : status
  }

  expect(await listed(coach, query)).toEqual(['Ada', 'Grace'])
  expect(await listed(coach, `${query}&filters=next.none&tag=vip`)).toEqual(['Grace'])
  for (const wrong of [`program.${unused!.id}`, 'program.x'])
    expect(await listed(coach, `filters=${wrong}`)).toEqual([])
  expect(await listed(other, query)).toEqual([])
  expect(await offered()).toEqual([{ value: filter, label: 'Calm' }])

  expect(await called(coach, query)).toEqual(['Ada', 'Grace'])
  expect(await called(coach, `filters=${filter},next.scheduled`)).toEqual([])
  expect(await called(coach, 'filters=unknown.1')).toEqual([])
  expect(await called(other, query)).toEqual([])
  for (const wrong of ['', 'program', `${filter},`, 'Program.7'])
    expect([wrong, await called(coach, `filters=${wrong}`)]).toEqual([wrong, 422])

  await inTenant(coach, (tx) => createView(tx, { name: 'In Calm', url: `/clients?${query}` }))
  expect((await listViews(await contextFor(coach))).map(({ url }) => url)).toEqual([`/clients?${query}`])
  const target = { show: 'current', filters: { q: '', status: null, tag: '', filters: [filter] } } as const
  await inTenant(coach, (tx) => changeClients(tx, target, { action: 'add-tag', tag: 'calm' }))
  expect(await listed(coach, 'tag=calm')).toEqual(['Ada', 'Grace'])

  await switchModules(coach, { programs: false })
  expect([await listed(coach, query), await called(coach, query), await offered()]).toEqual([[], [], undefined])
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
