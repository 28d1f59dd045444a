import { beforeEach, expect, test } from 'vitest'
import { getDraftEditor } from '#modules/billing/draft-loader.server.ts'
import { contextFor, createClient, createCoach, createProduct, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'

// Invoices of completed sessions: the modules billing and scheduling together. Each of them works without the other.

const app = createTestApp()
let coach: Coach
let client: number

beforeEach(async () => {
  coach = await createCoach()
  client = (await createClient({ coach })).id
})

const call = async (method: string, path: string, body: object = {}) =>
  app.call(method, `/api${path}`, { as: coach, body })
async function addSession(status = 'completed', clientId = client): Promise<number> {
  const startTime = '2026-03-09T13:00:00Z'
  const { body } = await call('POST', '/appointments', {
    title: 'Session',
    startTime,
    endTime: '2026-03-09T14:00:00Z',
    clientId,
  })
  if (status === 'completed') await call('POST', `/appointments/${body.id}/complete`, { notes: '' })
  return body.id
}
const bill = (appointmentId: number | null, fields: object = {}) =>
  call('POST', '/invoices', {
    clientId: client,
    description: 'Coaching',
    lines: [{ description: 'Session', unitPrice: 15_000, appointmentId }],
    draft: true,
    ...fields,
  })

test('a completed session is invoiced once, and again when its invoice is void or credited in full', async () => {
  const session = await addSession()
  const invoice = await bill(session, { draft: false })
  expect([invoice.status, invoice.body.lines[0].appointmentId]).toEqual([201, session])
  expect((await bill(session)).body.message).toBe('A session is on INV-0001 already.')
  await call('POST', `/invoices/${invoice.body.id}/void`)
  const again = await bill(session, { draft: false })
  expect(again.status).toBe(201)
  await call('POST', `/invoices/${again.body.id}/credit-note`, { amount: 14_999 })
  expect((await bill(session)).body.message).toBe('A session is on INV-0002 already.')
  await call('POST', `/invoices/${again.body.id}/credit-note`, { amount: 1 })
  expect((await bill(session)).status).toBe(201)
})

test('a draft that comes back from the trash leaves sessions that were invoiced in the meantime', async () => {
  const session = await addSession()
  const { body } = await bill(session)
  await call('DELETE', `/invoices/${body.id}`)
  expect((await bill(session)).status).toBe(201)
  expect((await call('POST', `/invoices/${body.id}/restore`)).body.lines[0].appointmentId).toBeNull()
})

test('only completed sessions of the client can be invoiced', async () => {
  const other = await createClient({ coach })
  const ids = [await addSession('scheduled'), await addSession('completed', other.id), 999_999]
  const stranger = { coach, client }
  coach = await createCoach()
  client = (await createClient({ coach })).id
  ids.push(await addSession())
  ;({ coach, client } = stranger)
  for (const id of ids) {
    const { status, body } = await bill(id)
    expect([status, body.message]).toEqual([404, 'Session not found'])
  }
})

test('a draft says which completed sessions a package covers', async () => {
  const { id: productId } = await createProduct({ coach, name: 'One session', price: '150.00', sessionCount: 1 })
  const paid = { clientId: client, productId, amount: 15_000, paymentMethod: 'cash' }
  await call('POST', '/purchases', { ...paid, purchaseDate: '2026-03-01T12:00:00Z' })
  await addSession()
  await addSession()
  const { id } = (await bill(null)).body
  const { sessions } = await getDraftEditor(await contextFor(coach), id)
  expect(sessions.map(({ detail }) => detail).toSorted()).toEqual(['Mar 9, 2026', 'Mar 9, 2026, in a package'])
})
