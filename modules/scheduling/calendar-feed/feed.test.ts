import type { AppLoadContext } from '@remix-run/node'
import { beforeEach, describe, expect, test } from 'vitest'
import { parseCalendarFile } from '#tests/support/calendar-file.ts'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { createAppointment } from '../e2e/factories.ts'
import { updateAppointment } from '../services/appointments.ts'
import { deleteFeed, exportCalendar, findFeed, renewFeed, writeAppointmentFile } from './feed.ts'
import { respondWithFeed } from './responses.server.ts'

const app = createTestApp({ RATE_LIMIT_FACTOR: '1' })
let coach: Coach
let session: number
let addresses = 0
/** The host, without its name. */
const installation = '49960de5880e8c687434170f'
let address: string

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  address = `198.51.100.${++addresses}`
  coach = await createCoach({ businessName: 'Winter, Coaching' })
  session = await addSession()
})

async function addSession(of = coach, fields: object = {}): Promise<number> {
  const { id: clientId } = await createClient({ coach: of, email: 'mara@example.com' })
  const { id } = await createAppointment({
    coach: of,
    clientId,
    title: 'Career; talk',
    description: 'Line\nline',
    ...fields,
  })
  return id
}

const renew = async (showsDetails = true, of = coach): Promise<string> =>
  (await inTenant(of, (tx) => renewFeed(tx, { showsDetails }))).split('/').at(-1)!

async function read(segment: string, { etag, tenant = null }: { etag?: string; tenant?: Coach | null } = {}) {
  const context = { tenant, requestContext: { platform: app.platform, address, requestId: 'test' } }
  const request = new Request('http://localhost/', { headers: etag ? { 'if-none-match': etag } : {} })
  const response = await respondWithFeed(context as unknown as AppLoadContext, request, segment)
  return { status: response.status, etag: response.headers.get('etag')!, text: await response.text() }
}
const readEvents = async (segment: string) => parseCalendarFile((await read(segment)).text).events

