import { expect, test } from 'vitest'
import { getRecordKind } from '#modules/core/record-kinds.ts'
import { eraseRecord } from '#modules/core/trash.ts'
import { deleteClient, getClient, updateClient } from '#modules/crm/index.ts'
import {
  contextFor,
  createClient,
  createCoach,
  createProduct,
  createPurchase,
  inTenant,
  type Tenant,
} from '#tests/support/factories.ts'
import { runForCoach } from '#tests/support/as-db-owner.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { getInvoiceFile } from './documents/files.ts'
import { NewInvoice, NewPayment, type ReceivedPayment } from './invoices/forms.ts'
import { listInvoices, listPayments } from './queries/invoices.ts'
import { getBillingTotals, listDifferences, listInvoiceEntries } from './queries/ledger.ts'
import { getPurchase } from './queries/purchases.ts'
import { emailInvoice, remindOfInvoice, sendInvoice } from './services/invoice-emails.ts'
import { createCreditNote, recordPayment, refundInvoice, updatePayment } from './services/invoice-payments.ts'
import {
  createInvoice,
  createPayment,
  deleteInvoice,
  issueInvoice,
  updateInvoice,
  voidInvoice,
  createSimpleInvoice,
} from './services/invoices.ts'
import { recordOnlineRefund, reverseOnlineRefund } from './services/online-payments.ts'
import { deletePurchase, updatePurchase } from './services/purchases.ts'
import { emailReceipt } from './services/receipt-emails.ts'

const app = createTestApp()

async function createPractice() {
  const coach = await createCoach()
  return { coach, client: await createClient({ coach }) }
}

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
const pay = (coach: Tenant, id: number, payment: Partial<ReceivedPayment> = {}) =>
  inTenant(coach, (ctx) => recordPayment(ctx, id, { method: 'cash', ...payment }))
const totals = async (coach: Tenant) => getBillingTotals(await contextFor(coach), { today: '2026-03-10' })
const findDifferences = async (coach: Tenant) => listDifferences(await contextFor(coach))

test('fifty invoices at once get fifty numbers without a gap', async () => {
  const { coach, client } = await createPractice()
  const invoices = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      inTenant(coach, (ctx) =>
        createPayment(ctx, NewPayment.parse({ clientId: client.id, amount: index + 1, description: 'Coaching' })),
      ),
    ),
  )
  const numbers = invoices.map(({ invoiceNumber }) => invoiceNumber).sort()
  expect(numbers).toEqual(Array.from({ length: 50 }, (_, index) => `INV-${String(index + 1).padStart(4, '0')}`))
})

test('an invoice that fails takes no number', async () => {
  const { coach, client } = await createPractice()
  await expect(
    inTenant(coach, async (ctx) => {
      await createPayment(ctx, NewPayment.parse({ clientId: client.id, amount: '10', description: 'Coaching' }))
      throw new Error('later failure')
    }),
  ).rejects.toThrow('later failure')
  expect((await bill(coach, client.id)).number).toBe('INV-0001')
})

test('a draft has no number until it is issued, and doesn’t change afterwards', async () => {
  const { coach, client } = await createPractice()
  const draft = await bill(coach, client.id, { draft: true })
  expect(draft).toMatchObject({ status: 'draft', number: null, dueDate: null, balance: 0 })
  const edit = {
    lines: NewInvoice.shape.lines.parse([{ description: 'Two sessions', quantity: 2, unitPrice: 15_000 }]),
  }
  expect(await inTenant(coach, (ctx) => updateInvoice(ctx, draft.id, edit))).toMatchObject({ total: 30_000 })

  const issued = await inTenant(coach, (ctx) => issueInvoice(ctx, draft.id))
  expect(issued).toMatchObject({
    status: 'open',
    number: 'INV-0001',
    issueDate: '2026-03-10',
    dueDate: '2026-03-24',
    balance: 30_000,
  })
  await expect(inTenant(coach, (ctx) => updateInvoice(ctx, draft.id, edit))).rejects.toThrow('This invoice is issued')
  await expect(inTenant(coach, (ctx) => deleteInvoice(ctx, draft.id))).rejects.toThrow('stays in the books')
})

