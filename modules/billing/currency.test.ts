import { beforeEach, expect, test } from 'vitest'
import { formValues } from '#app/lib/fields.ts'
import { formatMoney, inputFormat } from '#app/lib/money.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import type { WriteCtx } from '#tenants/context.ts'
import { createClient, createCoach, createProduct, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { exportPurchases } from './csv.ts'
import { NewProduct, NewPurchase } from './forms.ts'
import { NewInvoice, NewPayment } from './invoices/forms.ts'
import { getInvoiceView, getPaymentsPage } from './payments-loader.server.ts'
import { paymentsUrl, purchasesExportUrl } from './list-state.ts'
import { streamExportedPurchases } from './purchases-loader.server.ts'
import { listDifferences } from './queries/ledger.ts'
import { chooseCurrency } from './services/currency.ts'
import { createCreditNote, recordPayment } from './services/invoice-payments.ts'
import { createInvoice, createPayment } from './services/invoices.ts'
import { createProduct as createProductRow, deleteProduct, restoreProduct, updateProduct } from './services/products.ts'
import { createPurchase } from './services/purchases.ts'

const app = createTestApp()
let coach: Coach
let client: number

beforeEach(async () => {
  coach = await createCoach()
  client = (await createClient({ coach })).id
})

/** As a request does, with the account of that moment. */
const load = async () => (await loadCoachContext(app.platform, coach.id, 'test'))!
const write = async <T>(work: (ctx: WriteCtx) => Promise<T>): Promise<T> => (await load()).write(work)
const choose = (currency: string) => write((ctx) => chooseCurrency(ctx, currency))
const bill = (fields: object = {}) => {
  const lines = [{ description: 'Session', unitPrice: 1_500_000, taxRate: '10', quantity: '1.5' }]
  return write((ctx) =>
    createInvoice(ctx, NewInvoice.parse({ clientId: client, description: 'Coaching', lines, ...fields })),
  )
}
const sell = async (amount: number) => {
  const { id: productId } = await createProduct({ coach, price: '10' })
  const input = NewPurchase.parse({ clientId: client, productId, amount, paymentMethod: 'cash' })
  return write((ctx) => createPurchase(ctx, input))
}

test('of fifty at once, those that sell decide the currency, and all amounts are in one', async () => {
  const work = Array.from({ length: 50 }, (_, index) => {
    if (index % 5 === 0) return choose(['eur', 'jpy', 'gbp', 'chf'][(index / 5) % 4]!)
    return index % 5 === 1 ? sell(10_000) : bill()
  })
  await Promise.allSettled(work)
  const { account, query } = await load()
  const used = await query<{ currency: string }>({
    text: `select currency from invoice where coach_id = $1
      union select currency from ledger_entry where coach_id = $1`,
    values: [coach.id],
  })
  expect(used).toEqual([{ currency: account.currency }])
  await expect(choose('sek')).rejects.toThrow('The currency is fixed')
})

test('a currency without a smaller unit has whole amounts everywhere', async () => {
  await choose('jpy')
  const invoice = await bill({ discount: '3%' })
  expect(invoice).toMatchObject({
    currency: 'jpy',
    subtotal: 2_250_000,
    discount: 67_500,
    tax: 218_300,
    total: 2_400_800,
  })
  await write((ctx) => recordPayment(ctx, invoice.id, { amount: 100_100, method: 'cash' }))
  await expect(write((ctx) => recordPayment(ctx, invoice.id, { amount: 150, method: 'cash' }))).rejects.toThrow(
    'Japanese Yen has no smaller unit: use a whole amount',
  )
  const note = await write((ctx) => createCreditNote(ctx, invoice.id, { amount: 100_000 }))
  expect([note.total % 100, note.tax % 100]).toEqual([0, 0])
  await expect(bill({ lines: [{ description: 'Session', unitPrice: 150 }] })).rejects.toThrow('no smaller unit')
  await sell(500_000)
  await expect(sell(50)).rejects.toThrow('no smaller unit')

  const ctx = await load()
  const page = await getPaymentsPage(ctx, paymentsUrl.parse('/payments'))
  expect(page.totals).toMatchObject({ revenue: '¥6,001', outstanding: '¥22,007' })
  const { body: payments } = await app.call('GET', '/api/payments', { as: coach })
  expect(payments[0]).toMatchObject({ amount: '24008.00', currency: 'jpy' })
  const { body: found } = await app.call('GET', '/api/search?q=career', { as: coach })
  expect(JSON.stringify(found)).not.toContain('$')
  let csv = ''
  for await (const part of exportPurchases(
    streamExportedPurchases(ctx, purchasesExportUrl.parse('/purchases/export')),
    ctx.account,
  ))
    csv += part
  expect(csv).toContain('Amount (JPY)')
  expect(csv).toContain(',5000,')
  expect(await listDifferences(ctx)).toEqual([])
})

test('the API takes the currency of the practice alone', async () => {
  await choose('eur')
  const pay = (currency: string) =>
    write((ctx) =>
      createPayment(ctx, NewPayment.parse({ clientId: client, amount: '10', description: 'Coaching', currency })),
    )
  await expect(pay('usd')).rejects.toThrow('Only eur is supported')
  const { id, ...payment } = await pay('eur')
  expect(payment).toMatchObject({ amount: '10.00', currency: 'eur' })
  expect(await getInvoiceView(await load(), id)).toMatchObject({ balance: '€10.00', refundableAmount: '€0.00' })
})

test('prices with cents keep a currency without them from being chosen', async () => {
  await createProduct({ coach, price: '19.90' })
  await expect(choose('jpy')).rejects.toThrow('Make the prices of all products whole amounts first')
  expect((await load()).account.currency).toBe('usd')
  await choose('kwd')
  expect((await bill()).currency).toBe('kwd')
})

test('a request that began before the currency was chosen saves no price with cents', async () => {
  const { id } = await createProduct({ coach, price: '10' })
  const { id: deleted } = await createProduct({ coach, price: '19.90' })
  await write((ctx) => deleteProduct(ctx, deleted))
  const early = await load()
  await choose('jpy')
  for (const save of [
    (ctx: WriteCtx) => createProductRow(ctx, NewProduct.parse({ name: 'Book', price: '19.90' })),
    (ctx: WriteCtx) => updateProduct(ctx, id, { price: '19.90' }),
    (ctx: WriteCtx) => restoreProduct(ctx, deleted),
  ])
    await expect(early.write<unknown>(save)).rejects.toThrow('Japanese Yen has no smaller unit: use a whole amount')
})

test('forms show whole amounts in a currency without a smaller unit', () => {
  const fields = { price: { kind: 'price', label: 'Price' }, amount: { kind: 'cents', label: 'Amount' } } as const
  const record = { price: '1500.00', amount: 250_000 }
  expect(formValues(fields, record, inputFormat('jpy'))).toEqual({ price: '1500', amount: '2500' })
  expect(formValues(fields, record, inputFormat('eur'))).toEqual({ price: '1500.00', amount: '2500.00' })
})

test.each([
  ['usd', 123_450, '$1,234.50'],
  ['eur', -123_450, '−€1,234.50'],
  ['jpy', 123_400, '¥1,234'],
  ['chf', 2000, 'CHF\u00a020.00'],
  ['kwd', 1550, 'KWD\u00a015.50'],
  ['huf', 9_999_999_999, 'HUF\u00a099,999,999.99'],
])('%s: %d hundredths are %s', (currency, amount, text) => {
  expect(formatMoney(amount, currency)).toBe(text)
})
