// The rows of the simulation, as SQL. Ids are computed instead of looked up, so that no insert joins large tables.

/** From parents to children. */
export const filledTables = [
  'account',
  'session',
  'pipeline_stage',
  'product',
  'billing_settings',
  'client',
  'activity',
  'prospect',
  'appointment',
  'busy_time',
  'purchase',
  'ledger_entry',
  'invoice',
  'invoice_line',
  'client_interaction',
  'task',
  'message',
  'message_thread',
  'search_content',
  'history',
]

/** How many records of a kind a client of one of the largest coaches has, and one of another coach. */
const each = { appointments: [5, 2], purchases: [5, 1] }

/** The sizes of all coaches. `…_base` is the last id before those of the coach. */
export const createCoachesSql = (coaches: number, seed: number, now: Date): string => `
  create unlogged table simulation.coach as
    select coach_id, rank, clients, appointments, purchases,
      sum(clients) over by_id - clients as client_base,
      sum(clients * appointments) over by_id - clients * appointments as appointment_base,
      sum(clients * purchases) over by_id - clients * purchases as purchase_base,
      ${seed}::bigint as seed, date_trunc('day', timestamptz '${now.toISOString()}') as today
    from (
      select coach_id, rank, least(10000, greatest(1, round(${coaches}.0 / rank)))::int as clients,
        case when rank <= ${largest(coaches)} then ${each.appointments[0]} else ${each.appointments[1]} end as appointments,
        case when rank <= ${largest(coaches)} then ${each.purchases[0]} else ${each.purchases[1]} end as purchases
      from (
        select coach_id, row_number() over (order by hashint8extended(coach_id, ${seed}), coach_id) as rank
        from generate_series(1, ${coaches}) as coach_id
      ) as ranked
    ) as sized
    window by_id as (order by coach_id)`

/** One coach in 10,000, and at least one. */
const largest = (coaches: number): number => Math.ceil(coaches / 10_000)

export const coachRowsSql = [
  `insert into account (id, email, first_name, last_name, business_name, timezone, subdomain, onboarding_completed, plan,
      email_verified_at, created_at, updated_at)
    select coach_id, 'coach' || coach_id || '@example.com', 'Coach', 'Number ' || coach_id, 'Practice ' || coach_id,
      'Europe/Berlin', 'practice-' || coach_id, true, 'premium', today, today - interval '2 years', today
    from simulation.coach`,
  `insert into session (coach_id, id, token_hash, created_at, last_seen_at, expires_at)
    select coach_id, coach_id, sha256(convert_to('simulation-' || coach_id, 'UTF8')), today, today + interval '1 day',
      today + interval '30 days'
    from simulation.coach`,
  `insert into pipeline_stage (coach_id, id, name, position, alias, created_at, updated_at)
    select coach_id, (coach_id - 1) * 5 + at, initcap(replace(stage, '_', ' ')), at - 1, stage, today, today
    from simulation.coach,
      unnest(array['lead', 'qualified', 'proposal', 'negotiation', 'closed_won']) with ordinality as stages (stage, at)`,
  `insert into product (coach_id, id, name, price, created_at, updated_at)
    select coach_id, coach_id, 'Twelve sessions', 1800, today, today from simulation.coach`,
  `insert into billing_settings (coach_id, id, next_number, created_at, updated_at)
    select coach_id, coach_id, clients + 1, today, today from simulation.coach`,
]

