import { extractText, getDocumentProxy } from 'unpdf'
import { expect, test } from 'vitest'
import { getClient } from '#modules/crm/index.ts'
import {
  contextFor,
  createClient,
  createCoach,
  createProduct,
  createPurchase,
  inTenant,
  type Tenant,
} from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { exportInvoices } from '../exports/invoices.ts'
import { exportLedger } from '../exports/ledger.ts'
import { exportTaxes } from '../exports/taxes.ts'
import { NewInvoice } from '../invoices/forms.ts'
import { getBillingTotals } from '../queries/ledger.ts'
import { chooseCurrency } from '../services/currency.ts'
import { createCreditNote, recordPayment, refundInvoice } from '../services/invoice-payments.ts'
import { createInvoice, voidInvoice } from '../services/invoices.ts'
import { formatStatement } from './csv.ts'
import { printStatement } from './document.ts'
import { getPeriod, getStatement } from './query.ts'

const app = createTestApp()
const wholeYear = { from: '2026-01-01', to: '2026-12-31' }

const bill = (coach: Tenant, clientId: number, fields: object = {}) =>
  inTenant(coach, (ctx) =>
    createInvoice(
      ctx,
      NewInvoice.parse({
        clientId,
        description: 'Coaching',
        lines: [{ description: 'Session', unitPrice: 15_000 }],
        ...fields,
      }),
    ),
  )
const pay = (coach: Tenant, id: number, amount: number) =>
  inTenant(coach, (ctx) => recordPayment(ctx, id, { amount, method: 'cash' }))

/** Invoices that were paid in parts, credited, refunded and made void, and a purchase without an invoice. */
async function createAccount() {
  const coach = await createCoach({ timezone: 'UTC' })
  const client = await createClient({ coach, name: '=Grace Hopper' })
  const [partly, refunded, credited, unpaid] = [
    await bill(coach, client.id),
    await bill(coach, client.id),
    await bill(coach, client.id),
    await bill(coach, client.id),
  ]
  await pay(coach, partly.id, 5000)
  await pay(coach, refunded.id, 15_000)
  await inTenant(coach, (ctx) => refundInvoice(ctx, refunded.id, { amount: 4000, method: 'cash' }))
  await inTenant(coach, (ctx) => createCreditNote(ctx, credited.id, { amount: 10_000 }))
  await inTenant(coach, (ctx) => voidInvoice(ctx, unpaid.id))
  const product = await createProduct({ coach })
  await createPurchase({ coach, clientId: client.id, productId: product.id, amount: 20_000 })
  return { coach, client, ctx: await contextFor(coach) }
}

test('a statement ends with what is left to pay, and its payments are those of the ledger', async () => {
  const { client, ctx } = await createAccount()
  const statement = await getStatement(ctx, client.id, wholeYear)
  const { outstanding, revenue } = await getBillingTotals(ctx, { today: '2026-03-10', clientId: client.id })
  expect(statement).toMatchObject({ opening: 0, closing: outstanding, paid: revenue, isCut: false })
  expect(statement.closing).toBe(10_000 + 5000)
  expect(statement.paid).toBe((await getClient(ctx, client.id)).totalSpent)
  expect(statement.rows.at(-1)!.balance).toBe(statement.closing)
  expect(statement.rows.map(({ kind, charged, paid }) => [kind, charged, paid])).toEqual([
    ['invoice', 15_000, 0],
    ['invoice', 15_000, 0],
    ['invoice', 15_000, 0],
    ['payment', 0, 5000],
    ['payment', 0, 15_000],
    ['payment', 20_000, 20_000],
    ['settlement', -4000, 0],
    ['refund', 0, -4000],
    ['credit_note', -10_000, 0],
  ])
})

test('a period begins with the balance before it', async () => {
  const { coach, client, ctx } = await createAccount()
  const before = await getStatement(ctx, client.id, { from: '2026-01-01', to: '2026-03-10' })
  app.clock.now = new Date('2026-04-02T12:00:00Z')
  const { id } = await bill(coach, client.id)
  await pay(coach, id, 100)
  app.clock.now = new Date('2026-03-10T12:00:00Z')
  const after = await getStatement(ctx, client.id, { from: '2026-03-11', to: '2026-04-30' })
  expect(after).toMatchObject({ opening: before.closing, charged: 15_000, paid: 100 })
  expect(after.closing).toBe(before.closing + 14_900)
  expect(getPeriod(ctx, { from: null, to: null })).toEqual({ from: '2026-01-01', to: '2026-03-10' })
  expect(getPeriod(ctx, { from: '2026-05-01', to: '2026-04-01' })).toEqual({ from: '2026-04-01', to: '2026-04-01' })
})

