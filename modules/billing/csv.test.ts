import { expect, test } from 'vitest'
import { deleteClient } from '#modules/crm/services/clients.ts'
import {
  contextFor,
  createClient,
  createCoach,
  createProduct,
  createPurchase,
  inTenant,
} from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { exportPurchases } from './csv.ts'
import { purchasesExportUrl } from './list-state.ts'
import { streamExportedPurchases } from './purchases-loader.server.ts'

createTestApp()

test('the purchases that match the filters are exported as a CSV file, latest first', async () => {
  const coach = await createCoach({ timezone: 'America/Los_Angeles' })
  const [ada, eve] = [
    await createClient({ coach, name: 'Ada Lovelace' }),
    await createClient({ coach, name: '=HYPERLINK("x")' }),
  ]
  const { id: productId } = await createProduct({ coach, name: 'Career Reset, 6 sessions' })
  const purchase = { coach, productId }
  await createPurchase({ ...purchase, clientId: ada.id, amount: 120_050, purchaseDate: '2026-03-01T07:59:00Z' })
  await createPurchase({
    ...purchase,
    clientId: eve.id,
    amount: 5,
    status: 'pending',
    paymentMethod: 'bank_transfer',
    notes: 'He said "later"\nand left',
    purchaseDate: '2026-03-02T20:00:00Z',
  })
  await inTenant(coach, (ctx) => deleteClient(ctx, ada.id))
  const ctx = await contextFor(coach)
  const read = async (query: string): Promise<string> => {
    const filters = purchasesExportUrl.parse(`/purchases/export?${query}`)
    let text = ''
    for await (const piece of exportPurchases(streamExportedPurchases(ctx, filters), ctx.account)) text += piece
    return text
  }
  const headers = '\ufeffDate,Client,Product,Amount (USD),Status,Payment method,Notes,Sessions included\r\n'
  const pending =
    `2026-03-02,"'=HYPERLINK(""x"")","Career Reset, 6 sessions",0.05,Pending,Bank transfer,` +
    `"He said ""later""\nand left",\r\n`
  const completed = '2026-02-28,Ada Lovelace,"Career Reset, 6 sessions",1200.50,Completed,Cash,,\r\n'

  expect(await read('')).toBe(headers + pending + completed)
  expect(await read('month=2026-02')).toBe(headers + completed)
  expect(await read('status=pending')).toBe(headers + pending)
  expect(await read('q=hyperlink')).toBe(headers + pending)
  expect(await read('q=zzz')).toBe(headers)
})

test('an export of more purchases than one batch lists each of them once', async () => {
  const coach = await createCoach()
  const [client, product] = [await createClient({ coach }), await createProduct({ coach })]
  await inTenant(coach, (ctx) =>
    ctx.query({
      name: 'test.many-purchases',
      text: `insert into purchase (coach_id, client_id, product_id, product_name, amount, status, payment_method,
          purchased_at, created_at, updated_at)
        select $1, $2, $3, 'Session', n, 'completed', 'cash', timestamptz '2026-01-01' + n / 3 * interval '1 hour',
          now(), now()
        from generate_series(1, 1203) n`,
      values: [coach.id, client.id, product.id],
    }),
  )
  const amounts: number[] = []
  const filters = purchasesExportUrl.parse('/purchases/export')
  for await (const purchases of streamExportedPurchases(await contextFor(coach), filters))
    amounts.push(...purchases.map(({ amount }) => amount))

  expect(amounts).toEqual(Array.from({ length: 1203 }, (_, index) => 1203 - index))
})