/** The clients of one part of the insertion. `random` is the same for the same seed and client. */
export const createSliceSql = (slice: number, slices: number): string => `
  create temp table slice on commit drop as
    select c.*, nth, client_base + nth as id, random, today - (random % 720) * interval '1 day' as joined
    from simulation.coach c, generate_series(1, clients) as nth,
      lateral (select (hashint8extended(client_base + nth, seed) & 1073741823)::int as random) as numbers
    where (nth + coach_id) % ${slices} = ${slice};
  create temp table slice_appointment on commit drop as
    select s.coach_id, s.id as client_id, s.joined, appointment_base + (nth - 1) * appointments + m as id, start, length,
      case when start > today then (array['scheduled', 'confirmed', 'cancelled'])[1 + hash % 3]
        else (array['completed', 'completed', 'completed', 'cancelled'])[1 + hash % 4] end as status
    from slice s, generate_series(1, appointments) as m,
      lateral (select (hashint8extended(appointment_base + (nth - 1) * appointments + m, seed) & 1073741823)::int as hash)
        as hashes,
      lateral (select today + (hash % 420 - 360) * interval '1 day' + (8 + hash / 420 % 10) * interval '1 hour' as start,
        interval '45 minutes' as length) as times;
  create temp table slice_purchase on commit drop as
    select s.coach_id, s.id as client_id, purchase_base + (nth - 1) * purchases + m as id,
      today - ((random + m * 97) % 720) * interval '1 day' as bought,
      12500 * (1 + random % 4) as amount, (array['completed', 'completed', 'pending', 'refunded'])[1 + (random + m) % 4]
        as status
    from slice s, generate_series(1, purchases) as m`