test('what is paid decides the status, and all totals are the same', async () => {
  const { coach, client } = await createPractice()
  const { id } = await bill(coach, client.id)

  expect(await pay(coach, id, { amount: 5000 })).toMatchObject({ status: 'partly_paid', balance: 10_000, paidAt: null })
  await expect(pay(coach, id, { amount: 10_001 })).rejects.toThrow('Only $100.00 is left to pay')
  const paidAt = new Date('2026-03-09T12:00:00Z')
  expect(await pay(coach, id, { paidAt })).toMatchObject({ status: 'paid', balance: 0, paidAt: paidAt.toISOString() })
  await expect(pay(coach, id)).rejects.toThrow('paid already')

  expect(await totals(coach)).toEqual({ revenue: 15_000, outstanding: 0, overdue: 0, invoices: 1 })
  expect((await getClient(await contextFor(coach), client.id)).totalSpent).toBe(15_000)
  expect(await findDifferences(coach)).toEqual([])
})

test('an invoice is overdue from the day after its due date', async () => {
  const { coach, client } = await createPractice()
  const dueOn = async (date: string) => (await bill(coach, client.id, { dueDate: `${date}T12:00:00Z` })).status
  expect([await dueOn('2026-03-10'), await dueOn('2026-03-09')]).toEqual(['open', 'overdue'])
  expect(await totals(coach)).toMatchObject({ outstanding: 30_000, overdue: 15_000 })
})

test('of fifty payments at once, one pays the invoice', async () => {
  const { coach, client } = await createPractice()
  const { id } = await bill(coach, client.id)
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => pay(coach, id)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await totals(coach)).toMatchObject({ revenue: 15_000 })
})

test('a refund takes money out again, and never more than was paid', async () => {
  const { coach, client } = await createPractice()
  const { id } = await bill(coach, client.id)
  const refund = (amount?: number) =>
    inTenant(coach, (ctx) => refundInvoice(ctx, id, { method: 'cash', ...(amount === undefined ? {} : { amount }) }))
  await expect(refund()).rejects.toThrow('Nothing of this invoice can be refunded')
  await pay(coach, id)
  expect(await refund(5000)).toMatchObject({ status: 'paid', refunded: 5000, balance: 0 })
  await expect(refund(10_001)).rejects.toThrow('At most $100.00')
  expect(await refund()).toMatchObject({ status: 'refunded', refunded: 15_000 })
  expect(await totals(coach)).toMatchObject({ revenue: 0 })
  expect(await findDifferences(coach)).toEqual([])
})

test('a credit note reduces what is left to pay, with its share of the tax', async () => {
  const { coach, client } = await createPractice()
  const { id } = await bill(coach, client.id, { lines: [{ description: 'Session', unitPrice: 10_000, taxRate: '20' }] })
  const note = await inTenant(coach, (ctx) => createCreditNote(ctx, id, { amount: 6000 }))
  expect(note).toMatchObject({ kind: 'credit_note', number: 'INV-0002', total: 6000, tax: 1000, creditedInvoiceId: id })
  const [, invoice] = await listInvoices(await contextFor(coach))
  expect(invoice).toMatchObject({ status: 'open', credited: 6000, balance: 6000 })
  await inTenant(coach, (ctx) => createCreditNote(ctx, id, {}))
  expect((await listInvoices(await contextFor(coach))).at(-1)).toMatchObject({ status: 'credited', balance: 0 })
  expect(await listPayments(await contextFor(coach))).toHaveLength(1)
})

test('what is refunded before all is paid is asked for again', async () => {
  const { coach, client } = await createPractice()
  const { id } = await bill(coach, client.id)
  await pay(coach, id, { amount: 5000 })
  const refunded = await inTenant(coach, (ctx) => refundInvoice(ctx, id, { method: 'cash' }))
  expect(refunded).toMatchObject({ status: 'open', balance: 15_000 })
  expect(await totals(coach)).toMatchObject({ revenue: 0, outstanding: 15_000 })
  expect(await pay(coach, id)).toMatchObject({ status: 'paid', paid: 20_000, refunded: 5000, balance: 0 })
  expect(await findDifferences(coach)).toEqual([])
})

