import { expect, test } from 'vitest'
import { runForCoach } from '#tests/support/as-db-owner.ts'
import {
  contextFor,
  createClient,
  createCoach,
  createProduct,
  inTenant,
  type Tenant,
} from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { plans, type PlanName } from '#tenants/accounts/plans.ts'
import type { WriteCtx } from '#tenants/context.ts'
import { getDraftEditor } from './draft-loader.server.ts'
import { DraftForm, NewInvoice, NewPayment } from './invoices/forms.ts'
import { toLineInputs, type LineTexts } from './invoices/line-form.ts'
import { saveDraft } from './services/invoice-drafts.ts'
import { remindOfInvoice, sendInvoice } from './services/invoice-emails.ts'
import { recordPayment, refundInvoice, updatePayment } from './services/invoice-payments.ts'
import { createInvoice, createPayment, issueInvoice } from './services/invoices.ts'
import { deleteProduct } from './services/products.ts'

createTestApp()

async function createDraft(options: { plan?: PlanName } = {}) {
  const coach = await createCoach(options)
  const client = await createClient({ coach })
  const input = {
    clientId: client.id,
    description: 'Coaching',
    draft: true,
    lines: [{ description: 'Session', unitPrice: 1 }],
  }
  const { id } = await inTenant(coach, (ctx) => createInvoice(ctx, NewInvoice.parse(input)))
  return { coach, id }
}

const line = (fields: Partial<LineTexts> = {}): LineTexts => ({
  description: 'Session',
  quantity: '1',
  price: '100.00',
  tax: '0',
  source: '',
  ...fields,
})
const save = (coach: Tenant, id: number, lines: LineTexts[], fields: object = {}) =>
  inTenant(coach, (ctx) =>
    saveDraft(
      ctx,
      DraftForm.parse({
        id: String(id),
        version: '1',
        description: 'Coaching in March',
        dueDate: '',
        notes: '',
        taxMode: 'added',
        discount: '',
        productId: '',
        ...fields,
        ...toLineInputs(lines),
      }),
    ),
  )

test('a draft is saved as its editor shows it', async () => {
  const { coach, id } = await createDraft()
  const lines = [line({ quantity: '1.5', tax: '19' }), line({ description: 'Books', price: '20', tax: '7' })]
  const saved = await save(coach, id, lines, { discount: '10%', dueDate: '2026-04-01', notes: 'Thank you' })
  expect(saved).toMatchObject({
    description: 'Coaching in March',
    dueDate: '2026-04-01',
    notes: 'Thank you',
    subtotal: 17_000,
    discount: 1700,
    tax: 2565 + 126,
    total: 17_991,
  })
  const { values } = (await getDraftEditor(await contextFor(coach), id)).draft
  expect(values).toMatchObject({ discount: '10%', dueDate: '2026-04-01', line1: 'Books', price1: '20.00', tax1: '7' })
})

test('500 lines are saved and shown again, and no more', async () => {
  const { coach, id } = await createDraft()
  const lines = Array.from({ length: 500 }, (_, index) => line({ description: `Session ${index}`, price: '1.01' }))
  expect(await save(coach, id, lines)).toMatchObject({ total: 50_500 })
  const { values } = (await getDraftEditor(await contextFor(coach), id)).draft
  expect(values).toMatchObject({ line0: 'Session 0', line499: 'Session 499' })
  await expect(save(coach, id, [...lines, line()], { version: '2' })).rejects.toThrow('Use at most 500 lines')
})

test('a draft that was saved in another tab is not overwritten', async () => {
  const { coach, id } = await createDraft()
  await save(coach, id, [line()])
  await expect(save(coach, id, [line()])).rejects.toThrow('This invoice was changed in another tab')
  await inTenant(coach, (ctx) => issueInvoice(ctx, id))
  await expect(save(coach, id, [line()], { version: '3' })).rejects.toThrow('This invoice is issued')
})

test('a draft without lines is rejected, and a discount above its sum', async () => {
  const { coach, id } = await createDraft()
  await expect(save(coach, id, [line({ description: '', price: '' })])).rejects.toThrow('Add at least one line')
  await expect(save(coach, id, [line()], { discount: '100.01' })).rejects.toThrow('larger than the invoice')
})

test('a product is added at its price, and stays when it is deleted', async () => {
  const { coach, id } = await createDraft()
  const product = await createProduct({ coach, name: 'Package', price: '960.00' })
  const saved = await save(coach, id, [line()], { productId: String(product.id) })
  expect(saved.lines[1]).toMatchObject({ description: 'Package', unitPrice: 96_000, productId: product.id })
  await inTenant(coach, (ctx) => deleteProduct(ctx, product.id))
  const source = `product-${product.id}`
  expect(await save(coach, id, [line({ source })], { version: '2' })).toMatchObject({ total: 10_000 })
  await save(coach, id, [line()], { version: '3' })
  await expect(save(coach, id, [line({ source })], { version: '4' })).rejects.toThrow('Product not found')
})

test('money of a read-only client is recorded, and nothing else is billed or asked for', async () => {
  const { coach, id } = await createDraft({ plan: 'free' })
  const issued = await inTenant(coach, (ctx) => issueInvoice(ctx, id))
  await inTenant(coach, async (ctx) => {
    const archivedAt = ctx.now()
    await ctx.query({
      text: 'update client set archived_at = $2 where coach_id = $1',
      values: [ctx.coachId, archivedAt],
    })
  })
  for (let index = 0; index < plans.free.maxClients!; index++) await createClient({ coach })
  for (const change of [
    (ctx: WriteCtx) => sendInvoice(ctx, id),
    (ctx: WriteCtx) => remindOfInvoice(ctx, id),
    (ctx: WriteCtx) => updatePayment(ctx, id, { description: 'Another text' }),
  ])
    await expect(inTenant<unknown>(coach, change)).rejects.toMatchObject({ code: 'plan_limit' })
  await inTenant(coach, (ctx) => recordPayment(ctx, id, { method: 'cash' }))
  expect(await inTenant(coach, (ctx) => refundInvoice(ctx, id, { method: 'cash' }))).toMatchObject({
    number: issued.number,
    status: 'refunded',
  })
})

test('nothing is billed to a client over the limit of a plan that lapsed', async () => {
  const coach = await createCoach()
  for (let index = 0; index < plans.free.maxClients!; index++) await createClient({ coach })
  const { id: clientId } = await createClient({ coach })
  const lines = [{ description: 'Session', unitPrice: 15_000 }]
  const bill = (draft: boolean) =>
    inTenant(coach, (ctx) => createInvoice(ctx, NewInvoice.parse({ clientId, description: 'Coaching', lines, draft })))
  await bill(false)
  await runForCoach(
    coach.ownerUrl,
    coach.id,
    `update account set plan = 'free', payment_failed_at = '2026-02-01' where id = ${coach.id}`,
  )
  await expect(bill(false)).rejects.toMatchObject({ code: 'plan_limit' })
  await expect(bill(true)).rejects.toMatchObject({ code: 'plan_limit' })
  const payment = NewPayment.parse({ clientId, amount: '10', description: 'Coaching' })
  await expect(inTenant(coach, (ctx) => createPayment(ctx, payment))).rejects.toMatchObject({ code: 'plan_limit' })
})
