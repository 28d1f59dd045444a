import { expect, test } from 'vitest'
import { contextFor, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { EntryForm, NewEntry } from '../forms.ts'
import { getEntry, listEntries } from '../queries/entries.ts'
import { createEntry, deleteEntry, restoreEntry, updateEntry } from './entries.ts'

const app = createTestApp()

const values = { clientName: 'Grace Hopper', startDate: '2025-01-10', endDate: '2025-03-01', paidMinutes: 90 }
const create = (coach: Coach, fields: object = {}) =>
  inTenant(coach, (ctx) => createEntry(ctx, NewEntry.parse({ ...values, ...fields })))

test('an update changes only the fields that are sent', async () => {
  const coach = await createCoach()
  const created = await create(coach, { format: 'group', participants: 4 })
  app.clock.now = new Date(app.clock.now.getTime() + 60_000)
  const updated = await inTenant(coach, (ctx) => updateEntry(ctx, created.id, { proBonoMinutes: 30 }))
  expect(updated).toEqual({ ...created, proBonoMinutes: 30, updatedAt: app.clock.now.toISOString() })
  expect(await inTenant(coach, (ctx) => updateEntry(ctx, created.id, { format: 'individual' }))).toMatchObject({
    participants: null,
  })
})

test.each([
  [{ format: 'group' }, 'participants'],
  [{ endDate: '2025-01-09' }, 'endDate'],
  [{ paidMinutes: 0 }, 'paidMinutes'],
  [{ proBonoMinutes: 600_000 }, 'paidMinutes'],
])('what cannot be is refused: %j', async (fields, field) => {
  const coach = await createCoach()
  const refusal = { code: 'validation_failed', issues: [{ path: field, message: expect.any(String) }] }
  await expect(create(coach, fields)).rejects.toMatchObject(refusal)
  const { id } = await create(coach)
  await expect(inTenant(coach, (ctx) => updateEntry(ctx, id, fields as object))).rejects.toMatchObject(refusal)
})

test('the form takes hours with a point or a comma, and refuses others', () => {
  const parse = (paidHours: string) =>
    EntryForm.safeParse({ ...values, format: 'individual', participants: '', contact: '', paidHours, proBonoHours: '' })
  expect([parse('1.5'), parse('1,25'), parse('.5')].map(({ data }) => data?.paidMinutes)).toEqual([90, 75, 30])
  for (const hours of ['', '0', '10001', '1:30', '-1', '1e3', '9'.repeat(100_000)])
    expect(parse(hours).success).toBe(false)
})

test('the second of two tabs is rejected', async () => {
  const coach = await createCoach()
  const { id } = await create(coach)
  const save = (clientName: string) => inTenant(coach, (ctx) => updateEntry(ctx, id, { clientName }, 1))
  await save('First')
  await expect(save('Second')).rejects.toMatchObject({ code: 'conflict', subject: 'hours entry' })
})

test('a deleted entry can be restored', async () => {
  const coach = await createCoach()
  const { id } = await create(coach)
  await inTenant(coach, (ctx) => deleteEntry(ctx, id))
  expect(await listEntries(await contextFor(coach))).toEqual([])
  await expect(inTenant(coach, (ctx) => deleteEntry(ctx, id))).rejects.toMatchObject({ code: 'not_found' })
  await inTenant(coach, (ctx) => restoreEntry(ctx, id))
  expect(await listEntries(await contextFor(coach))).toHaveLength(1)
})

test('another coach finds nothing', async () => {
  const [owner, other] = [await createCoach(), await createCoach()]
  const { id } = await create(owner)
  await expect(getEntry(await contextFor(other), id)).rejects.toMatchObject({ code: 'not_found' })
  await expect(inTenant(other, (ctx) => deleteEntry(ctx, id))).rejects.toMatchObject({ code: 'not_found' })
})
