import { renderToBuffer } from '@react-pdf/renderer'
import { extractText, getDocumentProxy } from 'unpdf'
import { expect, test } from 'vitest'
import { deleteClient } from '#modules/crm/index.ts'
import { getRecordKind } from '#modules/core/record-kinds.ts'
import { eraseRecord } from '#modules/core/trash.ts'
import { updateBranding } from '#tenants/accounts/accounts.ts'
import { saveImage } from '#tenants/accounts/images.ts'
import type { WriteCtx } from '#tenants/context.ts'
import { printDocument } from '#tenants/documents/print.ts'
import type { PrintedDocument } from '#tenants/documents/printed-document.ts'
import { layOut } from '#tenants/documents/printing/layout.ts'
import { listOutbox } from '#tenants/mail.ts'
import { testConfig } from '#tests/support/config.ts'
import { runForCoach } from '#tests/support/as-db-owner.ts'
import { contextFor, createClient, createCoach, inTenant, type Tenant } from '#tests/support/factories.ts'
import { png } from '#tests/support/images.ts'
import { mailServer } from '#tests/support/mail-server.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { NewInvoice, type ReceivedPayment } from '../invoices/forms.ts'
import { getInvoice } from '../queries/invoices.ts'
import { listInvoiceEntries } from '../queries/ledger.ts'
import { emailInvoice, remindOfInvoice, sendInvoice } from '../services/invoice-emails.ts'
import { createCreditNote, recordPayment, updatePayment } from '../services/invoice-payments.ts'
import { createInvoice, issueInvoice } from '../services/invoices.ts'
import { emailReceipt, receiptQueue } from '../services/receipt-emails.ts'
import { getFile, getInvoiceFile, getReceiptFile } from './files.ts'

const app = createTestApp()

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

const download = async (coach: Tenant, id: number): Promise<Buffer> =>
  (await getInvoiceFile(await contextFor(coach), id)).content

/** The text of a PDF as another program reads it. Arabic letters come in the order in which they are drawn. */
async function readPdf(content: Uint8Array): Promise<{ pages: number; text: string }> {
  const { totalPages, text } = await extractText(await getDocumentProxy(new Uint8Array(content)), { mergePages: true })
  return { pages: totalPages, text: text.normalize('NFKC') }
}

test('an invoice is printed with amounts, number and names in any script', async () => {
  const coach = await createCoach({ businessName: 'Änne Müßig-Łukasiewicz 教练', primaryColor: '#2a6f97' })
  await inTenant(coach, (tx) => saveImage(tx, 'logo', png(64, 64)))
  const client = await createClient({ coach, name: 'محمد 田中李雷 🎉', email: 'client@example.com' })
  const { id } = await bill(coach, client.id, {
    lines: [
      { description: 'Session', quantity: 12, unitPrice: 15_000, taxRate: '19' },
      { description: 'Workbook', unitPrice: 2_000, taxRate: '7' },
    ],
    discount: '10%',
    notes: 'Thank you!',
  })
  const { pages, text } = await readPdf(await download(coach, id))
  expect(pages).toBe(1)
  for (const part of [
    'Änne Müßig-Łukasiewicz 教练',
    'INV-0001',
    'March 10, 2026',
    'March 24, 2026',
    '田中李雷',
    '🎉',
    'client@example.com',
    '$1,800.00',
    '−$182.00',
    'Tax 19% on $1,620.00',
    '$307.80',
    'Tax 7% on $18.00',
    '$1.26',
    '$1,947.06',
    'Thank you!',
  ])
    expect(text).toContain(part)
  expect([...text].filter((letter) => 'محمد'.includes(letter)).sort()).toEqual([...'محمد'].sort())
})

test('the file of an invoice stays the same, whatever changes later', async () => {
  const coach = await createCoach()
  const client = await createClient({ coach, name: 'Grace Hopper' })
  const { id } = await bill(coach, client.id)
  const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => download(coach, id)))
  for (const other of others) expect(other.equals(first!)).toBe(true)

  await inTenant(coach, (ctx) => updateBranding(ctx, { primaryColor: '#aa0000' }))
  await inTenant(coach, (ctx) => recordPayment(ctx, id, { method: 'cash' }))
  expect((await download(coach, id)).equals(first!)).toBe(true)

  const note = await inTenant(coach, (ctx) => createCreditNote(ctx, id, { amount: 5000 }))
  const { text } = await readPdf(await download(coach, note.id))
  for (const part of ['Credit note', 'INV-0002', 'INV-0001', '$50.00']) expect(text).toContain(part)
})

