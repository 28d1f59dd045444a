import { beforeEach, expect, test } from 'vitest'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { NewAppointment } from '../forms.ts'
import { insertAppointment } from '../services/appointments.ts'
import { exportAppointments } from './appointments-csv.ts'

const app = createTestApp()
let coach: Coach

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  coach = await createCoach({ timezone: 'Europe/Berlin' })
})

async function exportFile(of: Coach): Promise<string> {
  let file = ''
  for await (const part of exportAppointments(await contextFor(of))) file += part
  return file
}

type Added = { bookedOnline?: boolean; location?: string; answers?: { question: string; answer: string }[] }
const add = (input: object, { bookedOnline = false, location, answers = [] }: Added = {}) =>
  inTenant(coach, (tx) => {
    const { notify: _notify, ...appointment } = NewAppointment.parse({
      startTime: '2026-03-12T22:30:00Z',
      endTime: '2026-03-12T23:30:00Z',
      ...input,
    })
    return insertAppointment(
      tx,
      { ...appointment, bookedOnline, location: location ?? null, answers },
      { notify: false },
    )
  })

test('the CSV file has every session, bookings with their answers, in the coach’s time zone', async () => {
  const { id: clientId } = await createClient({ coach, name: 'Mara Lind', email: 'mara@example.com' })
  const { id: second } = await createClient({ coach, name: 'Noor Aziz', email: 'noor@example.com' })
  await add({ clientId, title: '=Review', startTime: '2026-03-11T09:00:00Z', endTime: '2026-03-11T10:00:00Z' })
  const answers = [{ question: 'What for?', answer: 'A "new" job,\nsoon' }]
  await add(
    { clientId: second, title: 'First talk', status: 'confirmed' },
    { bookedOnline: true, location: 'Room 4', answers },
  )
  expect((await exportFile(coach)).split('\r\n').slice(1)).toEqual([
    `2026-03-11,10:00,2026-03-11,11:00,'=Review,Mara Lind,mara@example.com,,Scheduled,No,,,,`,
    `2026-03-12,23:30,2026-03-13,00:30,First talk,Noor Aziz,noor@example.com,,Confirmed,Yes,Room 4,,"What for?: A ""new"" job,\nsoon",`,
    '',
  ])
  expect((await exportFile(await createCoach())).split('\r\n')).toHaveLength(2)
})

test('more sessions than one batch are all in the file, once', async () => {
  const { id: clientId } = await createClient({ coach, name: 'Mara Lind' })
  await inTenant(coach, async (tx) => {
    for (let index = 0; index < 501; index++) {
      const { notify: _notify, ...appointment } = NewAppointment.parse({
        clientId,
        title: `Session ${index}`,
        startTime: '2026-03-12T09:00:00Z',
        endTime: '2026-03-12T10:00:00Z',
      })
      await insertAppointment(
        tx,
        { ...appointment, bookedOnline: false, location: null, answers: [] },
        { notify: false },
      )
    }
  })
  const titles = (await exportFile(coach)).match(/Session \d+/g)
  expect([titles!.length, new Set(titles).size]).toEqual([501, 501])
})
