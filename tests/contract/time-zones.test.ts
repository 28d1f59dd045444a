import { describe, expect, test } from 'vitest'
import { commonTimezones } from '#app/lib/timezones.ts'
import { isTimezone } from '#app/lib/zod-types.ts'
import { Account } from '#tenants/schema.ts'
import { createClient, createCoach, createProduct, createPurchase, inTenant } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'

const app = createTestApp()

/** Short and old names, which browsers accept but don't list. */
const otherNames = (
  'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT EST IET IST JST MIT MST HST NET NST PLT PNT PRT PST SST VST UTC ' +
  'GMT UCT CET EET MET WET PRC ROC ROK GB NZ PST8PDT EST5EDT SystemV/AST4 SystemV/PST8PDT US/Pacific-New US/Pacific ' +
  'Zulu GMT0 W-SU Canada/East-Saskatchewan Canada/Saskatchewan Asia/Rangoon aet Etc/GMT+5 europe/berlin'
).split(' ')

test('every accepted time zone is one that Postgres knows, by the same offset', async () => {
  const listed = [...Intl.supportedValuesOf('timeZone'), ...commonTimezones.map(({ value }) => value)]
  const accepted = [...listed, ...otherNames].filter(isTimezone)
  expect(accepted).toEqual(expect.arrayContaining([...listed, 'UTC', 'US/Pacific', 'EST5EDT']))
  const at = new Date('2026-07-15T12:00:00Z')
  const rows = await app.platform.readPool.queryGlobal<{ name: string; local: string }>({
    text: `select name, to_char($2::timestamptz at time zone name, 'YYYY-MM-DD HH24:MI') as local
      from unnest($1::text[]) name`,
    values: [accepted, at],
  })
  const format = (timeZone: string) =>
    at.toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short', hourCycle: 'h23' })
  const different = rows.filter(({ name, local }) => local !== format(name)).map(({ name }) => name)
  // Abbreviations, too: Postgres reads them without summer time.
  expect(different.filter((name) => !['CET', 'EET', 'MET', 'WET'].includes(name))).toEqual([])
})

describe('AET, which Postgres does not know,', () => {
  test('is refused at input', async () => {
    const coach = await createCoach()
    const answer = await app.call('PUT', '/api/auth/profile', { as: coach, body: { timezone: 'AET' } })
    expect([answer.status, answer.body.issues]).toEqual([
      422,
      [{ path: 'timezone', message: 'Choose a time zone from the list' }],
    ])
  })

  test('breaks no search of a coach who has it from an earlier version', async () => {
    const coach = await createCoach()
    const { id: clientId } = await createClient({ coach, name: 'Search Term' })
    const { id: productId } = await createProduct({ coach, name: 'Search Term' })
    await createPurchase({ coach, clientId, productId })
    const startTime = app.clock.now.toISOString()
    const endTime = new Date(app.clock.now.getTime() + 3_600_000).toISOString()
    const body = { title: 'Search Term', clientId, startTime, endTime }
    expect((await app.call('POST', '/api/appointments', { as: coach, body })).status).toBe(201)
    await inTenant(coach, ({ em }) => em.nativeUpdate(Account, { id: coach.id }, { timezone: 'AET' }))
    const { status, body: found } = await app.call('GET', '/api/search?q=Search+Term', { as: coach })
    expect(status).toBe(200)
    const subtitles = found.map(({ subtitle }: { subtitle: string }) => subtitle).join('; ')
    expect(subtitles.match(/Mar 10, 2026/g)).toHaveLength(2)
  })
})