test('what the client has not been sent yet is printed anew when it changes', async () => {
  const coach = await createCoach()
  const client = await createClient({ coach })
  const { id } = await bill(coach, client.id)
  await download(coach, id)
  await inTenant(coach, (ctx) => updatePayment(ctx, id, { description: 'Coaching in March' }))
  await inTenant(coach, (ctx) => updatePayment(ctx, id, { dueDate: new Date('2026-04-30T12:00:00Z') }))
  expect((await readPdf(await download(coach, id))).text).toContain('April 30, 2026')
})

test('what the client was sent says the same on its page and on paper: it can’t be edited', async () => {
  const coach = await createCoach()
  const client = await createClient({ coach })
  const change = (id: number, edit: Parameters<typeof updatePayment>[2]) =>
    inTenant(coach, (ctx) => updatePayment(ctx, id, edit))
  for (const send of [sendInvoice, remindOfInvoice]) {
    const { id, dueDate } = await bill(coach, client.id)
    await inTenant(coach, (ctx) => send(ctx, id))
    const file = await download(coach, id)
    for (const edit of [{ dueDate: new Date('2026-04-30T12:00:00Z') }, { dueDate: null }, { description: 'Other' }])
      await expect(change(id, edit)).rejects.toMatchObject({
        code: 'conflict',
        message: 'This invoice was sent. Issue a credit note and a new invoice instead.',
      })
    // The same again changes nothing.
    await change(id, { dueDate: new Date(`${dueDate}T12:00:00Z`), description: 'Coaching' })
    expect(await getInvoice(await contextFor(coach), id)).toMatchObject({ dueDate, description: 'Coaching' })
    expect((await download(coach, id)).equals(file)).toBe(true)
  }
  const paid = await bill(coach, client.id)
  await inTenant(coach, (ctx) => recordPayment(ctx, paid.id, { method: 'cash', amount: 100 }))
  await expect(change(paid.id, { dueDate: null })).rejects.toThrow('This invoice was paid.')
})

test('an invoice of before its sender was kept names the coach', async () => {
  const coach = await createCoach({ businessName: 'Lovelace Coaching' })
  const client = await createClient({ coach })
  const { id } = await bill(coach, client.id)
  await inTenant(coach, (ctx) => recordPayment(ctx, id, { method: 'cash' }))
  await runForCoach(coach.ownerUrl, coach.id, `update invoice set issued_by = null where id = ${id}`)
  expect((await readPdf(await download(coach, id))).text).toContain('Lovelace Coaching')
  const ctx = await contextFor(coach)
  const [payment] = await listInvoiceEntries(ctx, id)
  expect((await readPdf((await getReceiptFile(ctx, payment!.id)).content)).text).toContain('Lovelace Coaching')
})

test.each([
  ['changed', (ctx: WriteCtx, id: number) => updatePayment(ctx, id, { description: 'Coaching in March' })],
  ['paid', (ctx: WriteCtx, id: number) => recordPayment(ctx, id, { method: 'cash' })],
  [
    'erased with its client',
    async (ctx: WriteCtx, id: number) => {
      const { clientId } = await getInvoice(ctx, id)
      await deleteClient(ctx, clientId!)
      await eraseRecord(ctx, getRecordKind(ctx, 'client'), clientId!)
    },
  ],
])('a file of an invoice that is %s while it is printed says what holds now', async (_, change) => {
  const coach = await createCoach()
  const { id } = await bill(coach, (await createClient({ coach })).id)
  const ctx = await contextFor(coach)
  const describe = async () => {
    const { description, status, clientId } = await getInvoice(ctx, id)
    return `${description}, ${status}, client ${clientId}`
  }
  let isChanged = false
  const content = await getFile(ctx, { invoiceId: id, entryId: null }, async () => {
    const document = sample(1, { title: await describe() })
    if (!isChanged) await inTenant<unknown>(coach, (tx) => change(tx, id))
    isChanged = true
    return document
  })
  expect((await readPdf(content)).text.replaceAll(/\s+/g, ' ')).toContain(await describe())
  expect((await download(coach, id)).equals(content)).toBe(true)
})

