import { expect, test } from 'vitest'
import { createClient, createCoach, contextFor, inTenant, type Tenant } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { NewPayment, SettingsForm } from './invoices/forms.ts'
import { getCreateInvoiceDialog } from './payments-loader.server.ts'
import { getSettings } from './queries/settings.ts'
import { createPayment } from './services/invoices.ts'
import { updateSettings } from './services/settings.ts'

createTestApp()

const form = {
  version: '1',
  legalName: 'Winter Coaching GmbH',
  address: 'Am Markt 1\n20095 Hamburg',
  taxId: 'DE123456789',
  taxName: 'VAT',
  taxRate: '19',
  taxMode: 'included',
  invoicePrefix: '2026/',
  nextNumber: '1',
  seenNumber: '1',
  paymentDays: '30',
  defaultNotes: 'Thank you',
  invoiceFooter: '',
}
const save = (coach: Tenant, fields: object = {}) =>
  inTenant(coach, (ctx) => {
    const { version, settings } = SettingsForm.parse({ ...form, ...fields })
    return updateSettings(ctx, settings, version)
  })
async function createPractice() {
  const coach = await createCoach()
  const client = await createClient({ coach })
  const bill = () =>
    inTenant(coach, (ctx) =>
      createPayment(ctx, NewPayment.parse({ clientId: client.id, amount: '10', description: 'Coaching' })),
    )
  return { coach, bill }
}

test('invoices follow the settings, and those of before stay', async () => {
  const { coach, bill } = await createPractice()
  await save(coach, { nextNumber: '42' })
  const dialog = await getCreateInvoiceDialog(await contextFor(coach), '', null)
  expect(dialog).toMatchObject({ paymentDays: 30, defaultNotes: 'Thank you' })
  expect((await bill()).invoiceNumber).toBe('2026/0042')
  await save(coach, { version: '2', invoicePrefix: 'A-', seenNumber: '43', nextNumber: '43' })
  expect((await bill()).invoiceNumber).toBe('A-0043')
  expect(await getSettings(await contextFor(coach))).toMatchObject({ taxRate: '19', nextNumber: 44 })
})

test('the next number is raised, and never lowered once an invoice has one', async () => {
  const { coach, bill } = await createPractice()
  await save(coach, { nextNumber: '900' })
  await save(coach, { version: '2', seenNumber: '900', nextNumber: '90' })
  expect((await bill()).invoiceNumber).toBe('2026/0090')
  await expect(save(coach, { version: '3', seenNumber: '91', nextNumber: '90' })).rejects.toThrow(
    'The next number can only be raised: numbers never repeat, and 2026/0091 comes next.',
  )
  // Left alone in a form that was opened before the invoice.
  await save(coach, { version: '3', seenNumber: '90', nextNumber: '90' })
  expect((await bill()).invoiceNumber).toBe('2026/0091')
})

test('settings that were saved in another tab are not overwritten', async () => {
  const { coach } = await createPractice()
  await save(coach)
  await expect(save(coach)).rejects.toMatchObject({ code: 'conflict', subject: 'page' })
})

test.each([
  ['invoicePrefix', 'INV1', 'Use letters, digits'],
  ['invoicePrefix', 'Ä-', 'Use letters, digits'],
  ['taxRate', '101', 'Enter a percentage from 0 to 100'],
  ['nextNumber', '0', 'Enter a whole number from 1 to 9,999,999'],
  ['paymentDays', '366', 'Enter a whole number from 0 to 365'],
  ['paymentDays', '-1', 'Enter a whole number from 0 to 365'],
])('%s rejects %j', (field, value, message) => {
  const { error } = SettingsForm.safeParse({ ...form, [field]: value })
  expect(error?.issues.map(({ path, message: text }) => [path[0], text])).toEqual([
    [field, expect.stringContaining(message)],
  ])
})
