import { expect, test } from 'vitest'
import { cents } from '#app/lib/zod-types.ts'
import { listInvoices } from './queries/invoices.ts'
import { listPaymentLinks } from './sales/payment-links.ts'
import { listClientOptions } from '#modules/crm/index.ts'
import { modules } from '#modules/registry.ts'
import { createCoach, contextFor } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'

const app = createTestApp()

test.each(['first', 'second'] as const)(
  'the purchases of the %s demo practice add up and lie in the past',
  async (which) => {
    const ctx = await contextFor(await createCoach())
    for (const id of ['crm', 'billing', 'billing'])
      await modules.find((module) => module.id === id)!.seed!(ctx, { which, now: app.clock.now })
    const purchases = await ctx.query<{
      client: number
      product: string
      price: string
      parts: number | null
      amount: number
      status: string
      notes: string | null
      at: Date
      created: Date
    }>({
      name: 'test.sold',
      text: `select client_id as client, product_name as product, p.price::text as price, p.installment_count as parts,
        amount, status, notes, purchased_at as at, s.created_at as created
      from purchase s join product p on p.id = s.product_id order by purchased_at`,
    })
    const clients = await ctx.query<{ id: number; spent: number; since: Date }>({
      name: 'test.clients',
      text: 'select id, total_spent as spent, created_at as since from client',
    })
    const payments = await ctx.query<{ client: number; amount: number }>({
      name: 'test.invoiced',
      text: 'select client_id as client, amount from ledger_entry where invoice_id is not null',
    })
    const sum = (some: { amount: number }[]) => some.reduce((all, { amount }) => all + amount, 0)

    for (const { id, spent, since } of clients) {
      const own = purchases.filter(({ client }) => client === id)
      const invoiced = payments.filter(({ client }) => client === id)
      expect(sum(own.filter(({ status }) => status === 'completed')) + sum(invoiced)).toBe(spent)
      for (const { at, created } of own)
        expect([at > since, at <= app.clock.now, created.getTime()]).toEqual([true, true, at.getTime()])
      // All installments add up to the price.
      for (const product of new Set(own.filter(({ parts }) => parts).map((one) => one.product))) {
        const paid = own.filter((one) => one.product === product && one.status === 'completed')
        const [{ parts, price }] = own.filter((one) => one.product === product) as [(typeof own)[number]]
        if (new Set(paid.map(({ notes }) => notes)).size === parts) expect(sum(paid)).toBe(cents().parse(price))
        else expect(sum(paid)).toBeLessThan(cents().parse(price))
      }
    }
    const invoices = await listInvoices(ctx)
    const states = new Set(invoices.map(({ kind, status }) => `${kind} ${status}`))
    for (const state of ['draft', 'open', 'partly_paid', 'overdue', 'paid', 'refunded', 'void'])
      expect(states).toContain(`invoice ${state}`)
    const [first] = await listClientOptions(ctx, { rows: 1 })
    const ofFirst = invoices.filter(({ clientId }) => clientId === first!.id)
    expect(ofFirst, 'an invoice to pay in the portal').toContainEqual(
      expect.objectContaining({ status: 'sent', balance: 18_000, clientName: first!.name }),
    )
    const issued = invoices.filter(({ number }) => number).sort((a, b) => (a.number! < b.number! ? -1 : 1))
    expect(issued.map(({ issueDate }) => issueDate)).toEqual(issued.map(({ issueDate }) => issueDate).sort())
    expect(issued.filter(({ kind }) => kind === 'credit_note')).toHaveLength(1)
    expect(await listPaymentLinks(ctx, null)).toMatchObject([{ state: 'open' }])
    expect(new Set(purchases.map(({ status }) => status)).size).toBeGreaterThan(which === 'first' ? 4 : 2)
  },
)