test('a draft has no file, and no coach gets that of another', async () => {
  const [coach, other] = [await createCoach(), await createCoach()]
  const client = await createClient({ coach })
  const draft = await bill(coach, client.id, { draft: true })
  await expect(download(coach, draft.id)).rejects.toThrow('Invoice not found')
  await inTenant(coach, (ctx) => issueInvoice(ctx, draft.id))
  await download(coach, draft.id)
  await expect(download(other, draft.id)).rejects.toThrow('Invoice not found')
  const files = await (await contextFor(other)).query({ name: 'test.files', text: 'select id from invoice_file' })
  expect(files).toEqual([])
})

test('a file is erased with the client, and printed again without the name', async () => {
  const coach = await createCoach()
  const client = await createClient({ coach, name: 'Grace Hopper', email: 'grace@example.com' })
  const { id } = await bill(coach, client.id)
  expect((await readPdf(await download(coach, id))).text).toContain('Grace Hopper')
  await inTenant(coach, (ctx) => deleteClient(ctx, client.id))
  await inTenant(coach, (ctx) => eraseRecord(ctx, getRecordKind(ctx, 'client'), client.id))
  const { text } = await readPdf(await download(coach, id))
  expect(text).not.toMatch(/Grace|grace@/)
  expect(text).toContain('Deleted client')
})

test('a receipt says what was paid and what was left to pay then, by email too', async () => {
  const [coach, other] = [await createCoach(), await createCoach()]
  const client = await createClient({ coach, email: 'receipt@example.com' })
  const { id } = await bill(coach, client.id)
  const pay = (payment: Partial<ReceivedPayment>) =>
    inTenant(coach, (ctx) => recordPayment(ctx, id, { method: 'bank_transfer', ...payment }))
  await pay({ amount: 5000 })
  await pay({})
  const ctx = await contextFor(coach)
  const [first, second] = await listInvoiceEntries(ctx, id)
  const read = async (entryId: number) => (await readPdf((await getReceiptFile(ctx, entryId)).content)).text
  expect(await read(first!.id)).toMatch(
    /INV-0001.*March 10, 2026.*Bank transfer.*Received\s+\$50\.00\s+Left to pay\s+\$100\.00/s,
  )
  expect(await read(second!.id)).toMatch(/Received\s+\$100\.00\s+Left to pay\s+\$0\.00/)
  await expect(getReceiptFile(await contextFor(other), first!.id)).rejects.toThrow('Receipt not found')

  await emailReceipt(app.platform, { coachId: coach.id, entryId: first!.id })
  const email = (await listOutbox(app.platform.config)).find(({ to }) => to === 'receipt@example.com')!
  expect(email.subject).toMatch(/^Receipt for invoice INV-0001 from /)
  expect(email.text).toContain('thank you for your payment of $50.00 on March 10, 2026 (bank transfer).')
  expect(email.text).toContain('Left to pay: $100.00')
  expect(email.attachments?.map(({ fileName }) => fileName)).toEqual([`Receipt-INV-0001-${first!.id}.pdf`])
})

test('a receipt is sent once, however many jobs and workers try, and again if the mail server was busy', async () => {
  const coach = await createCoach()
  const client = await createClient({ coach, email: 'once@example.com' })
  const { id } = await bill(coach, client.id)
  await inTenant(coach, (ctx) => recordPayment(ctx, id, { method: 'bank_transfer', amount: 5000 }))
  await inTenant(coach, (ctx) => recordPayment(ctx, id, { method: 'bank_transfer', amount: 4000 }))
  const [first, second] = await listInvoiceEntries(await contextFor(coach), id)
  const email = (entryId: number, platform = app.platform) => emailReceipt(platform, { coachId: coach.id, entryId })
  await Promise.all(Array.from({ length: 6 }, () => email(first!.id)))
  const sent = (await listOutbox(app.platform.config, 100)).filter(({ to }) => to === 'once@example.com')
  expect(sent.map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Receipt for invoice INV-0001/)])

  const busy = await mailServer({ refuse: 1 })
  const through = { ...app.platform, config: testConfig({ SMTP_URL: busy.url }) }
  await expect(email(second!.id, through)).rejects.toThrow('Try again later')
  await email(second!.id, through)
  await email(second!.id, through)
  expect(busy.unread()).toBe(1)
  await busy.close()
})

