import { expect, test } from 'vitest'
import { listClientOptions } from '#modules/crm/index.ts'
import { modules } from '#modules/registry.ts'
import { contextFor, createCoach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { listAppointments } from './queries/appointments.ts'

const app = createTestApp()

test('the demo practice has bookings, overrides, a recurring client and six summaries, and its sessions and purchases match', async () => {
  const ctx = await contextFor(await createCoach())
  for (const { seed } of modules) await seed?.(ctx, { which: 'first', now: app.clock.now })
  const clients = await ctx.query<{ name: string; held: number; bought: string[] }>({
    name: 'test.sessions',
    text: `select name,
        (select count(*)::int from appointment a
          where a.client_id = c.id and a.status = 'completed' and a.title <> 'Discovery call') as held,
        array(select distinct on (product_name, case when p.installment_count is null then s.id end) product_name
          from purchase s join product p on p.id = s.product_id where s.client_id = c.id and s.status = 'completed') as bought
      from client c where c.status <> 'pending'`,
  })
  const [first] = await listClientOptions(ctx, { rows: 1 })
  const ahead = await listAppointments(ctx, { from: app.clock.now, clientId: first!.id })
  expect(ahead, 'a session in the portal').toMatchObject([{ status: 'confirmed' }])
  const worth: [string, number][] = [
    ['12 sessions', 12],
    ['6 sessions', 6],
    ['Evenings', 3],
    ['Sprint', 5],
    ['Intensive', 3],
    ['Retainer', 2],
    ['Single', 1],
  ]
  expect(clients.length).toBeGreaterThan(50)
  const [calendar] = await ctx.query<Record<string, number>>({
    name: 'test.calendar',
    text: `select (select count(*)::int from appointment where booked_online and start_time > $1) as bookings,
        (select count(*)::int from availability_override where date > $1) as overrides,
        (select max(sessions) from (select count(*)::int as sessions from appointment
          where series_id is not null and start_time > $1 group by series_id, client_id) one) as repeated`,
    values: [app.clock.now],
  })
  // Visitors who aren't clients yet book only where there are prospects.
  const bookings = app.platform.extensions.prospects ? 2 : 0
  expect(calendar).toEqual({ bookings, overrides: 2, repeated: 8 })
  // The latest summary waits to be approved.
  if (modules.some(({ id }) => id === 'summaries')) {
    const summarized = await ctx.query({
      name: 'test.summarized',
      text: `select s.status, count(*)::int as sessions from appointment a
          join session_transcript t on t.coach_id = a.coach_id and t.appointment_id = a.id
          join session_summary s on s.coach_id = a.coach_id and s.transcript_id = t.id
        where a.summary_generated and jsonb_array_length(s.overview) > 0 group by s.status order by s.status`,
    })
    expect(summarized).toEqual([
      { status: 'approved', sessions: 5 },
      { status: 'draft', sessions: 1 },
    ])
  }
  const off = clients.filter(({ held, bought }) => {
    const paid = bought.reduce((sum, product) => sum + worth.find(([part]) => product.includes(part))![1], 0)
    return held > paid * 1.25 + 3 || paid > held * 1.25 + 12
  })
  expect(off).toEqual([])
}, 180_000)