test('a credit note asks for nothing, and shares out the tax of each rate', async () => {
  const { coach, client } = await createPractice()
  const lines = [
    { description: 'Session', unitPrice: 10_000, taxRate: '20' },
    { description: 'Book', unitPrice: 10_000, taxRate: '10' },
  ]
  const { id } = await bill(coach, client.id, { lines })
  const note = await inTenant(coach, (ctx) => createCreditNote(ctx, id, {}))
  expect(note).toMatchObject({ total: 23_000, tax: 3000, balance: 0 })
  expect(await totals(coach)).toMatchObject({ outstanding: 0 })
})

test('purchases of an invoice that ends unpaid are pending again, and those of a part payment bought', async () => {
  const { coach, client } = await createPractice()
  const product = await createProduct({ coach })
  const sell = async () => {
    const purchase = await createPurchase({ coach, clientId: client.id, productId: product.id, status: 'pending' })
    return { purchase, invoice: await bill(coach, client.id, { purchaseIds: [purchase.id] }) }
  }
  const getStatus = async (id: number) => (await getPurchase(await contextFor(coach), id)).status
  const [refunded, credited, partlyPaid] = [await sell(), await sell(), await sell()]

  await pay(coach, refunded.invoice.id)
  await inTenant(coach, (ctx) => refundInvoice(ctx, refunded.invoice.id, { method: 'cash' }))
  await inTenant(coach, (ctx) => voidInvoice(ctx, refunded.invoice.id))
  await inTenant(coach, (ctx) => createCreditNote(ctx, credited.invoice.id, {}))
  await pay(coach, partlyPaid.invoice.id, { amount: 9000 })
  await inTenant(coach, (ctx) => createCreditNote(ctx, partlyPaid.invoice.id, {}))

  expect(await getStatus(refunded.purchase.id)).toBe('pending')
  expect(await getStatus(credited.purchase.id)).toBe('pending')
  expect(await getStatus(partlyPaid.purchase.id)).toBe('completed')
  await inTenant(coach, (ctx) => deletePurchase(ctx, refunded.purchase.id))
  expect(await totals(coach)).toMatchObject({ revenue: 9000, outstanding: 0 })
  expect(await findDifferences(coach)).toEqual([])
})

test('purchases of an invoice are refunded once all that was paid went back, and bought if it did not', async () => {
  const { coach, client } = await createPractice()
  const product = await createProduct({ coach })
  const sell = async () => {
    const { id } = await createPurchase({ coach, clientId: client.id, productId: product.id, status: 'pending' })
    return { id, invoiceId: (await bill(coach, client.id, { purchaseIds: [id] })).id }
  }
  const [byHand, online] = [await sell(), await sell()]
  const listStatuses = async () => {
    const ctx = await contextFor(coach)
    return [(await getPurchase(ctx, byHand.id)).status, (await getPurchase(ctx, online.id)).status]
  }
  const giveBack = async (amount: number, externalId: string) => {
    await inTenant(coach, (ctx) => refundInvoice(ctx, byHand.invoiceId, { amount, method: 'cash' }))
    const refund = { amount, externalId, source: 'dashboard' } as const
    await inTenant(coach, (ctx) => recordOnlineRefund(ctx, online.invoiceId, refund))
  }
  await pay(coach, byHand.invoiceId)
  await pay(coach, online.invoiceId, { method: 'stripe', externalId: 'pi_1' })
  await giveBack(5000, 're_1')
  expect(await listStatuses()).toEqual(['completed', 'completed'])
  await giveBack(10_000, 're_2')
  expect(await listStatuses()).toEqual(['refunded', 'refunded'])
  expect(await totals(coach)).toMatchObject({ revenue: 0, outstanding: 0 })
  expect((await getClient(await contextFor(coach), client.id)).totalSpent).toBe(0)

  for (let times = 0; times < 2; times++)
    await inTenant(coach, (ctx) => reverseOnlineRefund(ctx, online.invoiceId, 're_2'))
  expect(await listStatuses()).toEqual(['refunded', 'completed'])
  expect(await totals(coach)).toMatchObject({ revenue: 10_000, outstanding: 0 })
  expect((await getClient(await contextFor(coach), client.id)).totalSpent).toBe(10_000)
  expect(await findDifferences(coach)).toEqual([])
})