describe('the calendar feed', () => {
  test('has the sessions, with the UID and the sequence of the emails', async () => {
    const cancelled = await addSession(coach, { status: 'cancelled' })
    const events = await readEvents(await renew())
    expect(events.map(({ UID, STATUS }) => [UID!.text, STATUS!.text])).toEqual([
      [`appointment-${coach.id}-${session}@${installation}`, 'CONFIRMED'],
      [`appointment-${coach.id}-${cancelled}@${installation}`, 'CANCELLED'],
    ])
    expect(events[0]).toMatchObject({ SUMMARY: { text: 'Career; talk' }, DESCRIPTION: { text: 'Line\nline' } })
    await inTenant(coach, (tx) => updateAppointment(tx, session, { title: 'Other' }))
    expect((await readEvents(await renew()))[0]).toMatchObject({ SUMMARY: { text: 'Other' }, SEQUENCE: { value: '2' } })
  })

  test('keeps the UID with the host of an appointment that was sent with it', async () => {
    const later = await addSession(coach, { startTime: '2026-04-01T09:00:00Z', endTime: '2026-04-01T10:00:00Z' })
    await inTenant(coach, (tx) =>
      tx.query({
        name: 'test.earlier-version',
        text: 'update appointment set uid_names_host = true where coach_id = $1 and id = $2',
        values: [coach.id, session],
      }),
    )
    expect((await readEvents(await renew())).map(({ UID }) => UID!.text)).toEqual([
      `appointment-${coach.id}-${session}@localhost`,
      `appointment-${coach.id}-${later}@${installation}`,
    ])
  })

  test('without details says only when the coach is busy', async () => {
    await addSession(coach, { status: 'cancelled' })
    const { text } = await read(await renew(false))
    expect(parseCalendarFile(text).events.map(({ SUMMARY }) => SUMMARY!.text)).toEqual(['Busy'])
    expect(text).not.toMatch(/Career|line|mara/)
  })

  test('is sent again only after a change', async () => {
    const segment = await renew()
    const { etag } = await read(segment)
    app.clock.now = new Date(app.clock.now.getTime() + 600_000)
    expect(await read(segment, { etag })).toEqual({ status: 304, etag, text: '' })
    await inTenant(coach, (tx) => updateAppointment(tx, session, { title: 'Other' }))
    expect((await read(segment, { etag })).status).toBe(200)
  })

  test('ends with a new address, and when it is deleted; only a hash is stored', async () => {
    const old = await renew()
    const present = await renew()
    await expect(read(old)).rejects.toMatchObject({ code: 'not_found' })
    expect((await read(present)).status).toBe(200)
    const [row] = await (await contextFor(coach)).query({ name: 'test.feed', text: 'select * from calendar_feed' })
    expect(JSON.stringify(row)).not.toContain(present.slice(-30, -4))
    expect(await findFeed(await contextFor(coach))).toMatchObject({ lastReadAt: '2026-03-10T14:00:00.000Z' })
    await inTenant(coach, (tx) => deleteFeed(tx))
    await expect(read(present)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('of one coach is no address of another, nor on the host of another', async () => {
    const other = await createCoach()
    await addSession(other, { title: 'Of the other' })
    const [own, theirs] = [await renew(), await renew(true, other)]
    expect((await read(own)).text).not.toContain('Of the other')
    const [secret] = own.split('-').slice(1).join('-').split('.')
    for (const wrong of [`${other.id}-${secret}.ics`, own.replace('.ics', ''), '', 'x', `0-${secret}.ics`, `${own}x`])
      await expect(read(wrong), wrong).rejects.toMatchObject({ code: 'not_found' })
    await expect(read(own, { tenant: other })).rejects.toMatchObject({ code: 'not_found' })
    expect((await read(theirs)).status).toBe(200)
    expect(await writeAppointmentFile(await contextFor(other), session, { forCoach: true })).toBeNull()
  })

  test('is limited: 120 an hour, and 50 wrong addresses', async () => {
    const segment = await renew()
    for (let reads = 0; reads < 120; reads++) await read(segment)
    await expect(read(segment)).rejects.toMatchObject({ code: 'rate_limited' })
    for (let tries = 0; tries < 50; tries++) await read(`1-${'x'.repeat(43)}.ics`).catch(() => {})
    await expect(read('wrong')).rejects.toMatchObject({ code: 'rate_limited' })
  })
})

test('the calendar file of all sessions has each of them once, also old, far and cancelled ones', async () => {
  const other = await createCoach()
  await addSession(other)
  const ids = [session]
  for (const [startTime, endTime] of [
    ['2019-03-12T09:00:00Z', '2019-03-12T10:00:00Z'],
    ['2031-03-12T09:00:00Z', '2031-03-12T10:00:00Z'],
    ['2031-03-12T09:00:00Z', '2031-03-12T11:00:00Z'],
  ])
    ids.push(await addSession(coach, { startTime, endTime, status: 'cancelled' }))
  for (const batchSize of [1, 2, 500]) {
    let text = ''
    for await (const part of exportCalendar(await contextFor(coach), { batchSize })) text += part
    expect(text).toMatch(/^BEGIN:VCALENDAR\r\n[^]*\r\nEND:VCALENDAR\r\n$/)
    const { events } = parseCalendarFile(text)
    expect(events.map(({ UID }) => UID!.text)).toEqual(
      [ids[1]!, ids[0]!, ids[2]!, ids[3]!].map((id) => `appointment-${coach.id}-${id}@${installation}`),
    )
    expect(events.map(({ STATUS }) => STATUS!.text)).toEqual(['CANCELLED', 'CONFIRMED', 'CANCELLED', 'CANCELLED'])
    expect(events[1]).toMatchObject({ SUMMARY: { text: 'Career; talk' }, DESCRIPTION: { text: 'Line\nline' } })
  }
})

test("the file of a session is for the attendee without the coach's description", async () => {
  const ctx = await contextFor(coach)
  const [own, theirs] = [
    parseCalendarFile((await writeAppointmentFile(ctx, session, { forCoach: true }))!),
    parseCalendarFile((await writeAppointmentFile(ctx, session, { forCoach: false }))!),
  ]
  expect([own.events[0]!.DESCRIPTION?.text, theirs.events[0]!.DESCRIPTION]).toEqual(['Line\nline', undefined])
})
