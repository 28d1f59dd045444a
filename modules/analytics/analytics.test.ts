import { beforeEach, describe, expect, test } from 'vitest'
import {
  createClient,
  createCoach,
  createProduct,
  createPurchase,
  contextFor,
  type Coach,
} from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { exportMetric, exportOverview } from './export.ts'
import { loadMetric } from './metric-loader.server.ts'
import { loadOverview } from './overview-loader.server.ts'
import { analyticsUrl, metricUrl } from './list-state.ts'

// tests/contract/analytics.test.ts compares the numbers with those counted by hand.

const app = createTestApp()
let coach: Coach
let clients: number[]

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T14:00:00Z')
  coach = await createCoach({ timezone: 'America/New_York' })
  const { id: productId } = await createProduct({ coach, name: 'Career "Reset", deluxe' })
  clients = []
  for (const [name, amount, purchaseDate] of [
    ['Ada', 15_000, '2026-03-10T03:59:00Z'],
    ['Grace', 5_050, '2026-01-01T05:00:00Z'],
    ['Mara', 20_000, '2026-01-01T04:59:00Z'],
  ] as const) {
    const client = await createClient({ coach, name, email: `${name}@example.com` })
    clients.push(client.id)
    await createPurchase({ coach, clientId: client.id, productId, amount, purchaseDate })
  }
})

const get = (path: string, as = coach) => app.call('GET', `/api/analytics${path}`, { as })
const open = async (name: string, query = '') =>
  loadMetric(await contextFor(coach), name, metricUrl(name).parse(`/analytics/${name}?${query}`))

describe('the API', () => {
  test('has the numbers of a period, the one before and that of the year before', async () => {
    const { status, body } = await get('?period=this-quarter')
    expect([status, body.currency, body.period, body.before]).toEqual([
      200,
      'usd',
      { from: '2026-01-01', to: '2026-03-10' },
      { from: '2025-10-01', to: '2025-12-10' },
    ])
    const revenue = body.numbers.find(({ name }: { name: string }) => name === 'revenue')
    expect(revenue).toMatchObject({
      value: 20_050,
      whole: null,
      rows: 2,
      unit: 'money',
      before: { value: 0, rows: 0 },
      groups: ['product', 'client'],
    })
  })

  test('lists the rows of a number page by page, and those of a group', async () => {
    const first = await get('/rows?metric=revenue&period=this-quarter&limit=1')
    expect(first.body.map(({ value }: { value: number }) => value)).toEqual([15_000])
    const next = /<\/api\/analytics(.*)>/.exec(first.headers.get('link')!)![1]!
    const second = await get(next)
    expect(second.body).toMatchObject([{ title: 'Career "Reset", deluxe', detail: 'Grace, payment', value: 5_050 }])
    expect(second.headers.get('link')).toBeNull()
    const { body } = await get(`/rows?metric=revenue&period=this-year&group=client:${clients[0]}`)
    expect(body.map(({ value }: { value: number }) => value)).toEqual([15_000])
  })

  test('has the groups and the parts of a number', async () => {
    const { body: groups } = await get('/groups?metric=revenue&by=client&period=this-quarter')
    expect(groups).toMatchObject({
      count: 2,
      groups: [
        { key: String(clients[0]), title: 'Ada', value: 15_000 },
        { title: 'Grace', value: 5_050 },
      ],
    })
    const { body: parts } = await get('/parts?metric=revenue&period=custom&from=2025-12-31&to=2026-01-02')
    expect(parts).toMatchObject([
      { from: '2025-12-31', to: '2025-12-31', unit: 'day', value: 20_000 },
      { from: '2026-01-01', value: 5_050 },
      { from: '2026-01-02', value: 0 },
    ])
  })

  test.each(['pro', 'free'] as const)('refuses all of it on the plan %s', async (plan) => {
    const other = await createCoach({ plan })
    for (const path of ['', '/rows?metric=revenue', '/groups?metric=revenue&by=client', '/parts?metric=revenue'])
      expect([path, (await get(path, other)).body]).toMatchObject([
        path,
        { code: 'plan_required', message: 'Advanced analytics are part of the Premium plan.' },
      ])
    expect((await get('', other)).status).toBe(403)
  })

  test.each([
    ['/rows?metric=happiness', 404],
    ['/groups?metric=retention', 404],
    ['?period=custom&to=9999-12-31', 422],
    ['/parts?metric=revenue&period=custom&to=9999-12-31', 422],
    ['?period=custom&to=0001-01-01', 422],
    ['/rows?metric=revenue&group=client', 422],
    ['/rows?metric=revenue&group=mood:1', 404],
    ['/groups?metric=revenue&by=mood', 404],
    ['/parts?metric=paying-clients', 409],
    ['?period=this-decade', 422],
    ['?period=custom&from=2026-02-30', 422],
    ['?period=custom&from=2026-03-02&to=2026-03-01', 422],
    ['?period=custom&from=2020-03-02&to=2026-03-01', 422],
  ])('responds to %s with %d', async (path, status) => {
    expect((await get(path)).status).toBe(status)
  })
})