test('purchases of an invoice that is not paid yet stay pending when a part goes back', async () => {
  const { coach, client } = await createPractice()
  const product = await createProduct({ coach })
  const { id } = await createPurchase({ coach, clientId: client.id, productId: product.id, status: 'pending' })
  const invoice = await bill(coach, client.id, { purchaseIds: [id] })
  await pay(coach, invoice.id, { amount: 5000 })
  await inTenant(coach, (ctx) => refundInvoice(ctx, invoice.id, { method: 'cash' }))
  expect(await getPurchase(await contextFor(coach), id)).toMatchObject({ status: 'pending' })
  await pay(coach, invoice.id)
  expect(await getPurchase(await contextFor(coach), id)).toMatchObject({ status: 'completed' })
})

test('an issued invoice keeps the name of its day, and can be credited while the client is in the trash', async () => {
  const { coach, client } = await createPractice()
  const { id } = await bill(coach, client.id)
  await inTenant(coach, (ctx) => updateClient(ctx, client.id, { name: 'Ada King' }))
  await inTenant(coach, (ctx) => deleteClient(ctx, client.id))
  const note = await inTenant(coach, (ctx) => createCreditNote(ctx, id, {}))
  expect(note).toMatchObject({ clientName: 'Ada Lovelace', total: 15_000 })
})

test('a client without an email address is asked for no money, and everything else works', async () => {
  const { coach, client } = await createPractice()
  const [draft, issued] = [await bill(coach, client.id, { draft: true }), await bill(coach, client.id)]
  await inTenant(coach, (ctx) => deleteClient(ctx, client.id))
  const erase = () => inTenant(coach, (ctx) => eraseRecord(ctx, getRecordKind(ctx, 'client'), client.id))
  for (const step of [async () => {}, erase]) {
    await step()
    for (const ask of [sendInvoice, remindOfInvoice])
      await expect(inTenant(coach, (ctx) => ask(ctx, issued.id))).rejects.toMatchObject({
        code: 'conflict',
        message: 'This client has no email address.',
      })
    await expect(inTenant(coach, (ctx) => sendInvoice(ctx, draft.id))).rejects.toMatchObject({ code: 'conflict' })
    await pay(coach, issued.id, { amount: 5_000, sendReceipt: true })
  }
  // Emails that were queued before are not sent, and the jobs end.
  expect(await emailInvoice(app.platform, { coachId: coach.id, invoiceId: issued.id, kind: 'invoice' })).toBe(false)
  const [payment] = await listInvoiceEntries(await contextFor(coach), issued.id)
  await emailReceipt(app.platform, { coachId: coach.id, entryId: payment!.id })
  const { content } = await getInvoiceFile(await contextFor(coach), issued.id)
  expect(content.subarray(0, 5).toString()).toBe('%PDF-')
  await inTenant(coach, (ctx) => refundInvoice(ctx, issued.id, { method: 'cash' }))
  await inTenant(coach, (ctx) => createCreditNote(ctx, issued.id, {}))
  expect(await totals(coach)).toMatchObject({ revenue: 0, outstanding: 0 })
  expect(await findDifferences(coach)).toEqual([])
})

test('invoices of one client at once, by the dialog and the API, don’t block each other', async () => {
  const { coach, client } = await createPractice()
  const form = { clientId: client.id, amount: 1000, description: 'Coaching', dueDate: null, notes: null }
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      index % 2 ? inTenant(coach, (ctx) => createSimpleInvoice(ctx, form, { draft: false })) : bill(coach, client.id),
    ),
  )
  expect(results.filter(({ status }) => status === 'rejected')).toEqual([])
})

