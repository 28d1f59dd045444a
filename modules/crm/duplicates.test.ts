import { expect, test } from 'vitest'
import { archiveClient, deleteClient } from '#modules/crm/services/clients.ts'
import { contextFor, createClient, createCoach, inTenant } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { listDuplicates } from './queries/duplicates.ts'

createTestApp()

test('the same email, phone number or name is found, the most likely first, and nobody else', async () => {
  const coach = await createCoach()
  const add = (name: string, email: string, phone: string | null = null) => createClient({ coach, name, email, phone })
  const own = await add('Åsa Mülig', 'asa@example.com', '+49 (30) 123-4567')
  const byName = await add('ASA mulig', 'two@example.com')
  const byPhone = await add('Åsa M.', 'three@example.com', '+49 30 1234567')
  const byEmail = await add('A. Mülig', 'ASA@example.com')
  await add('Somebody Else', 'four@example.com', '1234567')
  const deleted = await add('Åsa Mülig', 'asa@example.com')
  await inTenant(coach, (ctx) => deleteClient(ctx, deleted.id))
  await createClient({ coach: await createCoach(), name: 'Åsa Mülig', email: 'asa@example.com' })
  const ctx = await contextFor(coach)
  const list = async (person = own) => (await listDuplicates(ctx, person)).map(({ id, same }) => [id, same])
  expect(await list()).toEqual([
    [byEmail.id, 'email'],
    [byPhone.id, 'phone'],
    [byName.id, 'name'],
  ])
  await inTenant(coach, (tx) => archiveClient(tx, byName.id))
  const again = await add('Asa Mulig', 'five@example.com')
  // Archived clients after current ones.
  expect((await list()).slice(2)).toEqual([
    [again.id, 'name'],
    [byName.id, 'name'],
  ])
  expect(await list({ ...own, name: 'Nobody', email: 'nobody@example.com', phone: '12' })).toEqual([])
})