export const sliceRowsSql = [
  `insert into client (coach_id, id, name, email, phone, location, status, progress, goals, notes, total_spent, created_at,
      updated_at)
    select coach_id, id, first || ' ' || last || ' ' || nth, lower(first) || nth || '@example.com',
      case when nth % 4 > 0 then '+1 415-555-' || lpad((nth % 10000)::text, 4, '0') end,
      case when nth % 3 = 0 then 'San Francisco, CA, US' end,
      (array['active', 'active', 'active', 'inactive', 'completed', 'pending'])[1 + random % 6], random % 101,
      case when nth % 2 = 0 then 'Lead a team of ten without losing the evenings, and say no twice a week.' end,
      case when nth % 3 = 0 then 'Met at the retreat. Prefers mornings. Likes walking sessions.' end,
      12500 * (1 + random % 4), joined, joined
    from slice, lateral (select
      (array['Maya', 'José', 'Priya', 'Tom', 'Zoë', 'Lena', 'Omar', 'Ngozi', 'Søren', 'Aiko', 'Łukasz'])[1 + random % 11]
        as first,
      (array['Okonkwo', 'Ibáñez', 'Raman', 'Becker', 'Haddad', 'Tanaka', 'Diallo', 'Müller', 'Smith', 'Chen'])
        [1 + random / 11 % 10] as last) as names`,
  `insert into activity (coach_id, id, client_id, type, title, created_at)
    select coach_id, id, id, 'client_added', 'Client added', joined from slice`,
  `insert into prospect (coach_id, id, name, email, company, stage_id, position, value, probability, source, created_at,
      updated_at)
    select coach_id, id, 'Prospect ' || nth, 'prospect' || nth || '@example.com', 'Company ' || random % 50,
      (coach_id - 1) * 5 + 1 + random % 5, nth::bigint * 1024, (random % 100) * 1500, random % 101, 'Referral', joined,
      joined
    from slice where nth % 3 = 0`,
  `insert into appointment (coach_id, id, client_id, title, description, start_time, end_time, timezone, status,
      completed_at, created_at, updated_at)
    select coach_id, id, client_id, 'Session ' || id % 12,
      case when id % 3 = 0 then 'Begin with what went well since last time, before the list.' end,
      start, start + length, 'Europe/Berlin', status, case when status = 'completed' then start + length end, joined, joined
    from slice_appointment`,
  // As the trigger does, except that each has a lane of its own: coaches of this size have more than one calendar.
  `insert into busy_time (coach_id, id, appointment_id, start_time, end_time, during, lane)
    select coach_id, id, id, start, start + length, tstzrange(start, start + length), int8range(id, id, '[]')
    from slice_appointment where status <> 'cancelled'`,
  `insert into purchase (coach_id, id, client_id, product_id, product_name, amount, status, payment_method, purchased_at,
      created_at, updated_at)
    select coach_id, id, client_id, coach_id, 'Twelve sessions', amount, status, 'credit_card', bought, bought, bought
    from slice_purchase`,
  `insert into ledger_entry (coach_id, id, kind, amount, currency, method, occurred_at, client_id, purchase_id, created_at)
    select coach_id, id, 'payment', amount, 'usd', 'credit_card', bought, client_id, id, bought
    from slice_purchase where status = 'completed'`,
  `insert into invoice (coach_id, id, state, number, client_id, bill_to_name, currency, description, issue_date, due_date,
      prices_include_tax, subtotal, discount, tax, total, paid, paid_at, created_at, updated_at)
    select coach_id, id, 'open', 'INV-' || lpad(nth::text, 5, '0'), id, 'Client ' || nth, 'usd', 'Twelve sessions',
      joined::date, joined::date + 14, false, 12500, 0, 0, 12500, case when random % 3 > 0 then 12500 else 0 end,
      case when random % 3 > 0 then joined end, joined, joined
    from slice where nth % 2 = 1`,
  `insert into invoice_line (coach_id, id, invoice_id, position, description, quantity, unit_price, tax_rate, amount)
    select coach_id, id, id, 1, 'Twelve sessions', 1, 12500, 0, 12500 from slice where nth % 2 = 1`,
  `insert into client_interaction (coach_id, id, client_id, name, content, interaction_date, created_at, updated_at)
    select coach_id, id, client_id, 'Session notes', 'Talked about the week, and what to try until the next session.',
      bought, bought, bought
    from slice_purchase`,
  `insert into task (coach_id, id, title, owner, client_id, due_date, done_at, reminder, created_at, updated_at)
    select coach_id, id, 'Prepare the next session', 'coach', id, (today + (random % 60 - 40) * interval '1 day')::date,
      case when random % 3 > 0 then today end, 'none', joined, joined
    from slice where nth % 2 = 1`,
  `insert into message (coach_id, id, client_id, sender, content, read_at, created_at)
    select coach_id, id * 3 - 3 + m, id, case when m = 2 then 'client' else 'coach' end, 'See you on Thursday at ten.',
      joined + m * interval '1 hour', joined + m * interval '1 hour'
    from slice, generate_series(1, 3) as m where nth % 4 = 1`,
  `insert into message_thread (coach_id, id, client_id, last_message_id, last_sender, excerpt, last_message_at)
    select coach_id, id, id, id * 3, 'coach', 'See you on Thursday at ten.', joined + interval '3 hours'
    from slice where nth % 4 = 1`,
  `insert into search_content (coach_id, kind, record_id, content)
    select coach_id, 'client', id, content_key(concat_ws(chr(10),
        case when nth % 2 = 0 then 'Lead a team of ten without losing the evenings, and say no twice a week.' end,
        case when nth % 3 = 0 then 'Met at the retreat. Prefers mornings. Likes walking sessions.' end))
      from slice where nth % 2 = 0 or nth % 3 = 0
    union all select coach_id, 'appointment', id, content_key('Begin with what went well since last time.')
      from slice_appointment where id % 3 = 0
    union all select coach_id, 'client_interaction', id, content_key('Session notes. Talked about the week.')
      from slice_purchase`,
  `insert into history (coach_id, kind, record_id, action, changes, actor_id, created_at)
    select coach_id, 'client', id, 'created', '[]'::jsonb, coach_id, joined from slice
    union all select coach_id, 'appointment', id, 'created', '[]'::jsonb, coach_id, joined from slice_appointment
    union all select coach_id, 'purchase', id, 'created', '[]'::jsonb, coach_id, bought from slice_purchase
    union all select coach_id, 'client', id, 'changed', '[{"field": "status", "from": "pending", "to": "active"}]',
      coach_id, joined from slice where nth % 2 = 0`,
]