describe('the page', () => {
  test('shows what changed, and every number has a link to its rows', async () => {
    const ctx = await contextFor(coach)
    const { sections, dates } = await loadOverview(ctx, analyticsUrl.parse('/analytics?period=this-month'))
    expect([dates, sections[0]!.tiles[0]]).toMatchObject([
      'Mar 1 – Mar 10, 2026',
      {
        label: 'Revenue',
        number: '$150.00',
        to: '/analytics/revenue?period=this-month',
        before: { number: '$0.00', change: null, to: '/analytics/revenue?period=this-month&back=1' },
        yearBefore: { to: '/analytics/revenue?period=this-month&year=before' },
      },
    ])
    const [chart] = sections[0]!.charts
    expect(chart!.rows.filter(({ number }) => number !== '$0.00')).toEqual([
      {
        label: 'Mar 9',
        number: '$150.00',
        value: null,
        whole: null,
        to: '/analytics/revenue?period=custom&from=2026-03-09&to=2026-03-09',
      },
    ])
  })

  test('of a number has its total, its rows and its groups', async () => {
    const metric = await open('revenue', 'period=this-quarter')
    expect(metric).toMatchObject({ number: '$200.50', rowCount: 2, dates: 'Jan 1 – Mar 10, 2026' })
    expect(metric.rows.map(({ date, value }) => [date, value])).toEqual([
      ['Mar 9, 2026', '$150.00'],
      ['Jan 1, 2026', '$50.50'],
    ])
    const { groups } = await open('revenue', 'period=this-quarter&by=client')
    const { filter, rows, number } = await open('revenue', groups[1]!.to.split('?')[1])
    expect([filter!.title, number, rows.length]).toEqual(['Grace', '$50.50', 1])
  })

  test('of the period before is that period', async () => {
    const before = await open('revenue', 'period=this-quarter&back=1')
    expect([before.dates, before.number]).toEqual(['Oct 1 – Dec 10, 2025', '$0.00'])
    expect((await open('revenue', 'period=last-quarter')).number).toBe('$200.00')
  })

  test('ignores what is wrong in its URL', async () => {
    const query = `period=x&from=2026-02-30&back=99&year=x&by=&group=${encodeURIComponent('client:\0')}&page=0`
    expect(await open('revenue', query)).toMatchObject({ number: '$200.50', filter: null })
    // As the latest five years.
    expect((await open('revenue', 'period=custom&from=1900-01-01')).dates).toBe('Mar 7, 2021 – Mar 10, 2026')
    await expect(open('revenue', 'by=mood')).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('the file', () => {
  test('of all numbers has each with its dates, comparisons and parts', async () => {
    const ctx = await contextFor(coach)
    const file = await exportOverview(ctx, analyticsUrl.parse('/analytics?period=this-quarter'))
    const lines = file.split('\r\n')
    expect(lines[0]).toBe('\ufeffSection,Number,Name,Part,From,To,Unit,Value,Of,Percent,Rows,Definition')
    const revenue = lines.filter((line) => line.includes(',revenue,')).map((line) => line.split(',').slice(3, 8).join())
    expect(revenue.slice(0, 4)).toEqual([
      'period,2026-01-01,2026-03-10,USD,200.50',
      'before,2025-10-01,2025-12-10,USD,0.00',
      'year before,2025-01-01,2025-03-10,USD,0.00',
      'week,2026-01-01,2026-01-03,USD,50.50',
    ])
  })

  test('of a number has its rows, with texts escaped, or its groups', async () => {
    const read = async (query: string) => {
      const state = metricUrl('revenue').parse(`/analytics/revenue?${query}`)
      let file = ''
      for await (const part of exportMetric(await contextFor(coach), 'revenue', state)) file += part
      return file.split('\r\n')
    }
    const rows = await read('period=this-quarter')
    expect(rows[0]).toBe('\ufeffId,Date,Time,Title,Details,Revenue (USD),Page')
    expect(rows[1]).toContain(',2026-03-09,23:59,"Career ""Reset"", deluxe","Ada, payment",150.00,/purchases?')
    expect(rows).toHaveLength(4)
    expect((await read('period=this-quarter&by=client')).slice(1)).toEqual(['Ada,150.00,1', 'Grace,50.50,1', ''])
  })
})