test('the notes of a purchase on an invoice can change, as the form sends them', async () => {
  const { coach, client } = await createPractice()
  const product = await createProduct({ coach })
  const { id } = await createPurchase({ coach, clientId: client.id, productId: product.id, status: 'pending' })
  await bill(coach, client.id, { purchaseIds: [id] })
  const form = { amount: 15_000, status: 'pending', paymentMethod: 'cash', notes: 'By mail' } as const
  expect(await inTenant(coach, (ctx) => updatePurchase(ctx, id, form))).toMatchObject({ notes: 'By mail' })
})

test('money moves only in a transaction that this process signed', async () => {
  const { coach, client } = await createPractice()
  await pay(coach, (await bill(coach, client.id)).id)
  for (const change of [
    `insert into ledger_entry (coach_id, kind, amount, currency, method, occurred_at, created_at)
      values ($1, 'payment', 1, 'usd', 'cash', now(), now())`,
    'update invoice_line set amount = 1 where coach_id = $1',
    'update billing_settings set next_number = 900 where coach_id = $1',
    'update account set removed_at = now() where id = $1',
  ]) {
    const unsigned = inTenant(coach, async (ctx) => {
      await ctx.query({ text: `select set_config('app.actor', '', true)` })
      await ctx.query({ text: change, values: [coach.id] })
    })
    await expect(unsigned).rejects.toThrow('is not signed for this coach')
  }
})

test('only an unpaid invoice can be made void, and keeps its number', async () => {
  const { coach, client } = await createPractice()
  const [paid, unpaid] = [await bill(coach, client.id), await bill(coach, client.id)]
  await pay(coach, paid.id)
  await expect(inTenant(coach, (ctx) => voidInvoice(ctx, paid.id))).rejects.toThrow('Refund it first')
  expect(await inTenant(coach, (ctx) => voidInvoice(ctx, unpaid.id))).toMatchObject({
    status: 'void',
    number: 'INV-0002',
  })
  await expect(pay(coach, unpaid.id)).rejects.toThrow('This invoice is void')
})

test('a purchase on an invoice is paid with it, and counts once', async () => {
  const { coach, client } = await createPractice()
  const product = await createProduct({ coach })
  const { id: purchaseId } = await createPurchase({
    coach,
    clientId: client.id,
    productId: product.id,
    status: 'pending',
  })
  const invoice = await bill(coach, client.id, { purchaseIds: [purchaseId] })
  await expect(inTenant(coach, (ctx) => updatePurchase(ctx, purchaseId, { status: 'completed' }))).rejects.toThrow(
    'This purchase is on an invoice',
  )
  await expect(bill(coach, client.id, { purchaseIds: [purchaseId] })).rejects.toThrow('only once')

  await pay(coach, invoice.id, { method: 'bank_transfer' })

  expect(await getPurchase(await contextFor(coach), purchaseId)).toMatchObject({
    status: 'completed',
    paymentMethod: 'bank_transfer',
  })
  expect(await totals(coach)).toMatchObject({ revenue: 15_000 })
  expect((await getClient(await contextFor(coach), client.id)).totalSpent).toBe(15_000)
  expect(await findDifferences(coach)).toEqual([])
})

test('each change of a purchase is booked, and the ledger agrees with it', async () => {
  const { coach, client } = await createPractice()
  const product = await createProduct({ coach })
  const { id } = await createPurchase({ coach, clientId: client.id, productId: product.id })
  for (const change of [
    { amount: 20_000 },
    { status: 'refunded' as const },
    { status: 'completed' as const },
    { purchaseDate: new Date('2026-02-01T12:00:00Z') },
    { status: 'pending' as const },
  ]) {
    await inTenant(coach, (ctx) => updatePurchase(ctx, id, change))
    expect(await findDifferences(coach)).toEqual([])
  }
  expect(await totals(coach)).toMatchObject({ revenue: 0 })
})

