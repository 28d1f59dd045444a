import { afterAll, beforeEach, expect, test } from 'vitest'
import { startFakeGoogle } from '#tests/fakes/google/server.ts'
import type { CalendarStore } from '#tests/fakes/google/calendar-store.ts'
import { createCoach, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { connect, sync } from './e2e/support.ts'
import { disconnect } from './services/disconnect.ts'
import { readNotification } from './services/watch.ts'
import { contextFor } from '#tests/support/factories.ts'

const google = await startFakeGoogle({ now: () => app.clock.now })
const app = createTestApp({ ...google.env, APP_ORIGIN: 'https://practice.example.com' })
afterAll(() => google.close())

let coach: Coach
let calendar: CalendarStore
let numbers = 0

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  google.stopFailing()
  coach = await createCoach()
  const email = `watched${++numbers}@gmail.com`
  await connect(coach, google, { email })
  calendar = google.account(email).get(email)!
})

const channels = () => [...calendar.channels.values()]

test('a calendar is watched at a public address, and its notifications name the coach', async () => {
  expect(await sync(coach)).toBeNull()
  const [channel] = channels()
  expect(channel!.address).toBe(`https://practice.example.com/google/notifications/${channel!.token}`)
  const { token, id } = channel!
  const seen = { path: token, token, channelId: id, state: 'exists' }
  expect(readNotification(app.platform, seen)).toEqual({ coachId: coach.id, isChange: true })
  expect(readNotification(app.platform, { ...seen, state: 'sync' })?.isChange).toBe(false)
  for (const forged of [{ token: null }, { token: 'x' }, { channelId: 'another' }, { path: 'x.y' }])
    expect(readNotification(app.platform, { ...seen, ...forged })).toBeNull()
})

test('a channel is renewed a day before it expires, then the old one ends', async () => {
  await sync(coach)
  const [first] = channels()
  await sync(coach)
  expect(channels()).toEqual([first])
  app.clock.now = new Date(first!.expiration - 20 * 3_600_000)
  expect(await sync(coach)).toBeNull()
  expect(channels()).toHaveLength(1)
  expect(channels()[0]!.id).not.toBe(first!.id)
})

test('a calendar that can’t be watched is polled', async () => {
  google.fail(/watch$/, 400)
  expect(await sync(coach)).toBeNull()
  expect(channels()).toEqual([])
})

test('connecting another account ends the channels of the one before', async () => {
  await sync(coach)
  expect(channels()).toHaveLength(1)
  google.requests.splice(0)
  expect((await connect(coach, google, { email: `other-${numbers}@gmail.com` })).failure).toBeNull()
  expect(channels()).toEqual([])
  expect(google.requests.filter((name) => /revoke/.test(name))).toHaveLength(1)
  expect(await sync(coach)).toBeNull()
})

test('disconnecting ends the channels', async () => {
  await sync(coach)
  await disconnect(await contextFor(coach))
  expect(channels()).toEqual([])
})