test('a receipt is sent only if the coach wants it, or the client paid at a provider', async () => {
  const coach = await createCoach()
  const client = await createClient({ coach })
  const { id } = await bill(coach, client.id)
  const queued = async (payment: Partial<ReceivedPayment>): Promise<boolean> => {
    const names: string[] = []
    await inTenant(coach, (ctx) => {
      const enqueue: typeof ctx.enqueue = (name, ...rest) => {
        names.push(name)
        return ctx.enqueue(name, ...rest)
      }
      return recordPayment({ ...ctx, enqueue }, id, { amount: 100, method: 'cash', ...payment })
    })
    return names.includes(receiptQueue)
  }
  expect([
    await queued({}),
    await queued({ sendReceipt: true }),
    await queued({ externalId: 'pi_1' }),
    await queued({ externalId: 'pi_2', sendReceipt: false }),
  ]).toEqual([false, true, true, false])
})

test('an email has the invoice attached', async () => {
  const coach = await createCoach()
  const client = await createClient({ coach, email: 'attached@example.com' })
  const { id } = await bill(coach, client.id)
  await emailInvoice(app.platform, { coachId: coach.id, invoiceId: id, kind: 'invoice' })
  const email = (await listOutbox(app.platform.config)).find(({ to }) => to === 'attached@example.com')!
  expect(email.attachments).toEqual([
    {
      fileName: 'INV-0001.pdf',
      contentType: 'application/pdf',
      content: (await download(coach, id)).toString('base64'),
    },
  ])
})

const sample = (rows: number, fields: Partial<PrintedDocument> = {}): PrintedDocument => ({
  paper: 'A4',
  title: 'Invoice',
  number: 'INV-0001',
  sender: { name: 'Ada Lovelace', details: ['1 Main Street'], color: '#2a6f97', logo: null },
  recipient: { label: 'Billed to', lines: ['Grace Hopper'] },
  facts: [{ label: 'Issued', value: 'March 10, 2026' }],
  table: {
    columns: [
      { head: 'Description', share: 4 },
      { head: 'Amount', share: 1, alignRight: true },
    ],
    rows: Array.from({ length: rows }, (_, index) => [`Session ${index + 1}`, '$150.00']),
  },
  sums: [{ label: 'Total', value: '$150.00', isStrong: true }],
  paragraphs: [],
  footer: null,
  createdAt: new Date('2026-03-10T12:00:00Z'),
  ...fields,
})

test('two pages take at most 150 ms after the first file, and 500 lines are printed in full', async () => {
  const times: number[] = []
  for (let run = 0; run < 8; run++) {
    const start = process.cpuUsage()
    await renderToBuffer(await layOut(sample(30)))
    const { user, system } = process.cpuUsage(start)
    times.push((user + system) / 1000)
  }
  // The fastest one, in time of the processor: the machine may be busy.
  expect(Math.min(...times)).toBeLessThanOrEqual(150)
  const ctx = await contextFor(await createCoach())
  expect((await readPdf(await printDocument(ctx, sample(30)))).pages).toBe(2)
  const { text } = await readPdf(await printDocument(ctx, sample(500)))
  expect(text.match(/Session \d+/g)).toHaveLength(500)
})

test('a footer of many lines covers no row, and a longer one is printed once at the end', async () => {
  const ctx = await contextFor(await createCoach())
  const print = async (lines: number) => {
    const footer = Array.from({ length: lines }, (_, index) => `Footer line ${index + 1}`).join('\n')
    return getDocumentProxy(new Uint8Array(await printDocument(ctx, sample(60, { footer }))))
  }
  const pdf = await print(9)
  expect(pdf.numPages).toBeGreaterThan(2)
  for (let number = 1; number <= pdf.numPages; number++) {
    const { items } = await (await pdf.getPage(number)).getTextContent()
    const heights = (text: string) =>
      items.flatMap((item) => ('str' in item && item.str.startsWith(text) ? Number(item.transform[5]) : []))
    expect(Math.min(...heights('Session'), ...heights('Total'))).toBeGreaterThan(Math.max(...heights('Footer')) + 8)
  }
  const { text } = await extractText(await print(100), { mergePages: true })
  expect(text.match(/Footer line \d+/g)).toHaveLength(100)
})

test('a logo that can’t be read is left out', async () => {
  const ctx = await contextFor(await createCoach())
  const { sender } = sample(1)
  for (const logo of [Buffer.from('no image'), Buffer.from('<svg'), png(8, 8).subarray(0, 60)]) {
    const { text } = await readPdf(await printDocument(ctx, sample(1, { sender: { ...sender, logo } })))
    expect(text).toContain('Ada Lovelace')
  }
})