test('an entry of the ledger never changes and is never deleted', async () => {
  const { coach, client } = await createPractice()
  await pay(coach, (await bill(coach, client.id)).id)
  const attack = (text: string) => inTenant(coach, (ctx) => ctx.query({ text, values: [coach.id] }))
  for (const change of [
    'update ledger_entry set amount = 1 where coach_id = $1',
    'update ledger_entry set occurred_at = now() where coach_id = $1',
    'update ledger_entry set client_id = client_id + 1 where coach_id = $1',
    'delete from ledger_entry where coach_id = $1',
  ])
    await expect(attack(change)).rejects.toThrow('an entry of the ledger never changes')
  expect(await totals(coach)).toMatchObject({ revenue: 15_000 })
})

test('a difference between the ledger and an invoice, a purchase or a client is named', async () => {
  const { coach, client } = await createPractice()
  const product = await createProduct({ coach })
  const purchase = await createPurchase({ coach, clientId: client.id, productId: product.id })
  const invoice = await bill(coach, client.id)
  await inTenant(coach, async (ctx) => {
    const change = (text: string) => ctx.query({ text, values: [coach.id] })
    await change('update invoice set paid = 100 where coach_id = $1')
    await change('update purchase set amount = 100 where coach_id = $1')
    await change('update client set total_spent = 100 where coach_id = $1')
  })
  expect(await findDifferences(coach)).toEqual([
    { what: 'invoice', id: invoice.id, stored: 100, ledger: 0 },
    { what: 'purchase', id: purchase.id, stored: 100, ledger: 15_000 },
    { what: 'client', id: client.id, stored: 100, ledger: 15_000 },
  ])
})

test('10,000 rows are compared within two seconds', async () => {
  const { coach, client } = await createPractice()
  // Without the triggers: each row would be checked and have a history.
  await runForCoach(
    coach.ownerUrl,
    coach.id,
    `begin;
    alter table purchase disable trigger user;
    alter table ledger_entry disable trigger user;
    insert into purchase (coach_id, client_id, product_name, amount, status, payment_method, purchased_at, created_at,
        updated_at)
      select ${coach.id}, ${client.id}, 'Session', n, 'completed', 'cash', now(), now(), now()
      from generate_series(1, 10000) n;
    insert into ledger_entry (coach_id, kind, amount, currency, method, occurred_at, client_id, purchase_id, created_at)
      select coach_id, 'payment', amount, 'usd', 'cash', now(), client_id, id, now() from purchase
      where coach_id = ${coach.id};
    alter table purchase enable trigger user;
    alter table ledger_entry enable trigger user;
    commit`,
  )
  const started = performance.now()
  expect(await findDifferences(coach)).toEqual([{ what: 'client', id: client.id, stored: 0, ledger: 50_005_000 }])
  expect(performance.now() - started).toBeLessThan(2_000)
})

test('the API pays, fails and describes a payment as its contract says', async () => {
  const { coach, client } = await createPractice()
  const { id } = await inTenant(coach, (ctx) =>
    createPayment(ctx, NewPayment.parse({ clientId: client.id, amount: '150.00', description: 'Coaching' })),
  )
  const change = (edit: Parameters<typeof updatePayment>[2]) => inTenant(coach, (ctx) => updatePayment(ctx, id, edit))
  expect(await change({ status: 'failed' })).toMatchObject({ status: 'failed', paidAt: null })
  expect(await change({ status: 'pending', description: 'Two sessions' })).toMatchObject({
    status: 'pending',
    description: 'Two sessions',
    amount: '150.00',
    currency: 'usd',
    clientName: 'Ada Lovelace',
  })
  expect(await change({ status: 'completed' })).toMatchObject({
    status: 'completed',
    paidAt: app.platform.now().toISOString(),
  })
  await expect(change({ status: 'pending' })).rejects.toThrow('A completed payment can only be refunded.')
  expect(await findDifferences(coach)).toEqual([])
})