test('a statement is printed and written as CSV, and no coach gets that of another', async () => {
  const { client, ctx } = await createAccount()
  const statement = await getStatement(ctx, client.id, wholeYear)
  const { content } = await printStatement(ctx, statement)
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(content)), { mergePages: true })
  for (const part of ['Statement', '=Grace Hopper', 'Opening balance', 'INV-0001', 'Closing balance', '$150.00'])
    expect(text).toContain(part)
  expect(formatStatement(statement)).toMatch(/2026-12-31,Closing balance,,,,,150\.00\r\n$/)
  const other = await contextFor(await createCoach())
  await expect(getStatement(other, client.id, wholeYear)).rejects.toMatchObject({ code: 'not_found' })
})

const readCsv = async (file: AsyncIterable<string>): Promise<string[]> => {
  let text = ''
  for await (const part of file) text += part
  return text.replace('\ufeff', '').trimEnd().split('\r\n')
}

test('taxes are listed by month and rate, less credit notes, with what was paid', async () => {
  const coach = await createCoach({ timezone: 'UTC' })
  const client = await createClient({ coach })
  const { id } = await bill(coach, client.id, {
    lines: [
      { description: 'Session', unitPrice: 10_000, taxRate: '19' },
      { description: 'Book', unitPrice: 10_000, taxRate: '7' },
    ],
  })
  await pay(coach, id, 11_300)
  await inTenant(coach, (ctx) => createCreditNote(ctx, id, { amount: 2260 }))
  const product = await createProduct({ coach })
  await createPurchase({ coach, clientId: client.id, productId: product.id, amount: 5000 })
  const ctx = await contextFor(coach)
  expect(await readCsv(exportTaxes(ctx, wholeYear))).toEqual([
    'Month,Tax rate (%),Net,Tax,Gross,Payments',
    '2026-03,19,90.00,17.10,107.10,59.50',
    '2026-03,7,90.00,6.30,96.30,53.50',
    '2026-03,no invoice,50.00,0.00,50.00,50.00',
  ])
  expect(await readCsv(exportTaxes(ctx, { from: '2026-04-01', to: '2026-12-31' }))).toHaveLength(1)
})

test('taxes and payments in a currency without a smaller unit are whole', async () => {
  const coach = await createCoach({ timezone: 'UTC' })
  await inTenant(coach, (ctx) => chooseCurrency(ctx, 'jpy'))
  const client = await createClient({ coach })
  const invoice = await bill(coach, client.id, {
    lines: [
      { description: 'Session', unitPrice: 50_000, taxRate: '10' },
      { description: 'Book', unitPrice: 33_300, taxRate: '8' },
    ],
  })
  await pay(coach, invoice.id, 10_100)
  expect(invoice.tax).toBe(7700)
  expect(await readCsv(exportTaxes(await contextFor(coach), wholeYear))).toEqual([
    'Month,Tax rate (%),Net,Tax,Gross,Payments',
    '2026-03,10,500.00,50.00,550.00,61.00',
    '2026-03,8,333.00,27.00,360.00,40.00',
  ])
})

test('the ledger and the invoices are exported, with amounts as numbers and no formulas', async () => {
  const { ctx, client } = await createAccount()
  const ledger = await readCsv(exportLedger(ctx, wholeYear))
  expect(ledger[0]).toBe('Entry,Date,Time,Kind,Amount,Currency,Method,Client,Invoice,Purchase,Provider id')
  expect(ledger).toHaveLength(5)
  expect(ledger.join('\n')).toMatch(/,2026-03-10,12:00,refund,-40\.00,USD,Cash,'=Grace Hopper,INV-0002,,/)
  const sum = ledger.slice(1).reduce((total, row) => total + Number(row.split(',')[4]), 0)
  expect(Math.round(sum * 100)).toBe((await getClient(ctx, client.id)).totalSpent)

  const invoices = await readCsv(exportInvoices(ctx, wholeYear))
  expect(invoices).toHaveLength(6)
  expect(invoices[1]).toBe(
    "INV-0001,Invoice,Partly paid,2026-03-10,2026-03-24,'=Grace Hopper,Coaching,USD,150.00,0.00,150.00,50.00,0.00,0.00,100.00",
  )
  const other = await contextFor(await createCoach())
  expect(await readCsv(exportLedger(other, wholeYear))).toHaveLength(1)
  expect(await readCsv(exportInvoices(other, wholeYear))).toHaveLength(1)
})
