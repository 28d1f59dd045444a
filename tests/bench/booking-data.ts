import type pg from 'pg'
import { addMonths } from '#app/lib/time.ts'
import { nameRoles } from '#db/roles.ts'

// Adds what visitors of the booking pages need: working hours, a type, and a full month.

/** The type that every practice offers, by its address and its name, which is the title of its bookings. */
export const bookedType = { slug: 'session', name: 'Session booked by a visitor' }
/** The name of all clients that bookings create. */
export const visitorName = 'Visitor of the bench'
/** The month in which the busy practice has 500 appointments, of 10,000. */
export const bookedMonth = addMonths(new Date().toISOString().slice(0, 7), 1)

const appointmentsInMonth = 500
const appointmentsInAll = 10_000
const bookedTitle = 'Booked session'

/** Adds what is missing, and removes the bookings of the last run. */
export async function prepareBookings(owner: pg.Client, busyCoach: number): Promise<void> {
  const { rows } = await owner.query('select from availability_schedule limit 1')
  if (!rows.length) {
    for (const sql of [schedulesSql, rangesSql, typesSql, busyTimesSql]) await owner.query(sql)
    const { rows: databases } = await owner.query<{ name: string }>('select current_database() as name')
    await owner.query(nameRoles(baselineHostSql, databases[0]!.name))
  }
  await owner.query('delete from appointment where title = $1', [bookedType.name])
  await owner.query('delete from client where name = $1', [visitorName])
  await owner.query('delete from rate_limit')
  const month = await owner.query(`select from appointment where coach_id = $1 and title = $2 and start_time = $3`, [
    busyCoach,
    bookedTitle,
    `${bookedMonth}-01T00:00:00Z`,
  ])
  if (month.rows.length) return
  await owner.query('delete from appointment where coach_id = $1 and title = $2', [busyCoach, bookedTitle])
  await owner.query(fullMonthSql, [
    busyCoach,
    bookedTitle,
    `${bookedMonth}-01T00:00:00Z`,
    appointmentsInMonth,
    appointmentsInAll,
  ])
  await owner.query(busyTimesSql)
  await owner.query('analyze appointment, busy_time, availability_schedule, availability_range, appointment_type')
}

const schedulesSql = `
  insert into availability_schedule (coach_id, name, is_default, booking_window_days, slot_interval_minutes, hours,
    created_at, updated_at)
  select id, 'Hours', true, 365, 15, 'Every day 06:00–22:00', created_at, created_at from account`

const rangesSql = `
  insert into availability_range (coach_id, schedule_id, weekday, start_minute, end_minute)
  select coach_id, id, weekday, 360, 1320 from availability_schedule, generate_series(0, 6) as weekday`

const typesSql = `
  insert into appointment_type (coach_id, name, slug, durations, visibility, new_visitor, created_at, updated_at)
  select id, '${bookedType.name}', '${bookedType.slug}', '{30}', 'public', 'client', created_at, created_at from account`

// A trigger, which is disabled here, would fill this table.
const busyTimesSql = `
  insert into busy_time (coach_id, appointment_id, start_time, end_time, during, lane)
  select coach_id, id, start_time, end_time, tstzrange(start_time, end_time), int8range(id, id, '[]')
  from appointment a where status <> 'cancelled' and not exists (
    select from busy_time b where b.coach_id = a.coach_id and b.appointment_id = a.id)`

/** The first ones in the month, the others after it. */
const fullMonthSql = `
  insert into appointment (coach_id, client_id, title, start_time, end_time, timezone, status, created_at, updated_at)
  select $1, (select min(id) from client where coach_id = $1), $2, start, start + interval '45 minutes', 'Europe/Berlin',
    'confirmed', now(), now()
  from generate_series(1, $5::int) as n, lateral (
    select $3::timestamptz + (n - 1) * interval '80 minutes' + case when n > $4::int then interval '8 days' else '0' end
      as start) as starts`

/** The baseline server's look-up of a coach's host. */
export const baselineHostSql = `
  create function baseline_host(label text) returns table (coach_id bigint, timezone text)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
  begin
    return query select a.id, a.timezone from account a where a.subdomain = label and a.removed_at is null;
  end $$;
  alter function baseline_host(text) owner to practice_lookup;
  revoke all on function baseline_host(text) from public;
  grant execute on function baseline_host(text) to practice_app`
